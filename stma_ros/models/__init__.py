"""Models behind ports: what turns text into vectors."""
