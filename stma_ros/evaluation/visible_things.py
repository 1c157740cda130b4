"""Recall of the things that some picture of an episode has shown well, by their size in it, and what they are taken
for."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from stma_ros.evaluation.scene_graphs import TOLERANCE, GraphScore
from stma_ros.evaluation.tally import Tally
from stma_ros.types.scene_graph import SceneGraph
from stma_ros.types.standard import Point
from stma_ros.types.truth import GroundTruth

VISIBLE, LARGE = 120, 1000
"""Pixels from which on a thing is shown well, and from which on it is large."""

SMALL_SIZE, LARGE_SIZE = "small", "large"


@dataclass(frozen=True)
class VisibleThings:
    """What a memory has of the things that were shown well.

    Attributes:
        sizes: found and true things, by size.
        confused: pairs of the kinds of a thing that was not found, and of what is said to be in its place.
    """

    sizes: Mapping[str, Tally]
    confused: Counter[tuple[str, str]]

    @property
    def all(self) -> Tally:
        """Found and true things of all sizes."""
        right, true = (
            sum(count)
            for count in zip(*((each.right, each.true) for each in self.sizes.values()), strict=True)
        )
        return Tally(right, right, true)


def score_visible(graph: SceneGraph, truth: GroundTruth, score: GraphScore) -> VisibleThings:
    """Returns what a graph has of the things that a picture has shown with VISIBLE pixels, and that are not hidden at
    the end.

    Args:
        graph: of the memory.
        truth: with the pixels of each thing.
        score: of the graph by that truth.
    """
    found = set(score.names.values())
    shown = [thing for thing in truth.objects if thing.seen_pixels >= VISIBLE and not thing.hidden]
    counts: Counter[tuple[str, bool]] = Counter(
        (LARGE_SIZE if thing.seen_pixels >= LARGE else SMALL_SIZE, thing.name in found) for thing in shown
    )
    free = [node for node in graph.objects if node.id not in score.names and not node.is_missing]
    confused: Counter[tuple[str, str]] = Counter()
    for thing in shown:
        if thing.name in found:
            continue
        apart = [(_distance(thing.center, node.center), node.category) for node in free]
        distance, said = min(apart, default=(math.inf, ""))
        if distance <= TOLERANCE:
            confused[thing.category, said] += 1
    sizes = {
        size: Tally(counts[size, True], counts[size, True], counts[size, True] + counts[size, False])
        for size in (SMALL_SIZE, LARGE_SIZE)
    }
    return VisibleThings(sizes, confused)


def _distance(one: Point, other: Point) -> float:
    return math.dist((one.x, one.y, one.z), (other.x, other.y, other.z))


def confusions_text(confused: Counter[tuple[str, str]]) -> str:
    """Returns what was taken for what, with a separator before it; empty if nothing was."""
    told = (f"{true} taken for {said} ({count}x)" for (true, said), count in confused.most_common())
    return "".join(f"; {text}" for text in told)
