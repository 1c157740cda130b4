"""Rules and prompts for text adventures whose story is not known."""
