"""Homes without simulation, in facts and in text, and scripted models, for tests of roles."""
