"""Tests that planner and critic of a household robot decide the same from beliefs and from their question's text."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise

import pytest

from stma_ros.domains.household.belief_index import BeliefIndex, KnownObject
from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.critic import SymbolicCritic
from stma_ros.domains.household.outcome_index import action
from stma_ros.domains.household.planner import SymbolicPlanner
from stma_ros.domains.household.summariser import FAILURE_TEXTS, SymbolicSummariser
from stma_ros.roles.critic import CritiqueQuery
from stma_ros.roles.planner import PlanQuery
from stma_ros.roles.summariser import SummariseQuery
from stma_ros.testing.model_server.household import criticise, plan
from stma_ros.testing.model_server.household_beliefs import read_spatial, read_temporal
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, Summary
from stma_ros.types.errors import ErrorCode
from stma_ros.types.evidence import EvidenceSource
from stma_ros.types.planning import Outcome, Result, Verdict
from stma_ros.types.scene_graph import Relation
from stma_ros.types.sensing import Observation
from support.roles.described_games import FixedTaskParser, described, random_game
from support.roles.scripted_client import text_of
from support.roles.scripted_home import Belief, explore, navigate, open_, outcome
from support.roles.scripted_household import Game


def decisions(game: Game, query: PlanQuery | CritiqueQuery) -> tuple[str, str]:
    """Returns the decisions from the beliefs and from their texts."""
    question = text_of(query)
    if isinstance(query, CritiqueQuery):
        verdict = SymbolicCritic(household_categories()).answer(query).verdict
        by_words = criticise(question, FixedTaskParser(game.goals)).verdict
        return "accept" if verdict == Verdict.ACCEPTED else "reject", by_words
    answer = SymbolicPlanner(household_categories()).answer(query)
    return str(answer.actions[0]), plan(question, FixedTaskParser(game.goals)).actions[0]


@pytest.mark.parametrize("seed", range(12))
def test_household_rules_decide_the_same_from_text_and_from_beliefs(seed: int) -> None:
    game = random_game(seed)

    game.play(250)

    assert game.asked
    different = [pair for pair in (decisions(game, query) for query in game.asked) if pair[0] != pair[1]]
    assert different == []


@dataclass(frozen=True)
class IndexPair:
    """The indices of a belief and of the belief that is read from its text."""

    before: BeliefIndex
    after: BeliefIndex


def read_back(belief: SpatialBelief) -> IndexPair:
    description = described(belief)
    again = read_spatial(description.text)
    assert again.room == belief.room
    knowledge = household_categories()
    return IndexPair(
        BeliefIndex(belief.facts, belief.routes, knowledge), BeliefIndex(again.facts, again.routes, knowledge)
    )


def known_of(thing: KnownObject) -> str:
    """Returns the fields of an object except states, room and stamps, as text because NaN does not equal itself."""
    where = thing.inside, thing.on, thing.put_next_to, thing.held, thing.is_missing
    return repr((thing.category, where, thing.colours, thing.size, thing.confidence, thing.seen_once))


def test_household_description_preserves_all_facts_of_an_object() -> None:
    belief = Belief().room("room_1", "kitchen").room("room_2").frontier("frontier_3", 6.2, 4.0, "room_1")
    belief.thing("table_1", "coffee table", "room_1", 2.0, 1.0)
    belief.thing("mug_1", "mug", "", 2.1, 0.6, colour="red", on="table_1").add("mug_1", words.SIZE, "0.09")
    belief.thing("fridge_1", "fridge", "room_1", 0.2, state="closed").add("fridge_1", words.STATE, "off")
    belief.thing("milk_1", "milk", "", 3.0, inside="fridge_1").add("milk_1", words.STATE, words.STATE_MISSING)
    belief.thing("cup_1", "cup", "room_2", math.nan, once=True).add("cup_1", words.HELD_BY, words.ROBOT)
    belief.add("fridge_1", words.NEAR, "table_1").add(words.ROBOT, words.NEAR, "mug_1")
    belief.thing("book_1", "book", "room_1", 2.5).facts.append(
        Relation("book_1", words.NEAR, "fridge_1", source=EvidenceSource.OWN_ACTION, confidence=1.0)
    )
    belief.add("mug_1", words.TAKEN_OUT_OF, "fridge_1").add("mug_1", words.TAKEN_FROM, "room_2")
    belief.add("cup_1", words.TAKEN_OFF, "table_1").add("milk_1", words.TAKEN_FROM_BESIDE, "fridge_1")
    belief.add("jar_1", words.SEEMS, "jar", 0.4).add("jar_1", words.SEEMS, "coffee machine", 0.2)
    belief.add("jar_1", words.COLOUR, "red").add("jar_1", words.IN_ROOM, "room_2").route("jar_1", 3.4)

    views = read_back(belief.done())

    assert views.after.rooms == views.before.rooms
    assert views.after.frontiers == views.before.frontiers
    assert views.after.objects.keys() == views.before.objects.keys()
    for name, thing in views.before.objects.items():
        again = views.after.objects[name]
        assert known_of(again) == known_of(thing)
        assert again.origin == thing.origin
        assert [state.object for state in again.states] == [state.object for state in thing.states]
        assert views.after.room_of(again) == views.before.room_of(thing)
        assert views.after.at_hand(name) is views.before.at_hand(name)
        assert views.after.reachable(name) is views.before.reachable(name)
    (seeming,), (again,) = (view.unconfirmed.values() for view in (views.before, views.after))
    assert known_of(again) == known_of(replace(seeming, first_seen=seeming.last_seen))
    assert (again.room, again.other_kinds) == (seeming.room, seeming.other_kinds)
    assert views.after.length("jar_1") == pytest.approx(3.4)
    assert views.after.near("fridge_1") == ("book_1", "table_1")
    assert views.after.length("frontier_3") == pytest.approx(4.0)


@pytest.mark.parametrize(("away", "stated"), [(2.2, False), (2.3, True)])
def test_household_description_states_the_distance_of_an_object_when_it_differs_from_its_support(
    away: float, stated: bool
) -> None:
    belief = Belief().room("room_1", "kitchen").thing("table_1", "table", "room_1", 2.0)
    belief.thing("mug_1", "mug", "", away, on="table_1")

    assert (f"{away} m" in described(belief.done()).text) is stated
    assert read_back(belief.done()).after.length("mug_1") == pytest.approx(away if stated else 2.0)


def test_household_description_does_not_round_a_distance_into_reach() -> None:
    belief = Belief().room("room_1", "kitchen").thing("table_1", "table", "room_1", 0.32)

    assert not read_back(belief.done()).after.at_hand("table_1")


def test_household_description_leaves_out_neighbours_that_follow_from_places() -> None:
    belief = Belief().room("room_1", "kitchen")
    belief.thing("table_1", "table", "room_1").thing("sink_1", "sink", "room_1").thing(
        "oven_1", "oven", "room_1"
    )
    belief.thing("mug_1", "mug", on="table_1").thing("cup_1", "cup", on="table_1")
    for one, other in (
        ("cup_1", "mug_1"),
        ("mug_1", "table_1"),
        ("sink_1", "table_1"),
        ("mug_1", "sink_1"),
        ("mug_1", "oven_1"),
    ):
        belief.add(one, words.NEAR, other)

    assert (
        "Next to each other: mug_1 and oven_1; sink_1 and table_1."
        in described(belief.done()).text.splitlines()
    )


def summarised(*outcomes: Outcome, **last: object) -> Summary:
    records = [Observation(step=done.step, last_outcome=done) for done in outcomes]
    records[-1] = replace(records[-1], **last)  # type: ignore[arg-type]
    return SymbolicSummariser().answer(SummariseQuery("", Summary(), tuple(records), len(records)))


@pytest.mark.parametrize("code", [code for code in ErrorCode if 200 <= code < 300])
def test_household_summary_states_a_failure_in_words_of_its_code(code: ErrorCode) -> None:
    done = outcome(3, action("pick", "mug_1"), code)
    done = replace(done, error=replace(done.error, text="it did not work; try\nsomething else"))

    (read,) = read_temporal(summarised(done).text).completed

    assert (read.action, read.result, read.error.code) == (done.action, Result.FAILED, code)
    assert read.error.text == "it did not work, try something else"


def test_failure_reasons_of_the_household_are_not_prefixes_of_each_other() -> None:
    reasons = sorted(FAILURE_TEXTS.values())
    assert not [one for one, other in pairwise(reasons) if other.startswith(one)]


def test_household_summary_preserves_completed_actions_in_order() -> None:
    past = (
        outcome(1, action("look_around")),
        outcome(2, explore("frontier_1")),
        outcome(3, navigate("cupboard_1"), ErrorCode.BLOCKED, distance=0.01),
        outcome(4, open_("cupboard_1")),
        *(outcome(5 + i, action(skill, "sink_1")) for i, skill in enumerate(words.MANIPULATIONS)),
        replace(outcome(20, navigate("sink_1"), ErrorCode.CANCELED, 1.2), result=Result.CANCELED),
        outcome(21, action("wave", "mug_1", "table_1")),
    )

    read = read_temporal(summarised(*past).text).completed

    assert [(o.step, o.action, o.result, o.distance > 0) for o in read] == [
        (o.step, o.action, o.result, o.distance > 0) for o in past
    ]
    stamps = [o.header.stamp.nanoseconds for o in read]
    assert stamps == sorted(set(stamps))
    assert [o.header.stamp.sec for o in read] == [o.header.stamp.sec for o in past]


def test_household_description_dates_a_missing_state_after_earlier_actions() -> None:
    belief = Belief().room("room_1").thing("mug_1", "mug", "room_1")
    belief.add("mug_1", words.STATE, words.STATE_MISSING)
    missed = read_spatial(described(belief.done()).text).facts
    (since,) = (fact.last_seen for fact in missed if fact.object == words.STATE_MISSING)
    steps = read_temporal(
        summarised(*(outcome(step, navigate("bed_1")) for step in (1, 2, 3))).text
    ).completed

    assert [o.header.stamp.nanoseconds > since.nanoseconds for o in steps] == [False, False, True]


def test_household_summary_states_the_held_object() -> None:
    assert "In the hand: mug_1." in summarised(outcome(1, action("pick", "mug_1")), holding=True).text
    assert "In the hand: something." in summarised(outcome(1, action("look_around")), holding=True).text
    put = summarised(outcome(1, action("pick", "mug_1")), outcome(2, action("place_on", "table_1")))
    assert "In the hand" not in put.text
