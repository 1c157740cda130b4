"""The suite of cooking games, and a solution of each with full knowledge."""
