"""Visual memory: pictures that are kept as evidence, and views of frontiers."""
