"""A recorded run, driven through the components once more, or a robot's own recording for the first time."""
