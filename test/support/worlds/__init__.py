"""Worlds, engines and scene data sets for tests of worlds."""
