"""Finds out whether a recorded camera is carried by a person: then no frame of a robot's base exists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from stma_ros.sensing.mapping_file import BagMapping
from stma_ros.sensing.topic_map import TopicMap
from stma_ros.storage.bag.reader import Bag
from stma_ros.storage.cdr import header_frame
from stma_ros.types.errors import StorageError
from stma_ros.types.standard import Odometry, TFMessage

_OF_ROBOTS = {"base", "footprint", "chassis", "body", "robot", "trunk", "torso", "pelvis"}
_OF_CAMERAS = {"camera", "cam", "optical", "rgb", "color", "depth", "kinect", "openni", "realsense", "zed"}
"""Words in the names of coordinate frames."""

ODOM = "odom"


@dataclass(frozen=True)
class HandHeld:
    """A camera without a robot.

    Attributes:
        odom: Name of the frame in which the camera moves; empty = the frame of the odometry.
        reason: How that is known, as a clause.
        is_tracked: Whether odometry gives the pose of the camera itself, so that no transforms are needed.
    """

    odom: str
    reason: str
    is_tracked: bool = False

    @property
    def note(self) -> str:
        """Says what follows from it."""
        return (
            f"the camera is taken to be hand-held, since {self.reason}: nothing is assumed of the floor around it "
            "(`hand_held: false` in a mapping file says that a robot carries it)"
        )


def find_hand_held(bag: Bag, chosen: TopicMap, mapping: BagMapping) -> HandHeld | None:
    """Looks for a frame of a robot's base. The bag is read up to the first one; without one, to its end.

    Args:
        bag: The recording.
        chosen: Its topics.
        mapping: The mapping file. Its `hand_held` decides; a mount of the camera or a name of the base that it gives
            is a robot's.

    Returns:
        None if the camera is a robot's.
    """
    if mapping.hand_held is False:
        return None
    if mapping.hand_held is None and (mapping.camera is not None or mapping.frames.base):
        return None
    search = _Search(bag, chosen, mapping)
    search.read()
    odom = mapping.frames.odom or search.odom
    if mapping.hand_held:
        return HandHeld(odom, "the mapping file says so", search.is_tracked)
    if search.is_robot:
        return None
    reason = f"no frame above {search.camera!r} is named like a robot's base"
    if chosen.odometry:
        reason = f"odometry is of {search.tracked!r}"
    return HandHeld(odom, reason, search.is_tracked)


def is_mounted(bag: Bag, chosen: TopicMap, mapping: BagMapping) -> bool:
    """Returns whether the camera can be placed on what odometry tracks without transforms: the mapping file gives its
    mount, or odometry is of the camera itself."""
    if mapping.camera is not None or chosen.tf or not (chosen.odometry and chosen.depth):
        return mapping.camera is not None
    found = find_hand_held(bag, chosen, mapping)
    return found is not None and found.is_tracked


class _Search:
    """Reads the names of coordinate frames from a bag.

    Attributes:
        camera: Frame of the depth images; empty before the first one.
        tracked: Frame whose pose odometry gives; empty without odometry.
    """

    def __init__(self, bag: Bag, chosen: TopicMap, mapping: BagMapping) -> None:
        self._bag = bag
        self._chosen = chosen
        self._decided = mapping.hand_held is not None
        self._map = mapping.frames.map
        self._parents: dict[str, str] = {}
        self.camera = mapping.frames.camera.lstrip("/")
        self.tracked = ""
        self._has_odometry = False

    def read(self) -> None:
        """Reads until a robot is found or everything is known."""
        chosen = self._chosen
        names = {name for name in (chosen.depth, chosen.odometry, chosen.tf, chosen.tf_static) if name}
        for raw in self._bag.messages(on_damage=lambda damage: None, topics=names):
            try:
                if raw.topic == chosen.depth:
                    self.camera = self.camera or header_frame(raw.data).lstrip("/")
                elif raw.topic == chosen.odometry:
                    if not self._has_odometry:
                        self.tracked = self._bag.decode(raw, Odometry).child_frame_id.lstrip("/")
                        self._has_odometry = True
                elif not self._add(self._bag.decode(raw, TFMessage)):
                    continue
            except StorageError:
                continue  # undecodable messages are counted when frames are made
            if self._is_finished:
                return

    @property
    def is_tracked(self) -> bool:
        return bool(self.tracked) and self.tracked == self.camera

    @property
    def is_robot(self) -> bool:
        """Whether a robot carries the camera, as far as has been read; also where nothing is known."""
        ancestors = self._ancestors()
        if _has_base(ancestors):
            return True
        if self._chosen.odometry:
            return not self.is_tracked and (
                _has_base([self.tracked]) or not _words(self.tracked) & _OF_CAMERAS
            )
        return not ancestors

    @property
    def odom(self) -> str:
        """The frame in which the camera moves: odom or the map above it, or else the highest frame."""
        ancestors = self._ancestors()
        if self._chosen.odometry or not ancestors:
            return ""
        return next((name for name in (ODOM, self._map) if name in ancestors), ancestors[-1])

    @property
    def _is_finished(self) -> bool:
        chosen = self._chosen
        if not self.camera:
            return False
        if chosen.odometry:
            is_clear = self._decided or self.is_robot or not (chosen.tf or chosen.tf_static)
            return self._has_odometry and is_clear
        return not self._decided and _has_base(self._ancestors())

    def _add(self, message: TFMessage) -> bool:
        """Returns whether there is a new link among the transforms."""
        links: Mapping[str, str] = {
            each.child_frame_id.lstrip("/"): each.header.frame_id.lstrip("/") for each in message.transforms
        }
        is_new = any(self._parents.get(child) != parent for child, parent in links.items())
        self._parents.update(links)
        return is_new

    def _ancestors(self) -> list[str]:
        found: list[str] = []
        parent = self._parents.get(self.camera)
        while parent is not None and parent not in found:
            found.append(parent)
            parent = self._parents.get(parent)
        return found


def _has_base(frames: Iterable[str]) -> bool:
    return any(_words(name) & _OF_ROBOTS for name in frames)


def _words(name: str) -> set[str]:
    return set(re.split(r"[^a-z]+", name.lower()))
