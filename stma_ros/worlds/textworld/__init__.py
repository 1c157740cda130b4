"""Text games, played through TextWorld's engine."""
