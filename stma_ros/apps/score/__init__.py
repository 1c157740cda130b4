"""`stma score`: measures and compares recorded runs."""
