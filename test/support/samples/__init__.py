"""What a user adds to this package: an agent, a role, a detector. Tests run them, CONTRIBUTING.md shows them."""
