"""Takes camera frames and detections into a place memory, in the order of their stamps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from types import MappingProxyType

from stma_ros.library.scene.place_memory import PlaceMemory
from stma_ros.mapping.building_map import Base, BuildingMap
from stma_ros.mapping.map_correction import MapCorrection
from stma_ros.mapping.transforms import message_of
from stma_ros.mapping.visibility import box_visibility
from stma_ros.memory.keyframe_observation import KeyframeObservation
from stma_ros.sensing.camera_frame import CameraFrame, DepthView
from stma_ros.sensing.pose_jump_filter import PoseJumpFilter
from stma_ros.types.errors import PoseJumpError
from stma_ros.types.scene_graph import Relation
from stma_ros.types.sensing import KeyframeDetections
from stma_ros.types.standard import Pose

_NOWHERE: Mapping[int, Pose] = MappingProxyType({})

MAX_PENDING_FRAMES = 128
"""Largest number of frames with known detections that wait to be mapped; beyond it the oldest are mapped without a
request."""

MAX_UNDETECTED_FRAMES = 640
"""Largest number of frames that wait for their detections: more than perception lets wait. What is detected in frames
that were mapped before has no view, so that nothing that it lacks counts as absent."""


MAX_TRIED_FRAMES = 640
"""Largest number of frames that are mapped again if a loaded memory turns out to be of another place, the newest ones.
A camera that stands may see nothing for long by which to tell."""


def base_of(pose: Pose) -> Base:
    """Returns the position of a base as the map takes it."""
    return pose.position.x, pose.position.y, pose.position.z


def integrate(frame: CameraFrame, into: BuildingMap) -> MapCorrection | None:
    """Adds a frame with a pose to a map: what its depth image shows, and where the robot stood, if there is one.

    Returns:
        How the map was corrected, where the frame's localization jumped.
    """
    pose, view = frame.pose, frame.view
    assert pose is not None
    base = base_of(pose.base)
    if view is None:
        if pose.has_base:
            into.mark_robot(base)
        return None
    return into.integrate(
        view.depth_mm,
        view.camera,
        view.camera_pose,
        base,
        frame.stamp.nanoseconds,
        view.localization,
        stands=pose.has_base,
    )


class FrameMapper:
    """Stores frames and detections until they are mapped, and maps each at its own time.

    During the trial of a loaded memory it stores the mapped frames as well: if the memory turns out to be of another
    place, they are all mapped again.

    Attributes:
        base: Pose of the robot's base at the last frame, in the map.
        frame_id: Name of the map's frame; empty before the first frame.
    """

    def __init__(self, place: PlaceMemory, max_speed: float) -> None:
        """Makes a mapper.

        Args:
            place: The memory that is updated.
            max_speed: Largest speed of the base [m/s].
        """
        self._place = place
        self._max_speed = max_speed
        self._jumps = PoseJumpFilter(max_speed)
        self._frames: dict[int, CameraFrame] = {}
        self._updates: dict[int, KeyframeDetections] = {}
        self._tried_frames: dict[int, CameraFrame] = {}
        self._tried_updates: dict[int, KeyframeDetections] = {}
        self._seen: dict[int, DepthView | None] = {}  # what keyframes show whose detections may be revised
        self._revisions: dict[int, KeyframeDetections] = {}
        self._arrived_up_to = -1
        self._looked_up_to = -1
        self.base = Pose()
        self.frame_id = ""

    @property
    def complete_up_to(self) -> int:
        """The stamp [ns] up to which both frames and detections have come."""
        return max(0, min(self._arrived_up_to, self._looked_up_to))

    def add_frame(self, frame: CameraFrame) -> None:
        """Takes a frame; one that is not newer than the newest is passed over. Of a frame that cannot be used, where
        the robot stood is known as a rule."""
        if frame.stamp.nanoseconds <= self._arrived_up_to:
            return
        self._arrived_up_to = frame.stamp.nanoseconds
        if frame.pose is None:
            return
        self._frames[self._arrived_up_to] = frame
        while self._is_full():
            self.map_up_to(min(self._frames))

    def _is_full(self) -> bool:
        is_detected = min(self._frames) <= self._looked_up_to
        return len(self._frames) > (MAX_PENDING_FRAMES if is_detected else MAX_UNDETECTED_FRAMES)

    def add_detections(self, update: KeyframeDetections) -> None:
        """Takes the detections of a frame, or a revision of those of an earlier one, which is merged when frames are
        mapped next; others that are not newer than the newest are ignored."""
        stamp = update.header.stamp.nanoseconds
        if stamp > self._looked_up_to:
            self._updates[stamp] = update
            self._looked_up_to = update.processed_until.nanoseconds
        elif update.revision:
            for waiting in (self._updates, self._tried_updates):
                if stamp in waiting:
                    waiting[stamp] = update
            if stamp in self._seen:
                self._revisions[stamp] = update

    def map_up_to(
        self, watermark: int, facts: Iterable[Relation] = (), put_at: Mapping[int, Pose] = _NOWHERE
    ) -> None:
        """Maps frames, merges keyframes and applies facts, each from when it may have begun to hold: the frame at the
        end of an action shows its effect.

        Args:
            watermark: stamp of the last frame to be mapped [ns].
            facts: that follow from actions.
            put_at: where the robot put something down, by the stamp of the fact [ns].
        """
        self.revise()
        facts = tuple(facts)
        due = sorted(facts, key=lambda fact: fact.first_seen.nanoseconds)
        stamps = sorted(stamp for stamp in {*self._frames, *self._updates} if stamp <= watermark)
        if stamps:
            self._place.begin(stamps[0])
        if self._place.on_trial:
            # A frame that shows nothing is no evidence of the place, and there may be any number of them.
            tried = {stamp: self._frames[stamp] for stamp in stamps if stamp in self._frames}
            self._tried_frames |= {stamp: frame for stamp, frame in tried.items() if frame.view is not None}
            self._tried_updates |= {stamp: self._updates[stamp] for stamp in stamps if stamp in self._updates}
            for stored in (self._tried_frames, self._tried_updates):
                for stamp in sorted(stored)[:-MAX_TRIED_FRAMES]:
                    del stored[stamp]
        for stamp in stamps:
            try:
                view = self._map(self._frames.pop(stamp)) if stamp in self._frames else None
            except PoseJumpError:
                self._updates.pop(stamp, None)
                raise
            while due and due[0].first_seen.nanoseconds <= stamp:
                fact = due.pop(0)
                self._place.timeline.add_fact(fact, put_at.get(fact.last_seen.nanoseconds))
            update = self._updates.pop(stamp, None)
            if update is not None and update.keyframe:
                self._merge(update, view)
        for fact in due:
            self._place.timeline.add_fact(fact, put_at.get(fact.last_seen.nanoseconds))
        if self._place.is_elsewhere():
            self._frames |= self._tried_frames
            self._updates |= {
                stamp: update
                for stamp, update in self._tried_updates.items()
                if stamp > self._place.forgotten_up_to
            }
            self._jumps = PoseJumpFilter(self._max_speed)
            self._seen.clear()
            self.map_up_to(watermark, facts, put_at)
        elif not self._place.on_trial:
            self._tried_frames.clear()
            self._tried_updates.clear()

    def _merge(self, update: KeyframeDetections, view: DepthView | None) -> None:
        self._place.timeline.merge(_keyframe(update, view), may_be_revised=update.awaits_answer)
        if update.awaits_answer:
            self._seen[update.header.stamp.nanoseconds] = view
            self._drop_settled()

    def revise(self) -> None:
        """Revises the keyframes whose detections have come late, as `map_up_to` does first."""
        come, self._revisions = self._revisions, {}
        due = {stamp: come[stamp] for stamp in sorted(come) if stamp in self._seen}
        if due:
            self._place.revise(
                [_keyframe(update, self._seen[stamp]) for stamp, update in due.items() if update.keyframe],
                [stamp for stamp, update in due.items() if not update.keyframe],
            )
            self._drop_settled()

    def _drop_settled(self) -> None:
        for stamp in self._seen.keys() - self._place.timeline.open_stamps:
            del self._seen[stamp]

    def _map(self, frame: CameraFrame) -> DepthView | None:
        """Returns what the frame shows, if it can be used."""
        pose, view = frame.pose, frame.view
        assert pose is not None
        try:
            self._jumps.check(pose)
        except PoseJumpError:
            # Whoever picks keyframes says why, or knows other frames and has accepted the pose.
            self._updates.pop(frame.stamp.nanoseconds, None)
            return None
        self.base, self.frame_id = pose.base, pose.frame_id
        self._place.base = base_of(pose.base)
        if view is not None:
            self._place.look(view, pose.base.position.z, frame.stamp)
        restarts = self._place.map.restarts
        correction = integrate(frame, self._place.map)
        if self._place.map.restarts > restarts:
            self._place.suspect()
        if correction is not None:
            self._place.timeline.correct(lambda stamp: correction.at(stamp.nanoseconds))
        return view


def _keyframe(update: KeyframeDetections, view: DepthView | None) -> KeyframeObservation:
    stamp = update.header.stamp
    if view is None:
        return KeyframeObservation(stamp, update.detections, picture=update.picture)
    visibility_test = partial(box_visibility, view.depth_mm, view.camera, view.camera_pose)
    return KeyframeObservation(
        stamp,
        update.detections,
        view.camera_pose[:3, 3].copy(),
        visibility_test,
        update.picture,
        camera=message_of(view.camera_pose),
        recalls={look.source: look.recall for look in update.looks},
        relations=update.relations,
    )
