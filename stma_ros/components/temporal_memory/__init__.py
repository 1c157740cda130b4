"""Temporal memory: the history of a task, condensed into a belief."""
