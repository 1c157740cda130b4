"""Benchmark suites: episodes with their ground truth, scores, metrics. The agent never sees any of it."""
