"""A control for learning: experiences that are right in form, and about other things than they tell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from stma_ros.memory.findings import findings
from stma_ros.types import vocabulary as words
from stma_ros.types.experience import Experience, ReasonedStep
from stma_ros.types.scene_graph import Relation


def exchanged_things(experiences: Sequence[Experience], rng: np.random.Generator) -> list[Experience]:
    """Returns the experiences with their things exchanged: what was found out about one kind is told of another one.

    The kinds of which something was found out change places in a random order, none stays. So there are as many
    experiences of each form as before, tasks name the same kinds as often in all, and places are as plausible; only
    what belongs to which task is lost. With fewer than two kinds nothing can be exchanged, and none is returned.
    """
    kinds = sorted({finding.thing for each in experiences for finding in findings(each) if finding.thing})
    if len(kinds) < 2:
        return []
    order = [str(kind) for kind in rng.permutation(kinds)]
    other = dict(zip(order, [*order[1:], order[0]], strict=True))  # a single cycle: no kind stays
    return [_exchanged(each, other) for each in experiences]


def _exchanged(experience: Experience, other: Mapping[str, str]) -> Experience:
    return replace(
        experience,
        task=_text(experience.task, other),
        justification=_text(experience.justification, other),
        steps=tuple(_step(step, other) for step in experience.steps),
        surroundings=tuple(_facts(experience.surroundings, other)),
    )


def _step(step: ReasonedStep, other: Mapping[str, str]) -> ReasonedStep:
    return replace(
        step,
        graph=tuple(_facts(step.graph, other)),
        rationale=_text(step.rationale, other),
        justification=_text(step.justification, other),
    )


def _facts(graph: Iterable[Relation], other: Mapping[str, str]) -> Iterable[Relation]:
    """Yields the facts; ids of objects stay, as they mean nothing elsewhere."""
    for fact in graph:
        is_kind = fact.predicate == words.IS_A and fact.object in other
        yield replace(fact, object=other[fact.object]) if is_kind else fact


def _text(text: str, other: Mapping[str, str]) -> str:
    names = "|".join(re.escape(kind) for kind in sorted(other, key=len, reverse=True))
    return re.sub(rf"\b({names})(?=s?\b)", lambda match: other[match.group(1)], text)
