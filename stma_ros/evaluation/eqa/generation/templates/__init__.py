"""The templates of questions, one module for each category."""
