"""Frontiers: where the known space that can be reached ends, and where to look into the unknown from.

`boundary_rules` finds them on the border of what is known; `tracker` assigns ids that last.
"""
