"""Robot → module, verified, proved and written: the stages one after the other."""
