"""Chat models and servers for tests of model calls."""
