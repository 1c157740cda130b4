"""The vocabulary: frozen messages that mirror the ROS interfaces, ports, topics and errors."""
