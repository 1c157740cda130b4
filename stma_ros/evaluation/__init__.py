"""Benchmark suites: episodes with their ground truth, scores, metrics. None of it is visible to the agent."""
