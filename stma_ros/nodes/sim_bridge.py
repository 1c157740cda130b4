"""ros2 run stma_ros sim_bridge"""

from __future__ import annotations

from stma_ros.agents.wiring import COMPONENTS
from stma_ros.ros.bridge import WorldBridge
from stma_ros.ros.spin import spin
from stma_ros.worlds.registry import make_world, world_entry


def main() -> None:
    spin(lambda: WorldBridge(make_world, lambda name: world_entry(name).config, COMPONENTS))


if __name__ == "__main__":
    main()
