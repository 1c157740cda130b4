"""ros2 run stma_ros visual_memory"""

from __future__ import annotations

from stma_ros.nodes.component import host


def main() -> None:
    host("visual_memory")


if __name__ == "__main__":
    main()
