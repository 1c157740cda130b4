"""Finds out what carries a recorded camera: a robot, and which frame is its base, or a person."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from stma_ros.sensing.bag_topics import first_frame
from stma_ros.sensing.frame_tree import FrameTree, growing_tree
from stma_ros.sensing.mapping_file import BagMapping
from stma_ros.sensing.topic_map import TopicMap
from stma_ros.storage.bag.reader import Bag
from stma_ros.types.errors import StorageError
from stma_ros.types.standard import Odometry

BASES = ("base_footprint", "base_link")
"""Names of a robot's base (REP-105, REP-120)."""

ODOM = "odom"

_OF_ROBOTS = {"base", "footprint", "chassis", "body", "robot", "trunk", "torso", "pelvis"}
_OF_CAMERAS = {
    *("camera", "cam", "optical", "rgb", "color", "depth", "stereo", "imager"),
    *("kinect", "openni", "realsense", "zed", "xtion", "orbbec", "astra", "oak"),
}
_OF_ROOMS = {"odom", "map", "world"}
"""Words in the names of coordinate frames."""


@dataclass(frozen=True)
class Carrier:
    """What carries a camera.

    Attributes:
        is_hand_held: Whether a person does; else a robot.
        odom: Frame in which it moves, where only transforms tell; empty = the usual one.
        base: Frame of the robot's base, or of the camera that is held, where only transforms tell; empty = the usual
            one.
        is_tracked: Whether odometry gives the pose of the camera itself, so that no transforms are needed.
        note: What was concluded, for people; empty = a usual robot.
    """

    is_hand_held: bool = False
    odom: str = ""
    base: str = ""
    is_tracked: bool = False
    note: str = ""


def find_carrier(bag: Bag, chosen: TopicMap, mapping: BagMapping) -> Carrier:
    """Finds out what carries the camera, by the names of the coordinate frames.

    The bag is read up to a robot's base; without one, all its transforms.

    Args:
        bag: The recording.
        chosen: Its topics.
        mapping: The mapping file. Its `hand_held` decides; a mount of the camera, or a base that is not the camera, is
            a robot's.
    """
    if mapping.camera is not None and not mapping.hand_held:
        return Carrier()
    camera = mapping.frames.camera.lstrip("/") or first_frame(bag, chosen.depth)
    given = mapping.frames.base.lstrip("/")
    if chosen.odometry:
        return _by_odometry(bag, chosen, mapping, camera, given)
    return _by_transforms(bag, chosen, mapping, camera, given if given != camera else "")


def is_mounted(bag: Bag, chosen: TopicMap, mapping: BagMapping) -> bool:
    """Returns whether the camera can be placed on what odometry tracks without transforms: the mapping file gives its
    mount, or odometry is of the camera itself."""
    if mapping.camera is not None or chosen.tf or not (chosen.odometry and chosen.depth):
        return mapping.camera is not None
    return find_carrier(bag, chosen, mapping).is_tracked


def _by_odometry(bag: Bag, chosen: TopicMap, mapping: BagMapping, camera: str, given: str) -> Carrier:
    """A camera whose pose odometry gives is hand-held, unless a base is connected with it."""
    tracked = given or first_child(bag, chosen.odometry)
    # Images that are said to be in a robot's base lack the mount of their camera.
    is_tracked = tracked == camera != "" and (bool(mapping.hand_held) or not _is_base(camera))
    if mapping.hand_held:
        return Carrier(True, is_tracked=is_tracked, note=_held_note("the mapping file says so"))
    is_given = mapping.hand_held is False or given not in ("", camera)
    if is_given or not (is_tracked or _is_camera(tracked)):
        return Carrier(is_tracked=is_tracked)
    for tree in growing_tree(bag, chosen):
        if any(map(_is_base, tree.connected(camera) | tree.connected(tracked))):
            return Carrier(is_tracked=is_tracked)
    return Carrier(True, is_tracked=is_tracked, note=_held_note(f"odometry is of {tracked!r}"))


def _by_transforms(bag: Bag, chosen: TopicMap, mapping: BagMapping, camera: str, given: str) -> Carrier:
    """The frame that moves in the room is a robot's base, unless it is a camera and no base is connected with it."""
    usual_bases, usual_odoms = {given or BASES[1], *BASES}, {ODOM, mapping.frames.map}
    tree = FrameTree()
    for tree in growing_tree(bag, chosen):
        connected = tree.connected(camera)
        if connected & usual_odoms and (mapping.hand_held or connected & usual_bases):
            break
    ancestors, connected = tree.ancestors(camera), tree.connected(camera)
    odom = _odom(ancestors, connected, mapping.frames.map)
    if mapping.hand_held:
        return Carrier(True, odom, camera, note=_held_note("the mapping file says so"))
    if given or not ancestors or connected & usual_bases:
        return Carrier(odom="" if connected & usual_odoms else odom)
    below = [camera, *ancestors]
    below = below[: below.index(odom)] if odom in below else below
    moving = (name for name in reversed(below) if tree.moves(name) and not _words(name) & _OF_ROOMS)
    mover = next(moving, "")
    named = filter(_is_base, [*reversed(below), *sorted(connected, key=lambda name: (len(name), name))])
    base = mover if mover != camera and not _is_camera(mover) else ""
    base = base or next(named, "")
    if not base and mapping.hand_held is None:
        reason = f"no frame connected with {camera!r} is named like a robot's base"
        return Carrier(True, odom, camera, note=_held_note(reason))
    base = base or mover or below[-1]
    return Carrier(odom=odom, base=base, note=_base_note(base, odom))


def _odom(ancestors: Sequence[str], connected: Collection[str], map_frame: str) -> str:
    """Returns the frame in which a camera moves: odom or the lowest frame above the camera that is named like it
    (robot1/odom), or else a map likewise, or else the highest frame; empty without ancestors."""
    for usual, word in ((ODOM, "odom"), (map_frame, "map")):
        named = [name for name in ancestors if word in _words(name)]
        if usual in connected or named:
            return usual if usual in connected else named[0]
    return ancestors[-1] if ancestors else ""


def _held_note(reason: str) -> str:
    return (
        f"the camera is taken to be hand-held, since {reason}: nothing is assumed of the floor around it "
        "(`hand_held: false` in a mapping file says that a robot carries it, `frames: {base: NAME}` names its base)"
    )


def _base_note(base: str, odom: str) -> str:
    return (
        f"the robot's base is taken to be {base!r}, which moves in {odom!r} (`frames: {{base: NAME}}` in a mapping "
        "file names another one, `hand_held: true` says that a person carries the camera)"
    )


def first_child(bag: Bag, topic: str) -> str:
    """Returns the frame whose pose odometry gives; empty if it does not name one."""
    for raw in bag.messages(on_damage=lambda damage: None, topics={topic}):
        try:
            return bag.decode(raw, Odometry).child_frame_id.lstrip("/")
        except StorageError:
            continue
    return ""


def _is_base(frame: str) -> bool:
    words = _words(frame)
    return bool(words & _OF_ROBOTS) and not words & (_OF_CAMERAS | _OF_ROOMS)


def _is_camera(frame: str) -> bool:
    return bool(_words(frame) & _OF_CAMERAS)


def _words(name: str) -> set[str]:
    return set(re.split(r"[^a-z]+", re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower()))
