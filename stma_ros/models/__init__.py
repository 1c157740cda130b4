"""Models behind ports: what turns text into vectors, and what answers in text."""
