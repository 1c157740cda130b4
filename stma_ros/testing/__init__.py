"""Tools for testers: a stand-in for a model server, and the conformance suite of worlds."""
