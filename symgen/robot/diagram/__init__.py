"""Pictures of a robot's graph.

layout   Robot  → where its links and joints stand, and the ways of cut joints between links
picture  layout → a drawing
"""
