"""Roles: what a language model, or rules in its place, is asked to do."""
