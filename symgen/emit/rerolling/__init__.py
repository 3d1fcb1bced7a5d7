"""Loop rerolling: long programs that do the same again and again, as for one link after the other, written as loops."""
