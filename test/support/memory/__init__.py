"""Keyframes for tests of the scene graph."""
