"""ros2 run stma_ros experience_memory"""

from __future__ import annotations

from stma_ros.nodes.component import host


def main() -> None:
    host("experience_memory")


if __name__ == "__main__":
    main()
