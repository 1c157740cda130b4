"""ros2 run stma_ros recorder"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rclpy.qos import QoSProfile

from stma_ros.agents.wiring import WIRINGS
from stma_ros.ros.recorder import Recorder
from stma_ros.ros.spin import spin
from stma_ros.storage.bag_metadata import StoredQos
from stma_ros.storage.bag_writer import BagWriter


def open_bag(folder: Path, topics: Mapping[str, tuple[str, QoSProfile]]) -> BagWriter:
    writer = BagWriter(folder)
    for name, (ros_type, profile) in topics.items():
        stored = StoredQos(
            profile.history.short_key,
            profile.depth,
            profile.reliability.short_key,
            profile.durability.short_key,
        )
        writer.add_topic(name, ros_type, (stored,))
    writer.flush()
    return writer


def main() -> None:
    spin(lambda: Recorder(open_bag, WIRINGS))


if __name__ == "__main__":
    main()
