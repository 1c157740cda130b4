"""Worlds for agents. Each imports the vocabulary (types) only."""
