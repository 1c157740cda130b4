"""Stores of experiences, which several robots and programs use at the same time."""
