"""ros2 run stma_ros critic"""

from __future__ import annotations

from stma_ros.nodes.component import host


def main() -> None:
    host("critic")


if __name__ == "__main__":
    main()
