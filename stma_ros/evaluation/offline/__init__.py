"""Scores recorded messages, without reading bags or running components."""
