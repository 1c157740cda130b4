"""ros2 run stma_ros executor"""

from __future__ import annotations

from stma_ros.agents.registry import AGENTS
from stma_ros.ros.executor_host import ExecutorHost
from stma_ros.ros.spin import spin


def main() -> None:
    spin(lambda: ExecutorHost(AGENTS))


if __name__ == "__main__":
    main()
