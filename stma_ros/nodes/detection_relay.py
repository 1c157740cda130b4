"""ros2 run stma_ros detection_relay"""

from __future__ import annotations

from stma_ros.ros.detection_relay import DetectionRelay
from stma_ros.ros.spin import spin


def main() -> None:
    spin(DetectionRelay)


if __name__ == "__main__":
    main()
