"""Finds out where the poses of a recording come from, before its frames are made."""

from __future__ import annotations

from dataclasses import dataclass

from stma_ros.sensing.bag_topics import first_frame
from stma_ros.sensing.carrier import ODOM, Carrier, find_carrier
from stma_ros.sensing.frame_tree import growing_tree
from stma_ros.sensing.mapping_file import BagMapping
from stma_ros.sensing.topic_map import TopicMap
from stma_ros.storage.bag.reader import Bag


@dataclass(frozen=True)
class PoseSources:
    """Where the poses of a recording come from.

    Attributes:
        carrier: What carries the camera.
        is_localized: Whether transforms tell, at some time, where the odometry frame is in the map.
    """

    carrier: Carrier
    is_localized: bool


def find_pose_sources(bag: Bag, chosen: TopicMap, mapping: BagMapping) -> PoseSources:
    """Finds out where the poses come from; transforms are read up to the one that places the odometry frame in the map.

    Args:
        bag: The recording.
        chosen: Its topics.
        mapping: What the mapping file says of it.
    """
    carrier = find_carrier(bag, chosen, mapping)
    recorded = first_frame(bag, chosen.odometry) if chosen.odometry else carrier.odom
    odom = mapping.frames.odom or recorded.lstrip("/") or ODOM
    is_localized = any(mapping.frames.map in tree.ancestors(odom) for tree in growing_tree(bag, chosen))
    return PoseSources(carrier, is_localized)
