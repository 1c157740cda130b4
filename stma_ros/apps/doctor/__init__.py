"""`stma doctor`: what is there, what is missing, and what to do about it."""
