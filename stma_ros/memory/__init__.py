"""Memory: the scene graph of what was seen, the knowledge graph, and general knowledge of categories."""
