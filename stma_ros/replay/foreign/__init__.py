"""Bags of other robots: camera, depth and where the robot was become frames that the agent's components take."""
