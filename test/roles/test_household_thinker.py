"""Tests of the thinker by rules, and of what experience changes in its knowledge."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.learned_places import with_experience
from stma_ros.domains.household.planner import SymbolicPlanner
from stma_ros.domains.household.thinker import HouseholdThinker
from stma_ros.roles.planner import PlanQuery
from stma_ros.roles.thinker import ThinkQuery
from stma_ros.types.experience import RuleOfThumb
from stma_ros.types.planning import Action
from support.roles.scripted_home import (
    LOOK_AROUND,
    Belief,
    allowed,
    open_,
    outcome,
    temporal,
    with_goals,
)

HOUSEHOLD = household_categories()
TASK = "find the red mug"


def _query(*rules: RuleOfThumb, containers: Sequence[str] = ("cupboard", "oven")) -> ThinkQuery:
    """Returns the question in a kitchen where the mug may be in one of some containers, all just as near."""
    belief = Belief().room("room_1", "kitchen")
    for name in containers:
        belief = belief.thing(f"{name}_1", name, "room_1", 0.0, state="closed")
    past = with_goals(temporal(outcome(1, LOOK_AROUND)), TASK)
    names = tuple(f"{name}_1" for name in containers)
    actions = allowed(things=names, containers=names)
    return ThinkQuery(TASK, past, belief.done(), actions, rules=rules)


def _rule(place: str, found: int, looked: int, thing: str = "mug", room: str = "kitchen") -> RuleOfThumb:
    return RuleOfThumb(thing=thing, place=place, room=room, found=found, looked=looked)


def test_thinker_without_experience_does_the_first_action_of_the_plan() -> None:
    query = _query()
    plan = SymbolicPlanner(HOUSEHOLD).answer(
        PlanQuery(query.task, query.temporal, query.spatial, query.allowed_actions)
    )
    thought = HouseholdThinker(HOUSEHOLD).answer(query)
    assert thought.actions == plan.actions[:1] == (open_("cupboard_1"),)
    assert thought.reasoning.startswith(plan.reasoning)
    assert "So open(cupboard_1) is next, to look inside cupboard_1" in thought.reasoning


def test_experience_orders_the_search() -> None:
    thought = HouseholdThinker(HOUSEHOLD).answer(_query(_rule("oven", 9, 10), _rule("cupboard", 0, 10)))
    assert thought.actions == (open_("oven_1"),)


def test_experience_never_says_where_a_thing_is_now() -> None:
    seen = _query(_rule("oven", 50, 50))
    belief = Belief().room("room_1", "kitchen").thing("oven_1", "oven", "room_1", 0.0, state="closed")
    belief = belief.thing("table_1", "table", "room_1", 1.0).thing(
        "mug_1", "mug", "room_1", on="table_1", colour="red"
    )
    actions = allowed(things=("mug_1", "table_1"), containers=("oven_1",))
    thought = HouseholdThinker(HOUSEHOLD).answer(
        ThinkQuery(TASK, seen.temporal, belief.done(), actions, rules=seen.rules)
    )
    assert thought.actions == (Action("report", ("mug_1",)),)


def test_finds_raise_and_vain_looks_lower_the_share_of_a_place() -> None:
    before = HOUSEHOLD.share("mug", "cupboard")
    found = with_experience(HOUSEHOLD, [_rule("cupboard", 5, 5)]).share("mug", "cupboard")
    in_vain = with_experience(HOUSEHOLD, [_rule("cupboard", 0, 5)]).share("mug", "cupboard")
    assert in_vain < before < found


@pytest.mark.parametrize(("failures", "first"), [(0, "cupboard_1"), (1, "cupboard_1"), (3, "cabinet_1")])
def test_kind_that_could_several_times_not_be_opened_is_searched_later(failures: int, first: str) -> None:
    stuck = _rule("cupboard", 0, failures, thing="", room="")
    query = _query(stuck, containers=("cupboard", "cabinet"))
    assert HouseholdThinker(HOUSEHOLD).answer(query).actions == (open_(first),)


def test_kind_that_could_not_be_opened_loses_for_all_things_and_is_still_searched() -> None:
    stuck = _rule("cupboard", 0, 1000, thing="", room="")
    learned = with_experience(HOUSEHOLD, [stuck])
    for thing in ("mug", "plate"):
        assert 0 < learned.share(thing, "cupboard") < HOUSEHOLD.share(thing, "cupboard")
        assert learned.share(thing, "table") > HOUSEHOLD.share(thing, "table")
    alone = HouseholdThinker(HOUSEHOLD).answer(_query(stuck, containers=("cupboard",)))
    assert alone.actions == (open_("cupboard_1"),)


def test_few_finds_say_less_than_many() -> None:
    shares = [with_experience(HOUSEHOLD, [_rule("oven", n, n)]).share("mug", "oven") for n in (1, 4, 50)]
    assert HOUSEHOLD.share("mug", "oven") < shares[0] < shares[1] < shares[2]
    assert shares[0] < 0.5 < shares[2]


def test_rooms_of_things_are_learnt_and_other_things_stay_as_they_are() -> None:
    learned = with_experience(HOUSEHOLD, [_rule("desk", 20, 20, room="office")])
    assert max(learned.room_shares("mug"), key=learned.room_shares("mug").__getitem__) == "office"
    assert learned.room_shares("book") == HOUSEHOLD.room_shares("book")
    assert learned.share("book", "desk") == HOUSEHOLD.share("book", "desk")


@pytest.mark.parametrize("place", ["", "no such furniture"])
def test_unknown_places_in_rules_do_no_harm(place: str) -> None:
    learned = with_experience(HOUSEHOLD, [_rule(place, 3, 3, room="")])
    assert learned.share("mug", "cupboard") > 0
    assert learned.room_shares("mug")
