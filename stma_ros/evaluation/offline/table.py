"""Makes the table over many bags: a row for each bag, and one for each preset with 95 % confidence intervals."""

from __future__ import annotations

import csv
import io
import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from scipy.stats import t

from stma_ros.evaluation.metrics import ALL, wilson_interval
from stma_ros.evaluation.offline.bag_score import BagScore
from stma_ros.evaluation.offline.decision_agreement import Disagreement, compared_inputs
from stma_ros.evaluation.offline.latency import Latency
from stma_ros.evaluation.offline.measures import greatest
from stma_ros.evaluation.offline.questions import Marked

SUITE = "score"

INTERVAL = "_interval"
"""The suffix of the key of a measure's interval in a row: [low, high], in the measure's unit."""

GROUPS: Mapping[str, Mapping[str, str]] = {
    "scene graph, at the end": {
        "object_recall": "recall [%]",
        "object_precision": "precision [%]",
        "median_position_error": "position error [m]",
        "relation_f1": "relations F1",
        "state_accuracy": "states [%]",
        "identity_switches": "identity switches",
    },
    "things that were seen, at the end": {
        "things_found": "found [%]",
        "things_right": "right [%]",
        "things_twice": "there twice [%]",
        "things_told_missing": "told missing [%]",
    },
    "map, at the end": {
        "map_coverage": "known [%]",
        "map_accuracy": "right [%]",
        "map_free_iou": "free IoU",
        "map_occupied_iou": "occupied IoU",
        "map_occupied_precision": "occupied precision [%]",
        "map_occupied_recall": "occupied recall [%]",
    },
    "memory and tasks": {
        "questions_right": "questions right [%]",
        "average_score": "game's points [%]",
        "claimed_success": "said done [%]",
        "unverified_rate": "unverified [%]",
        "mean_steps": "commands",
        "latency_per_step": "time of a step [s]",
    },
    "decisions that are the recorded ones": {
        "same_first_action": "first action [%]",
        "same_whole_plan": "whole plan [%]",
        "same_subgoal": "subgoal [%]",
        "same_verdict": "verdict [%]",
        "same_temporal_belief": "temporal belief [%]",
        "same_spatial_belief": "spatial belief [%]",
    },
}
"""The displayed tables by title, each with the headings of its measures by key."""

_LEVEL = 0.975  # both tails of a 95 % interval


def mean_interval(values: Sequence[float]) -> tuple[float, float] | None:
    """Returns the 95 % interval of a mean (Student's t); None for fewer than two values."""
    if len(values) < 2:
        return None
    half = float(t.ppf(_LEVEL, len(values) - 1)) * statistics.stdev(values) / math.sqrt(len(values))
    middle = statistics.fmean(values)
    return middle - half, middle + half


def rows(scores: Iterable[BagScore]) -> list[dict[str, Any]]:
    """Returns for each preset a row for each bag (`group`: its name), and one for all of them.

    Shares [%] are summed over all bags, with Wilson's interval; other measures are means over the bags that have them,
    with Student's.
    """
    by_preset: dict[str, list[BagScore]] = {}
    for score in scores:
        by_preset.setdefault(score.preset, []).append(score)
    table = []
    for preset, of_preset in by_preset.items():
        table += [_row(preset, score.bag, [score]) for score in of_preset]
        table.append(_row(preset, ALL, of_preset))
    return table


def result(scores: Sequence[BagScore], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the content of the file of `--json`, in the form of `stma bench --json`, with bags as episodes."""
    return {
        "suite": SUITE,
        "settings": dict(settings),
        "rows": rows(scores),
        "episodes": [_episode(score) for score in scores],
    }


def csv_text(table: Sequence[Mapping[str, Any]]) -> str:
    """Returns the rows as CSV, with two columns for each interval; missing values are empty."""
    flat = [_flat(row) for row in table]
    names = list(dict.fromkeys(name for row in flat for name in row))
    stream = io.StringIO()
    writer = csv.DictWriter(stream, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(flat)
    return stream.getvalue()


def _row(preset: str, group: str, scores: Sequence[BagScore]) -> dict[str, Any]:
    row: dict[str, Any] = {"preset": preset, "group": group, "episodes": len(scores)}
    for name in dict.fromkeys(name for score in scores for name in score.shares):
        counts = [score.shares[name] for score in scores if name in score.shares]
        part, whole = (sum(numbers) for numbers in zip(*counts, strict=True))
        row[name] = 100 * part / whole if whole else None
        if whole:
            row[name + INTERVAL] = [100 * bound for bound in wilson_interval(part, whole)]
    measured = [{**score.values, **_latency_values(score)} for score in scores]
    for name in dict.fromkeys(name for values in measured for name in values):
        values = [those[name] for those in measured if name in those]
        row[name] = statistics.fmean(values)
        if interval := mean_interval(values):
            row[name + INTERVAL] = [max(0.0, interval[0]), min(greatest(name), interval[1])]
    return row


def _latency_values(score: BagScore) -> dict[str, float]:
    return {
        f"latency_{component}_{topic}_p50_s": latency.p50
        for (component, topic), latency in score.latencies.items()
    } | {f"latency_model_{role}_p50_s": latency.p50 for role, latency in score.model_latencies.items()}


def _episode(score: BagScore) -> dict[str, Any]:
    return {
        "name": f"{score.preset}/{score.bag}",
        "preset": score.preset,
        "group": score.bag,
        "duration_s": score.duration,
        **score.values,
        **{name: list(share) for name, share in score.shares.items()},
        "series": {name: asdict(series) for name, series in score.series.items()},
        "latencies": [
            {"component": component, "topic": topic, **_seconds(latency)}
            for (component, topic), latency in score.latencies.items()
        ],
        "model_latencies": [
            {"role": role, **_seconds(latency)} for role, latency in score.model_latencies.items()
        ],
        "answers": [_answer(marked) for marked in score.answers],
        "disagreements": [
            _disagreement(disagreement)
            for disagreement in (score.agreement.disagreements if score.agreement else ())
        ],
        "missing": list(score.missing),
    }


def _disagreement(disagreement: Disagreement) -> dict[str, Any]:
    other = disagreement.other
    return {
        **disagreement.point._asdict(),
        "differs": list(disagreement.differs),
        "recorded": asdict(disagreement.recorded.said),
        "other": None if other is None else asdict(other.said),
        "seen": {
            name: mine if mine == theirs else {"recorded": mine, "other": theirs}
            for name, mine, theirs in compared_inputs(disagreement.recorded, other)
        },
    }


def _seconds(latency: Latency) -> dict[str, float]:
    return {
        "count": latency.count,
        "p50_s": latency.p50,
        "p95_s": latency.p95,
        "max_s": latency.max,
    }


def _answer(marked: Marked) -> dict[str, Any]:
    return {
        "ask": marked.question.ask,
        "at": marked.question.at,
        "expect": marked.question.expect.model_dump(exclude_none=True),
        "text": marked.answer.text,
        "right": marked.is_right,
        "aspects": dict(marked.aspects),
    }


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in row.items():
        if name.endswith(INTERVAL):
            measure = name.removesuffix(INTERVAL)
            flat[f"{measure}_low"], flat[f"{measure}_high"] = value
        else:
            flat[name] = value
    return flat
