"""The suite of text adventures."""
