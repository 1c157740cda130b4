"""Scores what a memory says of the things that a person would have seen: found, right, there twice, told missing.

Milder than scene_graphs.py, which asks for the same category and the right centre: a name may be a synonym or a
narrower one, and a box that overlaps the true one is in the right place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from stma_ros.evaluation.tally import Tally
from stma_ros.memory.box_arrays import BoxArray
from stma_ros.memory.boxes import Box
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.types.scene_graph import ObjectNode, SceneGraph
from stma_ros.types.sensing import Detection
from stma_ros.types.truth import GroundTruth, GroundTruthObject

TOLERANCE = 0.3
"""Largest distance between the centres of two boxes that do not overlap [m]."""

_HAND = "robot"
_FAR = 1e6


@dataclass(frozen=True)
class SeenThings:
    """What a memory says of things.

    Attributes:
        found: `right`: seen things that the memory has; `true`: seen things; `said`: things of the memory, except
            those that are hidden ones.
        twice: number of further things of the memory that fit a seen thing which the memory has already.
        told_missing: number of seen things that the memory has as missing only, though they lie there.
    """

    found: Tally
    twice: int
    told_missing: int


def score_seen_things(
    graph: SceneGraph, truth: GroundTruth, knowledge: CategoryKnowledge | None = None
) -> SeenThings:
    """Scores a graph against the ground truth; held things are left out.

    Args:
        graph: of the memory.
        truth: things that nobody saw, or that need not be found, are `hidden`.
        knowledge: of synonyms; None = categories are the same word.
    """
    claimed = [node for node in graph.objects if not node.is_missing]
    missing = [node for node in graph.objects if node.is_missing]
    things = [thing for thing in truth.objects if not in_hand(thing)]
    hidden = np.array([thing.hidden for thing in things], bool)
    fits, costs = _fits(claimed, things, knowledge)
    mine, theirs = _matched(costs)
    right = int((~hidden[theirs]).sum())
    of_hidden = len(theirs) - right
    others = np.ones(len(claimed), bool)
    others[mine] = False
    of_seen = (fits[others] & ~hidden).any(axis=1)
    of_hidden += int(((fits[others] & hidden).any(axis=1) & ~of_seen).sum())  # second names of hidden things
    twice = int(of_seen.sum())
    left = ~hidden
    left[theirs] = False
    unclaimed = [thing for thing, is_left in zip(things, left, strict=True) if is_left]
    told_missing = len(matching(missing, unclaimed, knowledge)[0])
    return SeenThings(Tally(right, len(claimed) - of_hidden, int((~hidden).sum())), twice, told_missing)


def in_hand(thing: GroundTruthObject) -> bool:
    """Whether the robot holds a thing."""
    return thing.support == _HAND


def matching(
    finds: Sequence[ObjectNode | Detection],
    things: Sequence[GroundTruthObject],
    knowledge: CategoryKnowledge | None = None,
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Returns the numbers of finds and of the things that they are, one to one.

    Args:
        finds: What a memory or a detector says.
        things: What there is.
        knowledge: of synonyms; None = categories are the same word.
    """
    return _matched(_fits(finds, things, knowledge)[1])


def _fits(
    nodes: Sequence[ObjectNode | Detection],
    things: Sequence[GroundTruthObject],
    knowledge: CategoryKnowledge | None,
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Returns (N, M) which of N objects may be which of M things, and the distances of their centres [m], _FAR where
    they may not."""
    mine, theirs = (BoxArray.of(Box.of(each.box) for each in boxed) for boxed in (nodes, things))
    apart = np.linalg.norm(mine.middle[:, None] - theirs.middle[None], axis=2)
    names: dict[tuple[str, str], bool] = {}
    for node in nodes:
        for thing in things:
            pair = node.category, thing.category
            if pair not in names:
                names[pair] = pair[0] == pair[1] or (knowledge is not None and knowledge.are_related(*pair))
    alike = np.array(
        [names[node.category, thing.category] for node in nodes for thing in things], bool
    ).reshape(apart.shape)
    fits = alike & ((apart <= TOLERANCE) | (mine.gaps(theirs) == 0))
    return fits, np.where(fits, apart, _FAR)


def _matched(costs: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Returns the rows and columns of the most pairs, one to one, that are nearest to one another."""
    rows, columns = linear_sum_assignment(costs)
    fit = costs[rows, columns] < _FAR
    return rows[fit], columns[fit]
