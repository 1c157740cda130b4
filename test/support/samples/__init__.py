"""Extensions as a user adds them: an agent, a role, a detector. Tests run them, CONTRIBUTING.md shows them."""
