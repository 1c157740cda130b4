"""The embedded simulator: procedural flats, ray-cast RGB-D, a base that collides. It needs neither a GPU nor
downloads."""
