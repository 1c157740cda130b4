"""Simulated worlds for agents. A world imports the vocabulary (types) only."""
