"""A colcon workspace for tests of the installed package."""
