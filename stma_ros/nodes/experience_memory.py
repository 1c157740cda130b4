"""ros2 run stma_ros experience_memory"""

from __future__ import annotations

from stma_ros.agents.registry import AGENTS
from stma_ros.ros.host import ComponentHost
from stma_ros.ros.spin import spin


def main() -> None:
    spin(lambda: ComponentHost("experience_memory", AGENTS))


if __name__ == "__main__":
    main()
