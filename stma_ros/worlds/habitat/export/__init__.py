"""Exports flats of the world `house` as scene data sets of habitat-sim."""
