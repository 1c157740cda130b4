"""Hosting components as ROS 2 nodes: messages, parameters, quality of service, lifecycle, actions."""
