"""Derivatives of a module's functions, for languages whose users differentiate them."""
