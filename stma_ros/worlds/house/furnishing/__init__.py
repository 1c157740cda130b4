"""Makes flats: furniture that can be reached, doors that open, and small things where they belong or do not."""
