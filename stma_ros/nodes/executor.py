"""ros2 run stma_ros executor"""

from __future__ import annotations

from stma_ros.nodes.component import host


def main() -> None:
    host("executor")


if __name__ == "__main__":
    main()
