"""Perception: from camera frames to what one keyframe shows."""
