"""Nodes, processes and deadlines for tests of the ROS runtime."""
