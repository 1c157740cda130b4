"""Compares a scene graph with the ground truth: objects, places, states and relations."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from stma_ros.evaluation.oriented_boxes import gaps
from stma_ros.evaluation.room_lookup import room_at
from stma_ros.evaluation.state_score import state_tally
from stma_ros.evaluation.tally import Tally
from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import ObjectNode, SceneGraph
from stma_ros.types.standard import Point, Vector3
from stma_ros.types.truth import GroundTruth, GroundTruthObject

TOLERANCE = 0.3
"""Largest distance between the centres of an object and its true counterpart [m]; TOLERANCE_SHARE of the true one's
longest side, if that is larger: half of a bed is a view of the bed."""

TOLERANCE_SHARE = 0.35

NEAR, NOT_NEAR = 0.3, 0.5
"""True boxes with a gap below NEAR are near, with one above NOT_NEAR not [m]; in between, either answer is right."""

ELONGATED_FROM, ELONGATED_RATIO = 0.3, 1.4
"""Things whose longer horizontal side is at least ELONGATED_FROM [m] and ELONGATED_RATIO times the shorter one have a
direction; voxels of 5 cm show none of a smaller thing."""

_FAR = 1e6
_HAND = "robot"

Fact = tuple[str, str, str]


@dataclass(frozen=True)
class GraphScore:
    """The score of a graph.

    Attributes:
        objects: found objects.
        relations: relations between them.
        states: their states.
        position_errors: of the matched objects' centres [m].
        names: true name by the agent's object id.
        found: objects of the graph with their true counterparts.
        yaw_errors: of the longer sides of matched objects that are elongated and not open, from 0 to pi/2 [rad].
    """

    objects: Tally
    relations: Tally
    states: Tally
    position_errors: tuple[float, ...]
    names: Mapping[str, str] = field(default_factory=dict)
    found: tuple[tuple[ObjectNode, GroundTruthObject], ...] = ()
    yaw_errors: tuple[float, ...] = ()


def score_graph(graph: SceneGraph, truth: GroundTruth) -> GraphScore:
    """Scores a graph against the ground truth.

    Hidden and held objects are not expected in the graph, and not counted against it. Hidden means inside something
    closed at the end: an object in a room that the agent never entered, behind furniture, or in a container that it
    left open without a look, is missed all the same. The true box of open furniture includes the swing of its door; a
    graph with the body alone is off by half of the swing. An object that the graph itself calls missing is not a claim
    that it is there.

    Returns:
        The score: relations in, on, in room and near between objects on both sides; states that the graph states.
    """
    claimed = [node for node in graph.objects if not node.is_missing]
    real = [thing for thing in truth.objects if thing.support != _HAND]
    pairs = match(claimed, real)
    names = {claimed[mine].id: real[theirs].name for mine, theirs, _ in pairs}
    expected = {thing.name for thing in real if not thing.hidden}
    found = tuple((claimed[mine], real[theirs]) for mine, theirs, _ in pairs)
    hidden_said = sum(thing.hidden for _, thing in found)
    right = len(found) - hidden_said
    objects = Tally(right, len(claimed) - hidden_said, len(expected))
    return GraphScore(
        objects,
        _relations(graph, truth, names, expected),
        state_tally(found),
        tuple(distance for _, theirs, distance in pairs if not real[theirs].hidden),
        names,
        found,
        tuple(_yaw_error(node, thing) for node, thing in found if not thing.hidden and _has_direction(thing)),
    )


def match(nodes: Sequence[ObjectNode], things: Sequence[GroundTruthObject]) -> list[tuple[int, int, float]]:
    """Matches objects of the same category one to one, globally nearest first: (index, index, distance [m])."""
    pairs = []
    for category in dict.fromkeys(node.category for node in nodes):
        mine = [k for k, node in enumerate(nodes) if node.category == category]
        theirs = [k for k, thing in enumerate(things) if thing.category == category]
        if not theirs:
            continue
        apart = np.linalg.norm(
            _points(nodes[k].center for k in mine)[:, None] - _points(things[k].center for k in theirs)[None],
            axis=2,
        )
        allowed = np.array([max(TOLERANCE, TOLERANCE_SHARE * _longest(things[k].size)) for k in theirs])
        costs = np.where(apart <= allowed[None], apart, _FAR)
        for row, column in zip(*linear_sum_assignment(costs), strict=True):
            if costs[row, column] < _FAR:
                pairs.append((mine[int(row)], theirs[int(column)], float(apart[row, column])))
    return pairs


def _relations(graph: SceneGraph, truth: GroundTruth, names: Mapping[str, str], expected: set[str]) -> Tally:
    """Scores relations between objects that are both known and visible: an object that was not found counts once, as
    absent, and not again by its relations."""
    known = {name for name in names.values() if name in expected}
    rooms = {room.id: room_at(room.center, truth.rooms) or "?" for room in graph.rooms}
    translated = {**names, **rooms}
    stated = {
        (translated.get(fact.subject, ""), fact.predicate, translated.get(fact.object, f"?{fact.object}"))
        for fact in graph.relations
        if fact.predicate in (words.IN, words.ON, words.IN_ROOM, words.NEAR)
        and translated.get(fact.subject) in known
    }
    facts, either = _true_facts(truth, known)
    symmetric = {_sorted(fact) for fact in stated}
    said = {fact for fact in symmetric if fact not in either and not _is_of_hidden(fact, known, truth)}
    return Tally(len(said & facts), len(said), len(facts))


def _is_of_hidden(fact: Fact, known: set[str], truth: GroundTruth) -> bool:
    """Whether a fact relates a known object to one that this comparison leaves out."""
    rooms = {room.name for room in truth.rooms}
    return fact[2] not in known and fact[2] not in rooms and not fact[2].startswith("?")


def _true_facts(truth: GroundTruth, known: set[str]) -> tuple[set[Fact], set[Fact]]:
    """Returns the facts between known objects, and the facts that are right either way."""
    things = [thing for thing in truth.objects if thing.name in known]
    facts: set[Fact] = set()
    for thing in things:
        if thing.support in known:
            facts.add((thing.name, words.IN if thing.inside else words.ON, thing.support))
        if thing.room:
            facts.add((thing.name, words.IN_ROOM, thing.room))
    either: set[Fact] = set()
    for one, other, gap in _gaps(things):
        fact = _sorted((one.name, words.NEAR, other.name))
        if gap < NEAR:
            facts.add(fact)
        elif gap <= NOT_NEAR:
            either.add(fact)
    return facts, either


def _gaps(
    things: Sequence[GroundTruthObject],
) -> Iterator[tuple[GroundTruthObject, GroundTruthObject, float]]:
    apart = gaps([thing.box for thing in things])
    for i in range(len(things)):
        for j in range(i + 1, len(things)):
            yield things[i], things[j], float(apart[i, j])


def identity_switches(graphs: Iterable[SceneGraph], truths: Iterable[GroundTruth]) -> int:
    """Counts the changes of a true object's id from one graph in which it is known to the next (CLEAR MOT)."""
    by_stamp = {truth.header.stamp.nanoseconds: truth for truth in truths}
    last: dict[str, str] = {}
    switches = 0
    for graph in graphs:
        truth = by_stamp.get(graph.header.stamp.nanoseconds)
        if truth is None:
            continue
        for node_id, name in score_graph(graph, truth).names.items():
            switches += last.get(name, node_id) != node_id
            last[name] = node_id
    return switches


