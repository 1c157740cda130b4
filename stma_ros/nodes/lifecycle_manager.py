"""ros2 run stma_ros lifecycle_manager"""

from __future__ import annotations

from stma_ros.ros.lifecycle_manager import LifecycleManager
from stma_ros.ros.spin import spin


def main() -> None:
    spin(LifecycleManager)


if __name__ == "__main__":
    main()
