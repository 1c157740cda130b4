"""Experience memory: what is remembered across tasks."""
