"""Scores what was recorded: reads no bag, drives nothing, takes messages with their log times."""
