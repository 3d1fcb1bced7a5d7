"""The functions that are generated: a file for each family, and one list of them all (see `registry`)."""
