"""Describes agents as components and their wiring, and runs them in one process."""
