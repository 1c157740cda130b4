"""Checks of the ground truth."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable

from stma_ros.testing.world_conformance.played import require
from stma_ros.testing.world_conformance.trial import Trial
from stma_ros.types import vocabulary as words
from stma_ros.types.standard import Point, Vector3
from stma_ros.types.truth import GroundTruth


def truth_names_objects_and_rooms(trial: Trial) -> None:
    """The ground truth names the scene; its objects and rooms have unique names and categories, and the support and the
    room of each object exist."""
    for played in trial.episode.all:
        truth = played.truth
        require(
            truth.scene == trial.subject.scene, f"the truth about {trial.subject.scene!r}", repr(truth.scene)
        )
        for kind, items in (("things", truth.objects), ("rooms", truth.rooms)):
            names = [item.name for item in items]
            require(
                len(set(names)) == len(names) and "" not in names, f"unique names of {kind}", _repeated(names)
            )
            require(all(item.category for item in items), f"categories of {kind}", "an empty one")
        supports = {item.name for item in truth.objects} | {"", words.ROBOT}
        rooms = {room.name for room in truth.rooms} | {""}
        for item in truth.objects:
            is_supported = item.support in supports and item.support != item.name
            require(is_supported, f"a thing under {item.name!r}", repr(item.support))
            require(item.room in rooms, f"a room around {item.name!r}", repr(item.room))


def truth_has_poses_and_boxes(trial: Trial) -> None:
    """The pose of the base and the boxes of objects [m] are finite, and rooms have an outline."""
    for played in trial.episode.all:
        truth = played.truth
        q = truth.robot.orientation
        finite = all(map(math.isfinite, (*_numbers(truth.robot.position), q.x, q.y, q.z, q.w)))
        require(finite, "a finite pose of the base", truth.robot)
        for item in truth.objects:
            box = (*_numbers(item.center), *_numbers(item.size))
            require(all(map(math.isfinite, box)) and min(box[3:]) >= 0, f"a finite box of {item.name!r}", box)
        for room in truth.rooms:
            corners = [(corner.x, corner.y) for corner in room.footprint.points]
            has_outline = len(set(corners)) > 2 and all(
                math.isfinite(number) for corner in corners for number in corner
            )
            require(has_outline, f"an outline of {room.name!r}", corners)


def truth_has_a_possible_score(trial: Trial) -> None:
    """The score is at most the maximum, if that is known."""
    for played in trial.episode.all:
        truth = played.truth
        scores = truth.score, truth.max_score
        is_possible = truth.max_score == 0 or truth.score <= truth.max_score
        require(all(map(math.isfinite, scores)) and is_possible, "a score up to the highest", scores)


def holding_agrees_with_truth(trial: Trial) -> None:
    """At most one object is in the hand, and `holding` is true exactly if there is one."""
    for played in trial.episode.all:
        held = _held(played.truth)
        require(len(held) <= 1, "one thing in the hand at most", held)
        if played.truth.objects:
            holding = played.observation.holding
            require(holding == bool(held), f"holding as the truth after {played}", f"{holding}, held: {held}")


def _held(truth: GroundTruth) -> list[str]:
    return [item.name for item in truth.objects if item.support == words.ROBOT]


def _numbers(vector: Point | Vector3) -> tuple[float, float, float]:
    return vector.x, vector.y, vector.z


def _repeated(names: Iterable[str]) -> list[str]:
    return [name for name, count in Counter(names).items() if count > 1 or not name]
