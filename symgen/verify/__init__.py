"""Callables → verdict, against oracles that share no code with the mechanics."""
