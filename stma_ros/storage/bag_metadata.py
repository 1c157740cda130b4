"""metadata.yaml of a rosbag2 folder: what is in the bag, for tools that do not want to open it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from stma_ros.storage.files import write_atomically
from stma_ros.types.errors import StorageError

METADATA_FILE = "metadata.yaml"
_VERSION = 9  # of the layout: ROS 2 Jazzy, Kilted
_INFINITE = {"sec": 9223372036, "nsec": 854775807}  # as rmw spells "no limit"


@dataclass(frozen=True)
class StoredQos:
    """A publisher's QoS profile with rosbag2's names: "keep_last", "reliable", "transient_local", ..."""

    history: str = "keep_last"
    depth: int = 10
    reliability: str = "reliable"
    durability: str = "volatile"

    def as_dict(self) -> dict[str, Any]:
        """All the fields rosbag2 expects; those that are not stored here have their defaults."""
        return {
            "history": self.history,
            "depth": self.depth,
            "reliability": self.reliability,
            "durability": self.durability,
            "deadline": dict(_INFINITE),
            "lifespan": dict(_INFINITE),
            "liveliness": "automatic",
            "liveliness_lease_duration": dict(_INFINITE),
            "avoid_ros_namespace_conventions": False,
        }


@dataclass
class BagTopic:
    """A topic of a bag, as its metadata lists it. `type_hash` as in REP-2011."""

    name: str
    ros_type: str
    type_hash: str
    qos: tuple[StoredQos, ...]
    message_count: int = 0


def write_metadata(
    folder: Path,
    bag_file: str,
    topics: Sequence[BagTopic],
    span: tuple[int, int] | None,
    custom: Mapping[str, str],
) -> None:
    """Writes metadata.yaml; `span` is the first and the last log time [ns], None without messages."""
    start, end = span or (0, 0)
    extent = {
        "starting_time": {"nanoseconds_since_epoch": start},
        "duration": {"nanoseconds": end - start},
        "message_count": sum(topic.message_count for topic in topics),
    }
    information = {
        "version": _VERSION,
        "storage_identifier": "mcap",
        "relative_file_paths": [bag_file],
        **extent,
        "topics_with_message_count": [_topic(topic) for topic in topics],
        "compression_format": "",
        "compression_mode": "",
        "files": [{"path": bag_file, **extent}],
        "custom_data": dict(custom) or None,
        "ros_distro": "kilted",
    }
    text = yaml.dump({"rosbag2_bagfile_information": information}, Dumper=_PlainDumper, sort_keys=False)
    write_atomically(folder / METADATA_FILE, text)


def read_metadata(folder: Path) -> dict[str, Any]:
    """What metadata.yaml says of the bag; raises StorageError where it is missing or makes no sense."""
    path = folder / METADATA_FILE
    try:
        information = yaml.safe_load(path.read_text(encoding="utf-8"))["rosbag2_bagfile_information"]
        _ = (information["storage_identifier"], information["relative_file_paths"][0])
    except FileNotFoundError as error:
        raise StorageError(f"{folder} is no bag: it has no {METADATA_FILE}; name a run's folder") from error
    except (OSError, yaml.YAMLError, KeyError, TypeError, IndexError, UnicodeDecodeError) as error:
        raise StorageError(
            f"{path} cannot be read ({error}); `ros2 bag reindex` rewrites it, or name the .mcap file"
        ) from error
    return dict(information)


def _topic(topic: BagTopic) -> dict[str, Any]:
    about = {
        "name": topic.name,
        "type": topic.ros_type,
        "serialization_format": "cdr",
        "offered_qos_profiles": [qos.as_dict() for qos in topic.qos],
        "type_description_hash": topic.type_hash,
    }
    return {"topic_metadata": about, "message_count": topic.message_count}


class _PlainDumper(yaml.SafeDumper):
    """Without anchors, which the YAML readers of some bag tools do not follow."""

    def ignore_aliases(self, data: Any) -> bool:
        return True
