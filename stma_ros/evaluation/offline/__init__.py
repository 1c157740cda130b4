"""Scores recorded messages; reads no bags and runs no components."""
