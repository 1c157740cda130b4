"""Embodied question answering: questions about a home, read into typed questions."""
