"""An agent with a planner of its own."""
