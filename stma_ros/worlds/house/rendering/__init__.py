"""Renders the camera's images."""
