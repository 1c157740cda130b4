"""What the tests share. pytest finds it as the package `support` (pyproject.toml: pythonpath)."""
