"""Rules for text worlds: rooms with exits, objects in and on other objects, and a recipe to follow."""
