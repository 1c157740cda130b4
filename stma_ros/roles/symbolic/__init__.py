"""Roles answered by rules: deterministic and offline."""
