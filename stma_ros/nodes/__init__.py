"""Entry points: which component or world, in which host."""
