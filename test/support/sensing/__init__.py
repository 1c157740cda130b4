"""Recordings of other robots for tests of frame sources."""
