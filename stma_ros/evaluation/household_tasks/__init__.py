"""Household tasks: drawn, said in English, and proved solvable with full knowledge."""
