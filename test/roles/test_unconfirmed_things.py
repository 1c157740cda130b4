"""Things that may not be there: the robot goes to look, and concludes nothing before."""

from __future__ import annotations

import pytest

from stma_ros.domains.household.belief_index import BeliefIndex
from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.goals import PlaceGoal
from stma_ros.types import vocabulary as words
from stma_ros.types.goals import ALL
from stma_ros.types.planning import Action, Verdict
from support.roles.scripted_home import Belief, explore, navigate, outcome
from support.roles.single_steps import MUG, SINK, judge, kitchen, plan

WENT_THERE = outcome(2, navigate("cup_1"))
LOOKED_INSIDE = outcome(1, Action(words.SKILL_OPEN, ("cupboard_1",)))


def home(likelihood: float = 0.4, kind: str = "mug", room: str = "room_1", away: float = 2.0) -> Belief:
    """Returns a kitchen in which something seems to be a cup, or of a kind."""
    belief = kitchen().add("cup_1", words.SEEMS, "cup", 0.45).add("cup_1", words.SEEMS, kind, likelihood)
    return belief.add("cup_1", words.IN_ROOM, room).route("cup_1", away)


def test_robot_looks_at_what_may_be_the_target_before_it_opens_things() -> None:
    answer = plan(home())
    assert answer.actions == (navigate("cup_1"),)
    assert "cup_1" in answer.reasoning
    assert judge(navigate("cup_1"), home()).verdict is Verdict.ACCEPTED


def test_robot_explores_first_where_a_target_is_likelier() -> None:
    belief = home(likelihood=0.05, away=9.0).frontier("frontier_1", 12.0, 1.0)
    assert plan(belief).actions == (explore("frontier_1"),)


def test_robot_does_not_look_at_what_seems_to_be_something_else() -> None:
    belief = home(kind="glass")
    belief.facts = [fact for fact in belief.facts if fact.subject != "cupboard_1"]
    assert plan(belief).actions != (navigate("cup_1"),)


def test_robot_does_not_go_twice_to_what_stays_unconfirmed() -> None:
    assert plan(home(), WENT_THERE).actions != (navigate("cup_1"),)


def test_all_of_a_kind_are_not_done_while_another_one_may_be_there() -> None:
    goal = PlaceGoal(MUG, ALL, words.IN, SINK)
    belief = Belief().room("room_1", "kitchen").thing("sink_1", "sink", "room_1", 0.2)
    belief.thing("mug_1", "mug", "room_1", 0.2, inside="sink_1")
    assert plan(belief, goals=(goal,)).actions != (navigate("cup_1"),)
    belief.add("cup_1", words.SEEMS, "mug", 0.4).route("cup_1", 2.0)
    assert plan(belief, goals=(goal,)).actions == (navigate("cup_1"),)


def test_unconfirmed_thing_is_no_object_of_the_belief() -> None:
    done = home().done()
    view = BeliefIndex(done.facts, done.routes, household_categories())
    assert "cup_1" not in view.objects
    thing = view.unconfirmed["cup_1"]
    assert (thing.category, thing.other_kinds, thing.room) == ("cup", ("mug",), "room_1")
    assert view.likelihood_unconfirmed(thing, "mug") == pytest.approx(0.4)
