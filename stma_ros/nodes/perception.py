"""ros2 run stma_ros perception"""

from __future__ import annotations

from stma_ros.nodes.component import host


def main() -> None:
    host("perception")


if __name__ == "__main__":
    main()
