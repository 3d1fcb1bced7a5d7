"""The straight-line program: graph, counts, interpreter, fingerprint."""
