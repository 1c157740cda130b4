"""Our flats as scene data sets of habitat-sim."""
