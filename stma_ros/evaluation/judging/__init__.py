"""How well a judge tells sound runs from corrupted ones."""
