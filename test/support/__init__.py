"""Helpers that the tests share. pytest finds them as the package `support` (pyproject.toml: pythonpath)."""
