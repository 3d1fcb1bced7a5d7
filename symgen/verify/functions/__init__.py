"""The functions that have an oracle: a file for each family, and one list of them all (see `registry`)."""
