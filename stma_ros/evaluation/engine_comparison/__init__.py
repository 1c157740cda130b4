"""Compares cameras and collisions of two engines in the same flats."""
