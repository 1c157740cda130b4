"""Spatial memory of text worlds: a knowledge graph, and the belief that is retrieved from it."""
