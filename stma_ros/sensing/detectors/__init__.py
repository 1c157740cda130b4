"""Detectors: from camera frames to the things that they show."""
