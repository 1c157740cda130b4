"""What is kept: the scene graph of what was seen, and what is generally known of kinds of things."""
