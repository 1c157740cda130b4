"""ros2 run stma_ros habitat_bridge"""

from __future__ import annotations

from rclpy.parameter import Parameter

from stma_ros.nodes.sim_bridge import about
from stma_ros.ros.bridge import WorldBridge
from stma_ros.ros.spin import spin
from stma_ros.worlds.registry import make_world


def main() -> None:
    world = [Parameter("world", value="habitat")]
    spin(lambda: WorldBridge(make_world, about, "habitat_bridge", parameter_overrides=world))


if __name__ == "__main__":
    main()
