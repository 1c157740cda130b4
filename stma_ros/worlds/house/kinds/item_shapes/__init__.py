"""How small things are built: standing on z = 0 around the origin, x to their front; the argument is the main colour.

What shows only while a vessel is full (`full_...`) or a device is on (`lit_...`) has a builder of its own.
"""
