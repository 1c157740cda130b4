"""Homes on paper and in words, and scripted models, for tests of roles."""
