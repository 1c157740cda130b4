"""The prompts, as files of text."""
