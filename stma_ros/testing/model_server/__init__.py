"""A server of the chat API behind which the rules answer: a model for tests and demos, without weights."""
