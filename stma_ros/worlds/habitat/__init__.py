"""The world `habitat`: the simulated robot in scenes that habitat-sim renders."""
