"""Entry points: which component or world, in which host. Importing it raises MissingRosError without ROS 2."""

from stma_ros.ros.availability import require_ros

require_ros()
