"""The version of symgen."""

__version__ = "0.2.0"
