"""Experience memory: lessons that are remembered across tasks."""
