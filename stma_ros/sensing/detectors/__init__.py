"""Detectors find the objects in camera frames."""
