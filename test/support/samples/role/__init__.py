"""A role with a prompt, rules and a stand-in for a model."""
