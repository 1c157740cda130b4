"""Scenes of data sets that were not made by us, as the robot finds them."""
