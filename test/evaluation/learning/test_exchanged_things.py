"""Tests of the control for learning: the form of experiences stays, what they tell is exchanged."""

from __future__ import annotations

from collections import Counter

import numpy as np

from stma_ros.evaluation.learning.exchanged_things import exchanged_things
from stma_ros.memory.findings import findings
from stma_ros.types import vocabulary as words
from stma_ros.types.experience import Experience, ReasonedStep
from stma_ros.types.planning import Action
from test.support.experiences.made import graph_of, made

PLACES = {"mug": "table", "book": "shelf", "mug tree": "counter", "toy": "bed"}


def taken(thing: str) -> Experience:
    steps = (
        ReasonedStep(
            graph=graph_of(thing, PLACES[thing]),
            rationale=f"The {thing} is on the {PLACES[thing]}, other {thing}s are not.",
            action=Action("pick", (f"{thing}_1",)),
        ),
        ReasonedStep(graph=graph_of(thing, "sink"), rationale="It is done.", action=Action("finish")),
    )
    return made(task=f"put the {thing} into the sink", justification=f"The {thing} is there.", steps=steps)


EXPERIENCES = [taken(thing) for thing in PLACES]


def _exchanged(seed: int = 0) -> list[Experience]:
    return exchanged_things(EXPERIENCES, np.random.default_rng(seed))


def test_no_kind_keeps_what_was_found_out_about_it_and_each_kind_is_told_of_once() -> None:
    for seed in range(10):
        told = [findings(each)[0] for each in _exchanged(seed)]
        assert Counter(each.thing for each in told) == Counter(PLACES.keys())
        assert all(PLACES[each.thing] != each.place for each in told)
        assert [each.place for each in told] == list(PLACES.values())


def test_task_texts_and_graph_tell_of_the_same_other_kind() -> None:
    for own, other in zip(EXPERIENCES, _exchanged(), strict=True):
        (kind,) = (
            fact.object for fact in other.final_graph if fact.subject.endswith("_1") and _is_thing(fact)
        )
        assert other.task == f"put the {kind} into the sink"
        assert other.justification == f"The {kind} is there."
        assert other.steps[0].rationale.endswith(f", other {kind}s are not.")
        assert [step.action for step in other.steps] == [step.action for step in own.steps]
        assert (other.score, other.status) == (own.score, own.status)


def _is_thing(fact) -> bool:
    return fact.predicate == words.IS_A and fact.object in PLACES


def test_the_same_seed_exchanges_the_same() -> None:
    assert [each.task for each in _exchanged(3)] == [each.task for each in _exchanged(3)]
    assert len({tuple(each.task for each in _exchanged(seed)) for seed in range(20)}) > 1


def test_one_kind_alone_cannot_be_exchanged() -> None:
    assert exchanged_things([taken("mug")], np.random.default_rng(0)) == []
    assert exchanged_things([], np.random.default_rng(0)) == []
