"""The simulated robot, the same in every world: driving, grasping, skills, noise and sensor messages.

A world supplies a Scene (objects and free space) and a CameraRenderer (images).
"""
