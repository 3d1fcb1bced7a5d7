"""The module object that users hold: compiled or NumPy functions, pickling, many machines."""
