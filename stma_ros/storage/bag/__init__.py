"""Reads and writes bags in rosbag2's layout."""
