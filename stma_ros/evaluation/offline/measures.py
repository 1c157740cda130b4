"""Converts scores of graphs, maps, answers and decisions to measures, by their keys in the results."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from stma_ros.evaluation.metrics import AVERAGE_SCORE
from stma_ros.evaluation.offline.decision_agreement import Agreement
from stma_ros.evaluation.offline.graph_series import GraphStep
from stma_ros.evaluation.offline.grid_score import GridScore, intersection_over_union
from stma_ros.evaluation.offline.questions import Marked, tallies
from stma_ros.evaluation.seen_things import SeenThings
from stma_ros.evaluation.tally import Tally

_QUESTIONS = "questions_right"


class Share(NamedTuple):
    part: int
    whole: int


@dataclass(frozen=True)
class Series:
    """A measure over time; times from the bag's first message [s]."""

    times: tuple[float, ...]
    values: tuple[float, ...]


def greatest(measure: str) -> float:
    """Returns the upper bound of a measure that is not a share; the lower bound is 0."""
    if measure.endswith(("_f1", "_iou")):
        return 1.0
    return 100.0 if measure.startswith("map_") or measure == AVERAGE_SCORE else math.inf


def graph_scores(steps: Sequence[GraphStep]) -> dict[str, float | Share]:
    """Returns the scores of the last graph, and the identity switches until then; empty without graphs."""
    if not steps:
        return {}
    last = steps[-1]
    objects, relations, states = last.score.objects, last.score.relations, last.score.states
    scores: dict[str, float | Share] = {
        "object_recall": Share(objects.right, objects.true),
        "object_precision": Share(objects.right, objects.said),
        "state_accuracy": Share(states.right, states.said),
        "identity_switches": float(sum(step.identity_switches for step in steps)),
    }
    if relations.said or relations.true:
        scores["relation_f1"] = relations.f1
    if last.position_error is not None:
        scores["median_position_error"] = last.position_error
    return scores


def seen_scores(score: SeenThings) -> dict[str, Share]:
    """Returns the shares of what a memory says of things."""
    found = score.found
    return {
        "things_found": Share(found.right, found.true),
        "things_right": Share(found.right, found.said),
        "things_twice": Share(score.twice, found.said),
        "things_told_missing": Share(score.told_missing, found.true),
    }


def map_scores(maps: Sequence[tuple[int, GridScore]]) -> dict[str, float | Share]:
    """Returns the scores of the last map, (log time [ns], score). They are no shares with intervals: the errors of a
    map's cells are not independent, as whole walls are wrong."""
    if not maps:
        return {}
    last = maps[-1][1]
    scores: dict[str, float | Share] = {
        "map_accuracy": 100 * last.accuracy,
        "map_coverage": 100 * last.coverage,
    }
    for name, tally in (("free", last.free), ("occupied", last.occupied)):
        scores[f"map_{name}_precision"] = 100 * tally.precision
        scores[f"map_{name}_recall"] = 100 * tally.recall
        scores[f"map_{name}_iou"] = intersection_over_union(tally)
    return scores


def answer_shares(answers: Sequence[Marked]) -> dict[str, Share]:
    """Returns the shares of right questions, and of right aspects; empty without questions."""
    if not answers:
        return {}
    return {
        f"{_QUESTIONS}_{aspect}" if aspect else _QUESTIONS: _share(tally)
        for aspect, tally in tallies(answers).items()
    }


def agreement_shares(agreement: Agreement | None) -> dict[str, Share]:
    """Returns the shares by aspect; empty where nothing was compared."""
    if agreement is None:
        return {}
    return {f"same_{name.replace(' ', '_')}": _share(tally) for name, tally in agreement.shares.items()}


def _share(tally: Tally) -> Share:
    return Share(tally.right, tally.said)


def series(
    steps: Sequence[GraphStep], maps: Sequence[tuple[int, GridScore]], start_ns: int
) -> Iterator[tuple[str, Series]]:
    """Yields the series with values, by key. maps: (log time [ns], score). start_ns: the bag's first log time."""

    def line(points: Iterator[tuple[int, float]]) -> Series:
        times, values = zip(*points, strict=True)
        return Series(tuple((time_ns - start_ns) / 1e9 for time_ns in times), values)

    if steps:
        yield "object_recall", line((s.time_ns, 100 * s.score.objects.recall) for s in steps)
        yield "object_precision", line((s.time_ns, 100 * s.score.objects.precision) for s in steps)
        if related := [s for s in steps if s.score.relations.said or s.score.relations.true]:
            yield "relation_f1", line((s.time_ns, s.score.relations.f1) for s in related)
        if stated := [s for s in steps if s.score.states.said]:
            yield "state_accuracy", line((s.time_ns, 100 * s.score.states.precision) for s in stated)
        if matched := [(s.time_ns, error) for s in steps if (error := s.position_error) is not None]:
            yield "median_position_error", line(iter(matched))
    if maps:
        yield "map_coverage", line((time_ns, 100 * score.coverage) for time_ns, score in maps)
        yield "map_accuracy", line((time_ns, 100 * score.accuracy) for time_ns, score in maps)
