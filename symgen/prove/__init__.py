"""Programs → proofs that they are the block forms, in the prime field."""
