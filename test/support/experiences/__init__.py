"""Experiences for tests."""
