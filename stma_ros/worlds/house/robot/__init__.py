"""The robot in the flat: how it drives, what its arm reaches and does, and what goes wrong."""
