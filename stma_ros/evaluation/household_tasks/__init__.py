"""Generates household tasks in English and proves with full knowledge that they can be solved."""
