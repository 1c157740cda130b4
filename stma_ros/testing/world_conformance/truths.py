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


def truth_names_what_there_is(trial: Trial) -> None:
    """The truth is about the scene; its things and rooms have unique names and categories, and what a thing is on, or
    in, is there."""
    for played in trial.episode.all:
        truth = played.truth
        require(
            truth.scene == trial.subject.scene, f"the truth about {trial.subject.scene!r}", repr(truth.scene)
        )
        for kind, things in (("things", truth.objects), ("rooms", truth.rooms)):
            names = [thing.name for thing in things]
            require(
                len(set(names)) == len(names) and "" not in names, f"unique names of {kind}", _repeated(names)
            )
            require(all(thing.category for thing in things), f"categories of {kind}", "an empty one")
        supports = {thing.name for thing in truth.objects} | {"", words.ROBOT}
        rooms = {room.name for room in truth.rooms} | {""}
        for thing in truth.objects:
            there = thing.support in supports and thing.support != thing.name
            require(there, f"a thing under {thing.name!r}", repr(thing.support))
            require(thing.room in rooms, f"a room around {thing.name!r}", repr(thing.room))


def truth_has_places(trial: Trial) -> None:
    """The base is at a finite pose, things have finite boxes [m], rooms an outline; the score is none above the
    highest."""
    for played in trial.episode.all:
        truth = played.truth
        q = truth.robot.orientation
        finite = all(map(math.isfinite, (*_numbers(truth.robot.position), q.x, q.y, q.z, q.w)))
        require(finite, "a finite pose of the base", truth.robot)
        for thing in truth.objects:
            box = (*_numbers(thing.center), *_numbers(thing.size))
            require(
                all(map(math.isfinite, box)) and min(box[3:]) >= 0, f"a finite box of {thing.name!r}", box
            )
        for room in truth.rooms:
            corners = [(corner.x, corner.y) for corner in room.footprint.points]
            outlined = len(set(corners)) > 2 and all(
                math.isfinite(number) for corner in corners for number in corner
            )
            require(outlined, f"an outline of {room.name!r}", corners)
        scores = truth.score, truth.max_score
        require(
            all(map(math.isfinite, scores)) and scores[0] <= scores[1], "a score up to the highest", scores
        )


def hand_holds_what_truth_says(trial: Trial) -> None:
    """At most one thing is in the hand, and `holding` says whether one is."""
    for played in trial.episode.all:
        held = _held(played.truth)
        require(len(held) <= 1, "one thing in the hand at most", held)
        if played.truth.objects:
            holding = played.observation.holding
            require(holding == bool(held), f"holding as the truth after {played}", f"{holding}, held: {held}")


def _held(truth: GroundTruth) -> list[str]:
    return [thing.name for thing in truth.objects if thing.support == words.ROBOT]


def _numbers(place: Point | Vector3) -> tuple[float, float, float]:
    return place.x, place.y, place.z


def _repeated(names: Iterable[str]) -> list[str]:
    return [name for name, count in Counter(names).items() if count > 1 or not name]
