"""Robot files that give joints as edges between links: a tree is chosen among them, the other joints are cut.

tables  data            → links and joints, their shape checked
cut     edges           → the tree, and the edges that are cut
lower   data            → data of a robot file: every link with the joint that carries it, cut joints as loops
"""
