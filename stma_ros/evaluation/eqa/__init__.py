"""The suite `eqa`: questions about unknown homes, answered by exploring."""
