"""Rooms of boxes for tests of maps."""
