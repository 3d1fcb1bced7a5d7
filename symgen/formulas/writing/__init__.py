"""From ring elements to formulas that a person would write: collected, angles combined, the shortest form chosen."""
