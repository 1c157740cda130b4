"""Perception: keyframes and the objects that are detected in them."""
