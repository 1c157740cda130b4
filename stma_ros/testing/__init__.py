"""What ships for testers: a stand-in for a model's server, and the conformance suite of worlds."""
