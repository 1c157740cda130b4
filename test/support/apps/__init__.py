"""Recorded runs and sessions for tests of the commands."""
