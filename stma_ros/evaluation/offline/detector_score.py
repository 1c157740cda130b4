"""Scores what detectors find in keyframes: how many of the things in plain view, and how many finds are right.

These are the settings `perception.recall` and `perception.precision`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stma_ros.evaluation.seen_things import in_hand, matching
from stma_ros.evaluation.tally import Tally
from stma_ros.mapping.visibility import box_visibility
from stma_ros.memory.box_arrays import BoxArray
from stma_ros.memory.boxes import Box
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.negative_evidence import CORE, MAX_RANGE, NAMED_PIXELS
from stma_ros.sensing.camera_frame import CameraFrame, DepthView
from stma_ros.types.sensing import Detection, KeyframeDetections
from stma_ros.types.truth import GroundTruth, GroundTruthObject

MIDDLING = (0.4, 0.6)
"""Scores about one half, by whose finds the precision of a detector is set."""

HIDDEN = 0.3
"""Share of a thing from which on something hides it."""

WAITING = 256
"""Frames that may come before their detections."""


@dataclass(frozen=True)
class DetectorScore:
    """What one detector finds.

    Attributes:
        found: `right`: things in plain view that it found; `true`: things in plain view.
        right: `right`: finds that are of a thing with that name; `said`: all finds.
        middling: the same of the finds with middling scores.
    """

    found: Tally = Tally()
    right: Tally = Tally()
    middling: Tally = Tally()

    def __add__(self, other: DetectorScore) -> DetectorScore:
        return DetectorScore(
            self.found + other.found, self.right + other.right, self.middling + other.middling
        )


class DetectorScorer:
    """Takes the frames and detections of a run in their order."""

    def __init__(self, truth: GroundTruth | None = None, knowledge: CategoryKnowledge | None = None) -> None:
        """Makes a scorer.

        Args:
            truth: What there is; None = what the run's simulator says, until it says something else.
            knowledge: Of synonyms of the things' names.
        """
        self._given = truth
        self._truth = truth
        self._knowledge = knowledge
        self._views: dict[int, DepthView] = {}  # by stamp [ns]
        self._awaiting: dict[int, DepthView] = {}  # the same of keyframes that wait for a model
        self.scores: dict[str, DetectorScore] = {}

    def take_truth(self, truth: GroundTruth) -> None:
        """Takes what a simulator says."""
        if self._given is None and truth.objects:
            self._truth = truth

    def take_frame(self, frame: CameraFrame) -> None:
        """Takes a frame, before its detections."""
        if frame.view is not None:
            self._views[frame.stamp.nanoseconds] = frame.view
        while len(self._views) > WAITING:
            del self._views[min(self._views)]

    def take_detections(self, update: KeyframeDetections) -> None:
        """Scores the detections of a frame, if it is a keyframe of which the detectors found all that they find. Those
        that a model's answer revises are scored when that has come."""
        stamp = update.header.stamp.nanoseconds
        view = (self._awaiting if update.revision else self._views).pop(stamp, None)
        if update.awaits_answer and view is not None:
            self._awaiting[stamp] = view
            while len(self._awaiting) > WAITING:
                del self._awaiting[min(self._awaiting)]
            return
        if view is None or self._truth is None or not update.keyframe:
            return
        things = [thing for thing in self._truth.objects if not in_hand(thing)]
        plain = _in_plain_view(things, view)
        for look in update.looks:
            finds = [_by(detection, look.source) for detection in update.detections]
            score = self._score([find for find in finds if find is not None], things, plain)
            self.scores[look.source] = self.scores.get(look.source, DetectorScore()) + score

    def _score(
        self, finds: Sequence[Detection], things: Sequence[GroundTruthObject], plain: NDArray[np.bool_]
    ) -> DetectorScore:
        mine, theirs = matching(finds, things, self._knowledge)
        is_right = np.zeros(len(finds), bool)
        is_right[mine] = True
        scores = np.array([find.confidence for find in finds])
        is_middling = (scores >= MIDDLING[0]) & (scores <= MIDDLING[1])
        return DetectorScore(
            Tally(right=int(plain[theirs].sum()), true=int(plain.sum())),
            Tally(int(is_right.sum()), len(finds)),
            Tally(int(is_right[is_middling].sum()), int(is_middling.sum())),
        )


def settings_of(scores: Mapping[str, DetectorScore]) -> tuple[str, ...]:
    """Returns the assignments of the settings that the scores tell, for `--set`."""
    recalls = {name: score.found for name, score in scores.items() if score.found.true}
    precisions = {name: score.middling for name, score in scores.items() if score.middling.said}
    shares = {
        "recall": {name: _within(tally.recall) for name, tally in recalls.items()},
        "precision": {name: _within(tally.precision) for name, tally in precisions.items()},
    }
    return tuple(
        f"perception.{setting}={','.join(f'{name}={share:.2f}' for name, share in named.items())}"
        for setting, named in shares.items()
        if named
    )


def _within(share: float) -> float:
    """Returns a share as the settings take it: neither 0 nor 1."""
    return min(max(share, 0.01), 0.99)


def _by(detection: Detection, source: str) -> Detection | None:
    """Returns what one detector says of an object; None if it says nothing."""
    own = tuple(each for each in detection.hypotheses if each.source == source)
    if not own:
        return None
    return Detection(hypotheses=own, box=detection.box)


def _in_plain_view(things: Sequence[GroundTruthObject], view: DepthView) -> NDArray[np.bool_]:
    """Returns (N,) which things an image shows so that a detector ought to find them."""
    boxes = BoxArray.of(Box.of(thing.box) for thing in things)
    core, whole = (
        box_visibility(view.depth_mm, view.camera, view.camera_pose, boxes.middle, extent, boxes.yaw)
        for extent in (boxes.extent * CORE, boxes.extent)
    )
    near = np.linalg.norm(boxes.middle - view.camera_pose[:3, 3], axis=1) <= MAX_RANGE
    shown: NDArray[np.bool_] = (
        near & (core.pixels >= NAMED_PIXELS) & (core.through < 0.5) & (whole.hidden <= HIDDEN)
    )
    return shown
