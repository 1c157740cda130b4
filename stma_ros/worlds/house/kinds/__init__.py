"""The kinds of things: their sizes, colours, shapes and states."""
