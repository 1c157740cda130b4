"""Entry points of the nodes. Importing this package raises MissingRosError without ROS 2."""

from stma_ros.ros.availability import require_ros

require_ros()
