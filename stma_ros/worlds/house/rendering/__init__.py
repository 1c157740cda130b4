"""What the camera sees."""
