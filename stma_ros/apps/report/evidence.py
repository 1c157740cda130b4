"""The pictures that an answer rests on, with the things that question and answer name outlined."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from string import ascii_uppercase

from stma_ros.apps.report.frames import Keyframe, draw
from stma_ros.apps.report.svg import data_uri
from stma_ros.apps.report.task_run import TaskRun
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.nouns import listed
from stma_ros.types.exploration import Snapshot
from stma_ros.types.planning import SkillTarget
from stma_ros.types.scene_graph import ObjectNode, SceneGraph
from stma_ros.types.sensing import Detection
from stma_ros.types.standard import Pose
from stma_ros.visual.mentions import mentioned
from stma_ros.visual.snapshot_pictures import readable_picture
from stma_ros.visual.snapshots import detections_in_picture, snapshot_of

_SAME_OBJECT = 0.5
"""Largest distance of a detection from the object that it is of [m]."""


@dataclass(frozen=True)
class Cited:
    """A picture that an answer rests on.

    Attributes:
        letter: its name in the report.
        snapshot: id of the snapshot.
        camera: pose of the camera's optical frame in the map.
        frame: picture with the things that question or answer name, in its pixels.
        asked: those of their categories that the question names.
    """

    letter: str
    snapshot: str
    camera: Pose
    frame: Keyframe
    asked: frozenset[str]

    @property
    def subjects(self) -> tuple[Detection, ...]:
        """What the question names in it."""
        return tuple(each for each in self.frame.detections if each.category in self.asked)


@dataclass(frozen=True)
class EvidenceCard:
    """A cited picture for the template. shown: the things that are outlined in it, in words; empty = none."""

    letter: str
    uri: str
    time: float
    shown: str


def cited_pictures(
    run: TaskRun, knowledge: CategoryKnowledge, earlier: Sequence[Keyframe] = ()
) -> tuple[Cited, ...]:
    """Returns the evidence of a task's result, in its order; pictures that cannot be read are left out.

    Args:
        run: the task.
        knowledge: other names of categories.
        earlier: keyframes of earlier tasks.
    """
    return tuple(_cited(run, knowledge, earlier))


def evidence_cards(cited: tuple[Cited, ...]) -> tuple[EvidenceCard, ...]:
    """Draws the pictures with their outlines."""
    return tuple(
        EvidenceCard(
            each.letter,
            data_uri(draw(each.frame, each.asked), "image/jpeg"),
            each.frame.time,
            listed(dict.fromkeys(detection.category for detection in each.frame.detections)),
        )
        for each in cited
    )


def subjects_in_graph(cited: Iterable[Cited], graph: SceneGraph | None) -> tuple[SkillTarget, ...]:
    """Returns the scene graph's objects that the cited pictures show and the question names."""
    return tuple(
        SkillTarget(id=node.id, category=node.category)
        for node in (graph.objects if graph else ())
        if any(_is_of(node, detection) for each in cited for detection in each.subjects)
    )


def _is_of(node: ObjectNode, detection: Detection) -> bool:
    one, other = node.center, detection.center
    apart = math.dist((one.x, one.y, one.z), (other.x, other.y, other.z))
    return node.category == detection.category and apart < _SAME_OBJECT


def _cited(run: TaskRun, knowledge: CategoryKnowledge, earlier: Sequence[Keyframe]) -> Iterator[Cited]:
    if run.result is None:
        return
    beliefs = [step.visual for step in reversed(run.ordered_steps) if step.visual is not None]
    snapshots = [snapshot for belief in beliefs for snapshot in belief.snapshots]
    recorded = {frame.stamp: frame for frame in (*earlier, *run.keyframes)}
    for letter, evidence in zip(ascii_uppercase, run.result.evidence, strict=False):
        frame = recorded.get(evidence.stamp.nanoseconds) or _frame(run, snapshot_of(evidence, snapshots))
        if frame is not None:
            seen = {detection.category for detection in frame.detections}
            asked = mentioned(run.task.text, seen, knowledge)
            named = asked | mentioned(run.result.text, seen, knowledge)
            outlined = tuple(each for each in frame.detections if each.category in named)
            yield Cited(
                letter, evidence.snapshot, evidence.camera, replace(frame, detections=outlined), asked
            )


def _frame(run: TaskRun, snapshot: Snapshot) -> Keyframe | None:
    """Returns the picture of a snapshot, which is smaller than the camera's image."""
    picture = readable_picture(snapshot.picture)
    if picture is None:
        return None
    detections = detections_in_picture(snapshot, picture.width, run.camera)
    return Keyframe(snapshot.stamp.nanoseconds, snapshot.picture.data.tobytes(), detections)
