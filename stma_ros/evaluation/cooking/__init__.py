"""The suite of cooking games, and a plan for each with full knowledge."""
