"""Generators of problems in our domains: seeded, of varied difficulty, each with a plan that solves it."""
