"""The fabric of a flat: its layout, walls, doorways and doors."""
