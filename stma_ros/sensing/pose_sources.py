"""Finds out where the poses of a recording come from, before its frames are made."""

from __future__ import annotations

import math
from dataclasses import dataclass

from stma_ros.sensing.bag_topics import first_frame
from stma_ros.sensing.carrier import BASES, ODOM, Carrier, find_carrier, first_child
from stma_ros.sensing.frame_tree import FrameTree, growing_tree
from stma_ros.sensing.mapping_file import BagMapping, Frames
from stma_ros.sensing.odometry_check import Difference, odometry_difference
from stma_ros.sensing.topic_map import TopicMap
from stma_ros.storage.bag.reader import Bag


@dataclass(frozen=True)
class PoseSources:
    """Where the poses of a recording come from.

    Attributes:
        carrier: What carries the camera.
        frames: Names of coordinate frames.
        has_odometry: Whether odometry gives the pose of the base; otherwise transforms do.
        is_localized: Whether transforms tell, at some time, where the odometry frame is in the map.
        note: What was concluded of odometry and transforms, for people; empty = they agree.
    """

    carrier: Carrier
    frames: Frames
    has_odometry: bool
    is_localized: bool
    note: str = ""


def find_pose_sources(bag: Bag, chosen: TopicMap, mapping: BagMapping) -> PoseSources:
    """Finds out where the poses come from.

    Where transforms link the two frames of odometry as well, and both differ, these are two estimates (of the wheels
    and of a filter, say). Localisation and the camera's mount belong to the one of the transforms, which is taken.

    Args:
        bag: The recording. Its transforms are read, and its odometry if transforms link the same frames.
        chosen: Its topics.
        mapping: What the mapping file says of it.
    """
    carrier = find_carrier(bag, chosen, mapping)
    frames = mapping.frames
    recorded = carrier.odom, carrier.base
    if chosen.odometry:
        recorded = first_frame(bag, chosen.odometry), first_child(bag, chosen.odometry)
    odom = (frames.odom or recorded[0] or ODOM).lstrip("/")
    base = (frames.base or recorded[1] or BASES[1]).lstrip("/")
    is_localized = is_linked = False
    for tree in growing_tree(bag, chosen):
        is_localized = is_localized or frames.map in tree.ancestors(odom)
        is_linked = is_linked or not chosen.odometry or _moves_in(tree, base, odom)
        if is_localized and is_linked:
            break
    if not chosen.odometry or not is_linked:
        return PoseSources(carrier, frames, bool(chosen.odometry), is_localized)
    found = odometry_difference(bag, chosen, mapping, odom, base)
    if found is None:
        return PoseSources(carrier, frames, True, is_localized)
    is_asked = bool(mapping.topics.odometry)
    note = _difference_note(chosen, odom, base, found, is_asked)
    if is_asked:
        return PoseSources(carrier, frames, True, is_localized, note)
    linked = frames.model_copy(update={"odom": odom, "base": base})
    return PoseSources(carrier, linked, False, is_localized, note)


def _moves_in(tree: FrameTree, base: str, odom: str) -> bool:
    """Returns whether the odometry frame is above the base, and a link between them moves."""
    above = tree.ancestors(base)
    return odom in above and any(map(tree.moves, [base, *above[: above.index(odom)]]))


def _difference_note(chosen: TopicMap, odom: str, base: str, found: Difference, is_asked: bool) -> str:
    taken = (
        f"odometry is taken, since the mapping file names it, though localisation and mount belong to {chosen.tf}"
        if is_asked
        else f"{chosen.tf} is taken, to which localisation and mount belong (`topics: {{odometry: {chosen.odometry}}}` "
        "in a mapping file takes odometry all the same)"
    )
    return (
        f"{chosen.odometry} and {chosen.tf} tell different poses of {base!r} in {odom!r}, {found.distance:.2f} m and "
        f"{math.degrees(found.angle):.0f} degrees apart at one time: {taken}"
    )
