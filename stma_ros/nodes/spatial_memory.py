"""ros2 run stma_ros spatial_memory"""

from __future__ import annotations

from stma_ros.agents.registry import AGENTS
from stma_ros.ros.memory_host import MemoryHost
from stma_ros.ros.spin import spin


def main() -> None:
    spin(lambda: MemoryHost(AGENTS))


if __name__ == "__main__":
    main()
