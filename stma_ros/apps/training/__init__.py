"""`stma train`: trains the network that finds the things of the world `house`."""
