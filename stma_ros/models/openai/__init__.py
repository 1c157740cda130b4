"""Models behind a server that speaks OpenAI's chat completions."""
