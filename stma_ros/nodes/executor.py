"""ros2 run stma_ros executor"""

from __future__ import annotations

from stma_ros.agents.wiring import WIRINGS
from stma_ros.ros.executor_host import ExecutorHost
from stma_ros.ros.spin import spin


def main() -> None:
    spin(lambda: ExecutorHost(WIRINGS))


if __name__ == "__main__":
    main()
