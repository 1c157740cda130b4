"""The world `habitat`: the same robot in scenes that habitat-sim draws."""
