"""Domains of tasks, each with the rules that answer roles, its prompts and its wording."""
