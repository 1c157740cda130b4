"""Household tasks, by rules."""
