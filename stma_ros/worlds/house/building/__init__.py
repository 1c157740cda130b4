"""Makes flats: rooms, furniture that can be reached, and small things where they belong or do not."""
