"""Text worlds, by rules: rooms with exits, things in and on other things, a recipe to be followed."""
