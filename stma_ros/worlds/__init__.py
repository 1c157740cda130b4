"""The worlds that an agent can live in. Each knows only the vocabulary (types)."""
