"""Spatial memory: the map, the things, the rooms, and the belief that is made of them."""
