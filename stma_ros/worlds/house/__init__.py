"""The embedded simulator: procedural flats, ray-cast RGB-D, a base that collides. No GPU, nothing to
download."""
