"""Replays recorded runs through the components, and feeds other robots' recordings to a passive agent."""
