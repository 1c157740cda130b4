"""The building of a flat: its layout, walls, doorways and doors."""
