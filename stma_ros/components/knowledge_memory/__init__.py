"""Spatial memory of worlds of text: a knowledge graph, and the belief that is retrieved from it."""
