"""Types that all layers share: messages, which mirror the ROS interfaces, interfaces, topics, errors and settings.

The fields of messages, with units and frames, are documented in the .msg files.
"""
