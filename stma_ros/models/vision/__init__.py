"""Networks that find objects in images, in this process."""
