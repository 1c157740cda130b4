"""ros2 run stma_ros spatial_memory"""

from __future__ import annotations

from stma_ros.agents.wiring import WIRINGS
from stma_ros.ros.memory_host import MemoryHost
from stma_ros.ros.spin import spin


def main() -> None:
    spin(lambda: MemoryHost(WIRINGS))


if __name__ == "__main__":
    main()
