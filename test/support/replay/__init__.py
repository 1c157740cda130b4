"""Recorded runs for tests of replays."""
