"""Games of text, played through TextWorld's engine."""
