"""Sessions: an agent and its robot, in one process or on the ROS graph."""
