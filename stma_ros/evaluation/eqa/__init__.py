"""Embodied question answering: data sets, judges of answers, and measures."""
