"""Makes flats: furniture within reach, doors that open, and small things in usual and unusual places."""
