"""Motion: the trajectory law of the papers, and the integration of generated forward dynamics."""
