"""Closed forms: every matrix and vector of the DeNOC formulation, exact, entry by entry, as SymPy and as formulas."""
