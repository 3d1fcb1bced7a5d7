"""The libraries that are timed, a module each: whether it is installed, and its contenders for a case."""
