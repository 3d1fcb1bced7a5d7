"""Scalars: exact constants, the polynomial ring, the prime field."""
