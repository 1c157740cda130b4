"""Flats in which activities of the package `bddl` can be done."""
