"""Models behind servers with OpenAI's chat completions API."""
