"""ros2 run stma_ros visualizer"""

from __future__ import annotations

from stma_ros.ros.spin import spin
from stma_ros.ros.visualizer import Visualizer


def main() -> None:
    spin(Visualizer)


if __name__ == "__main__":
    main()
