"""A server with OpenAI's chat API that answers by rules: a model without weights for tests and demos."""
