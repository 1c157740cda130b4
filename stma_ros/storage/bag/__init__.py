"""Bags in rosbag2's layout: what they say of themselves, read and written."""
