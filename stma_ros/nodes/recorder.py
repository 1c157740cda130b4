"""ros2 run stma_ros recorder"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from stma_ros.agents.registry import AGENTS
from stma_ros.ros.recorder import Offers, Recorder
from stma_ros.ros.spin import spin
from stma_ros.storage.bag.metadata import StoredQos
from stma_ros.storage.bag.writer import BagWriter
from stma_ros.storage.recording import RecordingConfig


def open_bag(folder: Path, topics: Offers, about: Mapping[str, str], config: RecordingConfig) -> BagWriter:
    writer = BagWriter(folder, about, config=config)
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
    spin(lambda: Recorder(open_bag, AGENTS))


if __name__ == "__main__":
    main()
