"""Tests of summariser, relation retriever and relation aggregator of household tasks."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.feasibility import MAX_CHANCE_FAILURES, MAX_CHOICES
from stma_ros.domains.household.outcome_index import OutcomeIndex
from stma_ros.domains.household.relation_aggregator import SymbolicRelationAggregator
from stma_ros.domains.household.relation_retriever import SymbolicRelationRetriever
from stma_ros.domains.household.summariser import SymbolicSummariser
from stma_ros.roles.relation_aggregator import AggregateQuery
from stma_ros.roles.relation_retriever import RelationQuery
from stma_ros.roles.summariser import SummariseQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import Summary, TemporalBelief
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Action, Outcome, Result
from stma_ros.types.sensing import Observation
from stma_ros.types.standard import Time
from support.roles.scripted_home import (
    HOUSEHOLD,
    LOOK_AROUND,
    Belief,
    explore,
    navigate,
    open_,
    outcome,
    temporal,
)


def record(done: Outcome, **more: object) -> Observation:
    return Observation(step=done.step, last_outcome=done, **more)  # type: ignore[arg-type]


def summarised(outcomes: list[Outcome], buffer: int = 25) -> Summary:
    """Returns the summary after all outcomes, updated step by step like in the component."""
    summary, records = Summary(), [Observation(step=0)]
    for done in outcomes:
        records = [*records, record(done)][-buffer:]
        summary = SymbolicSummariser().answer(SummariseQuery("find the mug", summary, tuple(records), 1))
    return summary


STORY = [
    outcome(1, LOOK_AROUND),
    outcome(2, navigate("fridge_1"), ErrorCode.UNREACHABLE),
    outcome(3, explore("frontier_1")),
    outcome(4, navigate("cupboard_1")),
    outcome(5, open_("cupboard_1")),
    outcome(6, open_("table_1"), ErrorCode.NOT_OPENABLE),
]


@pytest.mark.parametrize(
    ("error", "duration", "since"),
    [
        (ErrorCode.NONE, 4.0, 6),
        (ErrorCode.NONE, math.nan, 10),  # not measured
        (ErrorCode.NONE, 99.0, 0),
        (ErrorCode.ALREADY_OPEN, 4.0, 10),
    ],
)
def test_opened_thing_counts_as_open_from_the_beginning_of_the_skill(
    error: ErrorCode, duration: float, since: int
) -> None:
    done = replace(outcome(10, open_("fridge_1"), error), duration=duration)
    (fact,) = SymbolicRelationRetriever(HOUSEHOLD).answer(RelationQuery(temporal(done))).triples
    assert (fact.object, fact.first_seen, fact.last_seen) == (words.STATE_OPEN, Time(since), Time(10))


def test_summary_contains_actions_progress_and_advice() -> None:
    summary = summarised(STORY)
    assert summary.completed == tuple(STORY)
    assert summary.active_goals == ("find the mug",)
    assert summary.progress == "1 frontiers explored, 1 containers opened, 2 actions failed"
    assert summary.suggestions == ("try navigate(fridge_1) again only from elsewhere", "leave table_1 alone")
    assert summary.text.splitlines() == [
        "What the robot did:",
        "Step 1, 1 s: looked around.",
        "Step 2, 2 s: tried navigate(fridge_1) in vain: no free way leads there.",
        "Step 3, 3 s: explored frontier_1.",
        "Step 4, 4 s: went to cupboard_1.",
        "Step 5, 5 s: opened cupboard_1.",
        "Step 6, 6 s: tried open(table_1) in vain: it does not open.",
        "Progress: 1 frontiers explored, 1 containers opened, 2 actions failed.",
        "Advice: try navigate(fridge_1) again only from elsewhere; leave table_1 alone.",
    ]


def test_summary_does_not_count_the_first_observation_as_an_action() -> None:
    first = record(outcome(0, Action(words.SKILL_OBSERVE)))
    summary = SymbolicSummariser().answer(SummariseQuery("find the mug", Summary(), (first,), 1))
    assert summary.completed == ()
    assert "Nothing was done yet." in summary.text


def test_summary_condenses_records_that_left_the_buffer() -> None:
    repeated = [outcome(step, navigate("table_1")) for step in range(7, 20)]
    summary = summarised([*STORY, *repeated], buffer=3)
    assert [o.step for o in summary.completed] == [1, 2, 3, 4, 5, 6, 16, 17, 18, 19]
    assert summary.text.splitlines()[1].startswith(
        "Earlier, after so many seconds: 1 looked around; 2 tried navigate(fridge_1) in vain: no free way leads"
    )
    assert len(summary.text.splitlines()) == 7


def test_summary_retains_the_last_three_old_failures_of_each_action() -> None:
    story = [
        outcome(step, navigate(f"box_{step % 3}"), ErrorCode.BLOCKED if step % 2 else ErrorCode.NONE)
        for step in range(1, 601)
    ]
    short, long = summarised(story[:60], buffer=6), summarised(story, buffer=6)
    assert len(short.completed) == len(long.completed) == 3 * (1 + 3) + 6
    assert len(short.text.splitlines()) == len(long.text.splitlines())
    old = [o for o in long.completed if o.step <= 594]
    failed = [o.step for o in old if o.result == Result.FAILED]
    assert failed == [577, 579, 581, 583, 585, 587, 589, 591, 593]
    assert [o.step for o in old if o.result == Result.SUCCEEDED] == [590, 592, 594]
    assert long.progress == "0 frontiers explored, 0 containers opened, 3 actions failed"


def test_summary_notes_a_collision_of_the_bumper() -> None:
    records = record(outcome(1, LOOK_AROUND), bumper=True), record(outcome(2, LOOK_AROUND))
    summary = SymbolicSummariser().answer(SummariseQuery("find the key", Summary(), records, 2))
    assert summary.observations == ("step 1: the robot touched something",)


def test_retriever_derives_relations_from_actions() -> None:
    past = temporal(*STORY, outcome(7, open_("oven_1"), ErrorCode.ALREADY_OPEN))
    triples = SymbolicRelationRetriever(HOUSEHOLD).answer(RelationQuery(past)).triples
    assert [(t.subject, t.predicate, t.object) for t in triples] == [
        ("cupboard_1", "state", "open"),
        ("table_1", "state", "not openable"),
        ("oven_1", "state", "open"),
    ]
    assert triples[0].first_seen == triples[0].last_seen == STORY[4].header.stamp


def test_retriever_gives_the_newest_state_of_an_object() -> None:
    past = temporal(outcome(1, navigate("box_1"), ErrorCode.NO_SUCH_TARGET), outcome(2, open_("box_1")))
    (fact,) = SymbolicRelationRetriever(HOUSEHOLD).answer(RelationQuery(past)).triples
    assert (fact.subject, fact.object) == ("box_1", words.STATE_OPEN)


def test_retriever_does_not_take_what_the_hand_holds_for_missing() -> None:
    taken = outcome(1, Action(words.SKILL_PICK, ("torch_1",)))
    failed = outcome(2, Action(words.SKILL_SWITCH_ON, ("torch_1",)), ErrorCode.NO_SUCH_TARGET)
    (fact,) = SymbolicRelationRetriever(HOUSEHOLD).answer(RelationQuery(temporal(taken, failed))).triples
    assert (fact.subject, fact.predicate) == ("torch_1", words.HELD_BY)


def test_description_states_conclusions_from_the_facts() -> None:
    belief = Belief().room("room_1", "kitchen").room("room_2")
    belief.thing("table_1", "table", "room_1", 2.0)
    belief.thing("bowl_1", "bowl", on="table_1").thing("apple_1", "apple", inside="bowl_1", colour="red")
    belief.thing("fridge_1", "fridge", "room_1", 4.0, state="closed")
    belief.thing("cupboard_1", "cupboard", "room_2", math.nan, state="unknown")
    belief.thing("oven_1", "oven", "room_1", 1.0, state="open")
    belief.frontier("frontier_1", 2.0, 5.0, "room_2").frontier("frontier_2", 6.2, 3.2)
    text = (
        SymbolicRelationAggregator(household_categories())
        .answer(AggregateQuery("room_1", tuple(belief.facts), tuple(belief.routes)))
        .text
    )
    assert text.splitlines() == [
        "The robot is in room_1 (kitchen).",
        "room_1 (kitchen) contains apple_1 [red, in bowl_1, 90% sure], bowl_1 [on table_1, 90% sure, 3.0 m], "
        "fridge_1 [closed, 90% sure, 4.0 m], oven_1 [open, 90% sure, 1.0 m] and table_1 [90% sure, 2.0 m].",
        "room_2 contains cupboard_1 [90% sure, no way known].",
        "Unopened, nearest first: fridge_1 and cupboard_1.",
        "Unexplored, nearest first: frontier_2 [6.2 m2 unknown, 3.2 m] and "
        "frontier_1 [in room_2, 2.0 m2 unknown, 5.0 m].",
        "All of this was first seen at a single glance.",
    ]


def test_description_of_no_facts_and_of_a_cycle_is_possible() -> None:
    aggregate = SymbolicRelationAggregator(household_categories()).answer
    nothing = aggregate(AggregateQuery("", (), ())).text
    assert nothing.splitlines()[0] == "The robot is in a room that is not known."
    circle = Belief().thing("box_1", "box", inside="box_2").thing("box_2", "box", inside="box_1")
    assert "box_1 [in box_2, 90% sure]" in aggregate(AggregateQuery("", tuple(circle.facts), ())).text


def act(skill: str, target: str) -> Action:
    return Action(skill, (target,))


def facts(*outcomes: Outcome) -> list[tuple[str, str, str]]:
    triples = SymbolicRelationRetriever(HOUSEHOLD).answer(RelationQuery(temporal(*outcomes))).triples
    return [(t.subject, t.predicate, t.object) for t in triples]


PICKED = outcome(1, act("pick", "mug_1"))


def test_retriever_follows_the_held_object_through_actions() -> None:
    assert facts(PICKED) == [("mug_1", words.HELD_BY, words.ROBOT)]
    filled = outcome(2, act("fill", "sink_1"))
    assert ("mug_1", words.STATE, words.STATE_FULL) in facts(PICKED, filled)
    placed = outcome(3, act("place_in", "sink_1"))
    assert facts(PICKED, filled, placed)[-1] == ("mug_1", words.IN, "sink_1")
    dropped = outcome(2, navigate("sink_1"), ErrorCode.DROPPED)
    assert facts(PICKED, dropped) == [("mug_1", words.STATE, words.STATE_MISSING)]
    assert facts(PICKED, dropped, outcome(3, act("pick", "mug_1"))) == [("mug_1", words.HELD_BY, words.ROBOT)]


def test_retriever_takes_a_vessel_for_empty_that_was_full_and_slipped_out_of_the_hand() -> None:
    filled = outcome(2, act("fill", "sink_1"))
    dropped = outcome(3, navigate("table_1"), ErrorCode.DROPPED)
    known = facts(PICKED, filled, dropped)
    assert ("mug_1", words.STATE, words.STATE_EMPTY) in known
    assert ("mug_1", words.STATE, words.STATE_FULL) not in known
    filled_again = (outcome(4, act("pick", "mug_1")), outcome(5, act("fill", "sink_1")))
    assert ("mug_1", words.STATE, words.STATE_FULL) in facts(PICKED, filled, dropped, *filled_again)


def test_retriever_gives_states_of_different_dimensions_together() -> None:
    past = (
        outcome(1, open_("oven_1")),
        outcome(2, act("switch_on", "oven_1")),
        outcome(3, act("close", "oven_1")),
        outcome(4, act("switch_off", "lamp_1"), ErrorCode.ALREADY_OFF),
    )
    assert facts(*past) == [
        ("oven_1", words.STATE, words.STATE_ON),
        ("oven_1", words.STATE, words.STATE_CLOSED),
        ("lamp_1", words.STATE, words.STATE_OFF),
    ]


def test_retriever_derives_full_and_closed_from_failed_placements() -> None:
    full = outcome(2, act("place_in", "bin_1"), ErrorCode.NO_ROOM)
    assert ("bin_1", words.STATE, words.STATE_FULL) in facts(PICKED, full)
    heaped = outcome(2, act("place_in", "bowl_1"), ErrorCode.NO_ROOM)  # which says nothing of water in it
    assert ("bowl_1", words.STATE, words.STATE_FULL) not in facts(PICKED, heaped)
    shut = outcome(2, act("place_in", "fridge_1"), ErrorCode.IS_CLOSED)
    assert ("fridge_1", words.STATE, words.STATE_CLOSED) in facts(PICKED, shut)


def test_summary_preserves_placements_beyond_the_buffer() -> None:
    story = []
    for step in range(1, 40, 2):
        story += [
            outcome(step, act("pick", f"mug_{step % 6}")),
            outcome(step + 1, act("place_in", f"sink_{step % 4}")),
        ]
    everything, condensed = temporal(*story), temporal(*summarised(story, buffer=3).completed)
    retrieve = SymbolicRelationRetriever(HOUSEHOLD).answer

    def places(past: TemporalBelief) -> set[tuple[str, str, str]]:
        return {(t.subject, t.predicate, t.object) for t in retrieve(RelationQuery(past)).triples}

    assert places(condensed) == places(everything)
    # The last two picks and placements of each mug at each of two sinks, one without the other, and the buffer.
    assert len(condensed.completed) <= 2 * 2 * 3 * 2 + 1 + 3


def test_summary_preserves_each_place_of_an_object_beyond_the_buffer_and_how_often_it_was_put_there() -> None:
    places = ["table_1", "sink_1", "table_1", "sink_1", "table_1", "shelf_1"]
    story = []
    for place in places:
        story += [act("pick", "mug_1"), act("place_on", place)]
    story += [item for k in range(30) for item in (act("pick", f"plate_{k}"), act("place_on", "shelf_1"))]
    completed = summarised([outcome(step, item) for step, item in enumerate(story, 1)]).completed
    assert [place for _, place in OutcomeIndex(completed).placements("mug_1")] == [
        "sink_1",
        "table_1",
        "sink_1",
        "table_1",
        "shelf_1",
    ]
    assert OutcomeIndex(completed).placements("plate_0") == ((words.ON, "shelf_1"),)


@pytest.mark.parametrize(
    ("code", "kept"), [(ErrorCode.BAD_STANCE, MAX_CHOICES), (ErrorCode.GRASP_FAILED, MAX_CHANCE_FAILURES)]
)
def test_summary_preserves_as_many_failures_as_end_the_attempts(code: ErrorCode, kept: int) -> None:
    attempts = [outcome(step, open_("fridge_1"), code) for step in range(1, 13)]
    looks = [outcome(step, LOOK_AROUND) for step in range(13, 20)]
    completed = summarised([*attempts, *looks], buffer=5).completed
    assert len(OutcomeIndex(completed).failures(open_("fridge_1"))) == kept


def test_summary_states_placements() -> None:
    summary = summarised([PICKED, outcome(2, act("place_on", "table_1")), outcome(3, act("close", "oven_1"))])
    assert "Step 2, 2 s: put mug_1 onto table_1." in summary.text
    assert "Step 3, 3 s: closed oven_1." in summary.text
    assert "1 things moved" in summary.progress
