"""Frontiers: where the known space that can be reached ends, and where to look into the unknown from.

Two sets of rules find them: `boundary_rules` (ours, on the border of what is known) and `published_rules` (those of
3D-Mem and Pred-EQA, on the border of what was seen from near). Both give `FrontierRegion`s, to which `tracker` assigns
ids that last.
"""
