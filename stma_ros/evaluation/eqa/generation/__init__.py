"""Generates questions about flats of the house, each with its answer, evidence and shortest path."""