def _sorted(fact: Fact) -> Fact:
    """Sorts the arguments of nearness, which has no direction."""
    subject, predicate, other = fact
    return fact if predicate != words.NEAR or subject <= other else (other, predicate, subject)


def _points(points: Iterable[Point]) -> NDArray[np.float64]:
    return np.array([(p.x, p.y, p.z) for p in points], np.float64).reshape(-1, 3)


def _has_direction(thing: GroundTruthObject) -> bool:
    """Whether the direction of its longer side is measured: it is elongated, and no open front is part of its box."""
    longer, shorter = max(thing.size.x, thing.size.y), min(thing.size.x, thing.size.y)
    is_elongated = longer >= ELONGATED_FROM and longer >= ELONGATED_RATIO * shorter
    return is_elongated and words.STATE_OPEN not in thing.states


def _yaw_error(node: ObjectNode, thing: GroundTruthObject) -> float:
    apart = (_direction(node) - _direction(thing)) % math.pi
    return min(apart, math.pi - apart)


def _direction(box: ObjectNode | GroundTruthObject) -> float:
    """Returns the direction of the longer horizontal side, to which half a turn makes no difference [rad]."""
    return box.yaw + (math.pi / 2 if box.size.y > box.size.x else 0.0)


def _longest(size: Vector3) -> float:
    return max(size.x, size.y, size.z)
