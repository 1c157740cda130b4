"""What things there can be: their sizes, colours, shapes and states."""
