"""Ways of holding the history of the task under way."""
