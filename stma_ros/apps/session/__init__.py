"""A robot with its agent, in one process or on the ROS graph, as the commands use it."""
