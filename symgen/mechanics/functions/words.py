"""Words in names of functions."""

OF_SET = ":"
"""Between the name of a function and the contact set it is asked for of."""
