"""The `stma` command."""
