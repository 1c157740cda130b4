"""Compares the decisions of two presets or models on the same recording."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from stma_ros.evaluation.offline.decisions import PLAN, Decision, DecisionInput, DecisionOutput, DecisionPoint
from stma_ros.evaluation.tally import Tally

FIRST_ACTION, WHOLE_PLAN, SUBGOAL = "first action", "whole plan", "subgoal"
VERDICT = "verdict"
TEMPORAL_BELIEF, SPATIAL_BELIEF = "temporal belief", "spatial belief"
ASPECTS = (FIRST_ACTION, WHOLE_PLAN, SUBGOAL, VERDICT, TEMPORAL_BELIEF, SPATIAL_BELIEF)

_DECIDED = (FIRST_ACTION, WHOLE_PLAN, SUBGOAL, VERDICT)


@dataclass(frozen=True)
class Disagreement:
    """Two different decisions at one point. other: None where there was no answer."""

    differs: tuple[str, ...]
    recorded: Decision
    other: Decision | None

    @property
    def point(self) -> DecisionPoint:
        return self.recorded.point

    def text(self) -> str:
        """Text for people: both decisions, and the differences of their inputs."""
        point, seen = self.point, self.recorded.seen
        asked = f"plan for {seen.task!r}" if point.kind == PLAN else f"verdict on {seen.proposal}"
        lines = [
            f"{point.task_id}, step {point.step}, revision {point.revision}: {asked}",
            f"  recorded: {decision_text(self.recorded.said)}",
            f"  other:    {'no answer' if self.other is None else decision_text(self.other.said)}",
        ]
        inputs = list(compared_inputs(self.recorded, self.other))
        if same := [name for name, recorded_input, other_input in inputs if recorded_input == other_input]:
            lines.append(f"  both saw the same: {', '.join(same)}")
        for name, recorded_input, other_input in inputs:
            if recorded_input != other_input:
                lines.append(f"  {name} (-: only recorded, +: only other):")
                lines += [f"    {line}" for line in _changed(recorded_input, other_input)]
        return "\n".join(lines)


@dataclass(frozen=True)
class Agreement:
    """Agreement of two sets of decisions.

    Attributes:
        shares: equal of all, by aspect, those of ASPECTS that occur.
        disagreements: in the order of the recording. Beliefs are equal when their texts are; different beliefs with the
            same decision are no disagreement.
    """

    shares: Mapping[str, Tally]
    disagreements: tuple[Disagreement, ...]


def agreement(
    recorded: Mapping[DecisionPoint, Decision], other: Mapping[DecisionPoint, Decision]
) -> Agreement:
    """Compares decisions at each recorded decision point; a missing answer counts as different."""
    counts: dict[str, list[bool]] = {}
    disagreements = []
    for point, decision in recorded.items():
        answer = other.get(point)
        same = dict(_compare(decision, answer))
        for aspect, equal in same.items():
            counts.setdefault(aspect, []).append(equal)
        differs = tuple(aspect for aspect in _DECIDED if not same.get(aspect, True))
        if differs:
            disagreements.append(Disagreement(differs, decision, answer))
    shares = {
        aspect: Tally(sum(counts[aspect]), len(counts[aspect]), len(counts[aspect]))
        for aspect in ASPECTS
        if aspect in counts
    }
    return Agreement(shares, tuple(disagreements))


def decision_text(said: DecisionOutput) -> str:
    """Formats a decision: "navigate(sink_1), fill(sink_1); subgoal: ...", "rejected: ..."."""
    if said.error:
        return f"no plan: {said.error}"
    if said.verdict:
        return f"{said.verdict}: {said.reason}" if said.reason else said.verdict
    plan = ", ".join(said.actions) or "no action"
    return f"{plan}; subgoal: {said.subgoal or 'none'}" + (f" ({said.reason})" if said.reason else "")


def compared_inputs(recorded: Decision, other: Decision | None) -> Iterator[tuple[str, str, str]]:
    """Yields name, recorded text and other text of each input; inputs that both lack are left out."""
    recorded_input, other_input = (
        _inputs(recorded.seen),
        _inputs(recorded.seen if other is None else other.seen),
    )
    for name in recorded_input:
        if recorded_input[name] or other_input[name]:
            yield name, recorded_input[name], other_input[name]


def _inputs(seen: DecisionInput) -> dict[str, str]:
    return {
        "feedback": seen.feedback,
        "subgoal": seen.subgoal,
        "observation": seen.observation,
        "rejected before": "\n".join(seen.rejected),
        "allowed actions": "\n".join(seen.allowed),
        TEMPORAL_BELIEF: seen.temporal_belief,
        SPATIAL_BELIEF: seen.spatial_belief,
    }


def _changed(recorded_input: str, other_input: str) -> list[str]:
    """The lines that only one of two texts has."""
    lines = difflib.ndiff(recorded_input.splitlines(), other_input.splitlines())
    return [line for line in lines if line.startswith(("- ", "+ "))]


def _compare(recorded: Decision, other: Decision | None) -> Iterator[tuple[str, bool]]:
    recorded_input, other_input = (
        recorded.said,
        DecisionOutput(error="no answer") if other is None else other.said,
    )
    if recorded.point.kind == PLAN:
        both = recorded_input.error == other_input.error
        yield FIRST_ACTION, both and recorded_input.actions[:1] == other_input.actions[:1]
        yield WHOLE_PLAN, both and recorded_input.actions == other_input.actions
        yield SUBGOAL, both and recorded_input.subgoal == other_input.subgoal
    else:
        yield VERDICT, recorded_input.verdict == other_input.verdict
    if other is not None:
        yield TEMPORAL_BELIEF, recorded.seen.temporal_belief == other.seen.temporal_belief
        yield SPATIAL_BELIEF, recorded.seen.spatial_belief == other.seen.spatial_belief
