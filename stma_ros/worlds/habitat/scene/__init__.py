"""Scenes of other data sets, prepared for the robot."""
