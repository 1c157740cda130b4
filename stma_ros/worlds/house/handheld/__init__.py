"""A person who carries a camera through a flat, and the recording that comes of it."""
