"""Suites of habitat-lab's episodes."""
