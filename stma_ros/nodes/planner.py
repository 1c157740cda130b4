"""ros2 run stma_ros planner"""

from __future__ import annotations

from stma_ros.nodes.component import host


def main() -> None:
    host("planner")


if __name__ == "__main__":
    main()
