"""Models of the transformers library, in this process."""
