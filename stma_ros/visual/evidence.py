"""Draws from where the kept snapshots were taken, and the pictures that an answer rests on."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from string import ascii_uppercase

import numpy as np

from stma_ros.mapping.camera import PinholeCamera
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.nouns import listed
from stma_ros.types.exploration import Snapshot, VisualBelief
from stma_ros.types.message import Message
from stma_ros.types.planning import Evidence, Task, TaskResult
from stma_ros.types.sensing import Detection, KeyframeDetections
from stma_ros.types.standard import CameraInfo, Pose
from stma_ros.visual import colours, paths
from stma_ros.visual.contact_sheet import Tile, contact_sheet
from stma_ros.visual.drawables import Clear, Drawn, Lines, Vectors
from stma_ros.visual.drawing_context import DrawingContext, is_somewhere, pinhole_of, pose_matrix_of, row
from stma_ros.visual.mentions import mentioned
from stma_ros.visual.snapshot_pictures import readable_picture
from stma_ros.visual.snapshots import detections_in_picture, snapshot_of, view_corners

_KEPT_WIDTH, _CITED_WIDTH = 0.012, 0.03  # of lines [m]
_KEPT_LENGTH, _CITED_LENGTH = 0.35, 0.7  # of the pyramids of view [m]
_USUAL = PinholeCamera.from_horizontal_fov(640, 480, math.radians(90))
"""The camera where its intrinsics are not known."""
_MOST_KEYFRAMES = 256  # whose detections are remembered for answers that rest on them
_ONE, _SEVERAL = 640, 320  # width of a picture that is alone, and among others [px]


class EvidenceViews:
    """Draws the pyramids of view of the kept snapshots at each step; at the end of a task those of the evidence, lines
    to the things that question or answer name, and the pictures with these outlined."""

    def __init__(self, context: DrawingContext, knowledge: CategoryKnowledge) -> None:
        self._context = context
        self._knowledge = knowledge
        self._camera: PinholeCamera | None = None
        self._task = Task()
        self._belief = VisualBelief()
        self._keyframes: OrderedDict[int, tuple[Detection, ...]] = OrderedDict()

    def take(self, topic: str, message: Message) -> Iterator[Drawn]:
        match message:
            case CameraInfo():
                self._camera = pinhole_of(message)
            case Task():
                self._task = message
                for path in (paths.SNAPSHOTS, paths.EVIDENCE):
                    yield self._context.placed(path, Clear())
                yield self._context.unplaced(paths.EVIDENCE_PICTURES, Clear())
            case VisualBelief():
                self._belief = message
                yield self._context.placed(paths.SNAPSHOTS, self._kept(message.snapshots))
            case KeyframeDetections() if message.keyframe:
                self._keyframes[message.header.stamp.nanoseconds] = message.detections
                if len(self._keyframes) > _MOST_KEYFRAMES:
                    self._keyframes.popitem(last=False)
            case TaskResult() if message.evidence:
                yield from self._answered(message)
            case _:
                pass

    def _answered(self, result: TaskResult) -> Iterator[Drawn]:
        text = f"{self._task.text}\n{result.text}"
        cited = [
            (letter, self._snapshot(evidence))
            for letter, evidence in zip(ascii_uppercase, result.evidence, strict=False)
        ]
        yield self._context.placed(paths.EVIDENCE, self._cited(cited, text))
        tiles = list(self._tiles(cited, text))
        if tiles:
            sheet = contact_sheet(tiles, _ONE if len(tiles) == 1 else _SEVERAL)
            yield self._context.unplaced(paths.EVIDENCE_PICTURES, sheet)

    def _kept(self, snapshots: Sequence[Snapshot]) -> Lines:
        strips = [
            strip
            for snapshot in snapshots
            if (strip := _pyramid(snapshot.camera, self._camera, _KEPT_LENGTH)) is not None
        ]
        return Lines(
            tuple(strips), colours.rows(colours.KEPT for _ in strips), ("",) * len(strips), _KEPT_WIDTH
        )

    def _snapshot(self, evidence: Evidence) -> Snapshot:
        """Returns the snapshot of a piece of evidence, of an agent without a visual belief that of the keyframe."""
        snapshot = snapshot_of(evidence, self._belief.snapshots)
        if snapshot.detections:
            return snapshot
        return replace(snapshot, detections=self._keyframes.get(snapshot.stamp.nanoseconds, ()))

    def _named(self, snapshot: Snapshot, text: str) -> frozenset[str]:
        return mentioned(text, (d.category for d in snapshot.detections), self._knowledge)

    def _cited(self, cited: Sequence[tuple[str, Snapshot]], text: str) -> Lines:
        strips: list[Vectors] = []
        labels: list[str] = []
        for letter, snapshot in cited:
            pyramid = _pyramid(snapshot.camera, self._camera, _CITED_LENGTH)
            if pyramid is None:
                continue
            strips.append(pyramid)
            labels.append(f"evidence {letter}")
            named = self._named(snapshot, text)
            for detection in snapshot.detections:
                if detection.category in named and is_somewhere(detection.center):
                    ends = row(snapshot.camera), row(detection.center)
                    strips.append(np.array(ends, np.float32))
                    labels.append("")
        return Lines(tuple(strips), colours.rows(colours.TARGET for _ in strips), tuple(labels), _CITED_WIDTH)

    def _tiles(self, cited: Sequence[tuple[str, Snapshot]], text: str) -> Iterator[Tile]:
        for letter, snapshot in cited:
            picture = readable_picture(snapshot.picture)
            if picture is None:
                continue
            named = self._named(snapshot, text)
            what = f": {listed(sorted(named))}" if named else ""
            found = detections_in_picture(snapshot, picture.width, self._camera)
            detections = tuple(each for each in found if each.category in named)
            seconds = (snapshot.stamp.nanoseconds - self._context.begin_ns) / 1e9
            caption = f"evidence {letter}{what}, {seconds:.1f} s"
            yield Tile(picture, caption, colours.TARGET, detections=detections)


def _pyramid(pose: Pose, camera: PinholeCamera | None, length: float) -> Vectors | None:
    """Returns the edges of a camera's view as one line; None for a pose that is none."""
    matrix = pose_matrix_of(pose)
    if matrix is None:
        return None
    ends = view_corners(matrix, camera or _USUAL, length)
    eye = matrix[:3, 3]
    around = [ends[0], ends[1], ends[2], ends[3], ends[0]]
    return np.array([*around, eye, ends[1], eye, ends[2], eye, ends[3]], np.float32)
