"""The simulated detector: what it makes of a rendered image, with the errors of a real one."""
