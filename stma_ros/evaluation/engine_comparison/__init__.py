"""Two engines in the same flats: what their cameras and bodies say, compared."""
