"""The version of symgen."""

__version__ = "0.1.0"
