"""Builds small things, standing on z = 0 around the origin, x to their front; the argument is the main colour.

Parts that are visible only while a vessel is full (`full_...`) or a device is on (`lit_...`) have builders of their
own.
"""
