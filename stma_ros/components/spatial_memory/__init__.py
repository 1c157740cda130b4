"""Spatial memory: the map, objects and rooms, and the belief that is made from them."""
