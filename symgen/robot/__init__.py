"""What the user says: robots, links, joints, tables."""
