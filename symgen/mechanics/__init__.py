"""The equations of the papers, over any domain of scalars."""
