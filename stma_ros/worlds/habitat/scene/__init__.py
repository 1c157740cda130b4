"""Scenes of other data sets, as the robot finds them."""
