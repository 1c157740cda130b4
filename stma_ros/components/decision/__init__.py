"""The planner, the critic and the executor."""
