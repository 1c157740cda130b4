"""Planner and critic where the states of things are unknown or only guessed."""

from __future__ import annotations

import pytest

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.critic import SymbolicCritic
from stma_ros.domains.household.goals import FindGoal, Goal, StateGoal, goal_message
from stma_ros.domains.household.planner import SymbolicPlanner
from stma_ros.domains.household.relation_aggregator import SymbolicRelationAggregator
from stma_ros.memory.descriptions import Description
from stma_ros.roles.critic import CritiqueQuery
from stma_ros.roles.planner import PlanAnswer, PlanQuery
from stma_ros.roles.relation_aggregator import AggregateQuery
from stma_ros.testing.model_server.household_beliefs import read_spatial
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.errors import ErrorCode
from stma_ros.types.evidence import EvidenceSource
from stma_ros.types.planning import Action, Outcome, Verdict
from stma_ros.types.scene_graph import Relation
from support.roles.scripted_home import GIVE_UP, Belief, allowed, at, navigate, open_, outcome, temporal

KNOWN = household_categories()
FINISH, UNVERIFIED = Action("finish"), Action("finish_unverified")
SWITCH_OFF = Action("switch_off", ("lamp_1",))
DOOR_OPEN = StateGoal(Description("door"), words.STATE_OPEN)
LAMP_OFF = StateGoal(Description("lamp"), words.STATE_OFF)


def scene(
    state: str = "", confidence: float = 1.0, source: EvidenceSource = EvidenceSource.LABEL, second: int = 2
) -> Belief:
    """Returns a room with a door, a lamp and a cupboard; the state is that of all of them that can have it."""
    belief = Belief().room("room_1", "kitchen")
    for name, category in (("door_1", "door"), ("lamp_1", "lamp"), ("cupboard_1", "cupboard")):
        belief.thing(name, category, "room_1", 4.0)
        is_switched = state in (words.STATE_ON, words.STATE_OFF)
        if state and is_switched == (category == "lamp"):
            belief.facts.append(
                Relation(
                    name,
                    words.STATE,
                    state,
                    source=source,
                    confidence=confidence,
                    first_seen=at(second),
                    last_seen=at(second),
                )
            )
    return belief


def past(goal: Goal, *outcomes: Outcome) -> TemporalBelief:
    known = temporal(*outcomes)
    return TemporalBelief(at=known.at, goals=(goal_message(goal),), completed=known.completed)


def actions(*skills: Action) -> tuple[Action, ...]:
    return (*skills, *allowed(["door_1", "lamp_1", "cupboard_1"]), FINISH, UNVERIFIED)


def plan(goal: Goal, belief: Belief, *outcomes: Outcome, skills: tuple[Action, ...] = ()) -> PlanAnswer:
    query = PlanQuery("", past(goal, *outcomes), belief.done(), actions(*skills))
    return SymbolicPlanner(KNOWN).answer(query)


def accepts(
    action: Action, goal: Goal, belief: Belief, *outcomes: Outcome, skills: tuple[Action, ...] = ()
) -> bool:
    query = CritiqueQuery("", "", action, actions(*skills), past(goal, *outcomes), belief.done())
    return SymbolicCritic(KNOWN).answer(query).verdict == Verdict.ACCEPTED


WENT_TO_DOOR, WENT_TO_LAMP = outcome(3, navigate("door_1")), outcome(3, navigate("lamp_1"))

# -- goals


def test_goal_that_holds_for_certain_is_finished() -> None:
    assert plan(DOOR_OPEN, scene("open", 0.96)).actions == (FINISH,)
    assert plan(LAMP_OFF, scene("off", 0.96)).actions == (FINISH,)


@pytest.mark.parametrize("state", ["", "off"])
def test_state_that_is_unknown_or_guessed_is_made_certain_by_acting(state: str) -> None:
    belief = scene(state, 0.8)
    assert plan(LAMP_OFF, belief, skills=(SWITCH_OFF,)).actions == (navigate("lamp_1"), SWITCH_OFF)
    assert accepts(SWITCH_OFF, LAMP_OFF, belief, WENT_TO_LAMP, skills=(SWITCH_OFF,))
    found = outcome(4, SWITCH_OFF, ErrorCode.ALREADY_OFF)
    sure = scene("off", 1.0, EvidenceSource.OWN_ACTION, 4)
    answer = plan(LAMP_OFF, sure, WENT_TO_LAMP, found, skills=(SWITCH_OFF,))
    assert (answer.actions, answer.reasoning) == ((FINISH,), "Done: the lamp off (lamp_1).")


def test_guess_that_no_skill_can_check_is_looked_at_and_then_ends_unverified() -> None:
    belief = scene("open", 0.8)
    assert plan(DOOR_OPEN, belief).actions == (navigate("door_1"),)
    answer = plan(DOOR_OPEN, belief, WENT_TO_DOOR)
    assert answer.actions == (UNVERIFIED,)
    assert answer.reasoning == "Could not be checked: the door open (door_1 seems to be open)."
    assert accepts(UNVERIFIED, DOOR_OPEN, belief, WENT_TO_DOOR)
    assert not accepts(FINISH, DOOR_OPEN, belief, WENT_TO_DOOR)


@pytest.mark.parametrize("state", ["", "closed"])
def test_goal_that_neither_looks_nor_skills_can_reach_is_impossible(state: str) -> None:
    belief = scene(state, 0.8)
    answer = plan(DOOR_OPEN, belief, WENT_TO_DOOR)
    assert (answer.actions, answer.failure) == ((GIVE_UP,), ErrorCode.IMPOSSIBLE)
    assert not accepts(FINISH, DOOR_OPEN, belief, WENT_TO_DOOR)
    assert not accepts(UNVERIFIED, DOOR_OPEN, belief, WENT_TO_DOOR)


def test_critic_rejects_an_unverified_end_while_the_guess_can_be_checked() -> None:
    belief = scene("off", 0.8)
    assert not accepts(UNVERIFIED, LAMP_OFF, belief, skills=(SWITCH_OFF,))
    assert not accepts(UNVERIFIED, DOOR_OPEN, scene("open", 0.8))


def test_critic_rejects_an_unverified_end_of_what_is_known_to_be_done() -> None:
    assert not accepts(UNVERIFIED, DOOR_OPEN, scene("open"))


def test_state_on_which_looks_and_attempts_contradict_each_other_ends_unverified() -> None:
    tries = [outcome(step, SWITCH_OFF, ErrorCode.ALREADY_OFF) for step in (4, 5)]
    belief = scene("on", 0.97, second=7)
    once = plan(LAMP_OFF, belief, WENT_TO_LAMP, tries[0], skills=(SWITCH_OFF,))
    assert once.actions == (SWITCH_OFF,)
    answer = plan(LAMP_OFF, belief, WENT_TO_LAMP, *tries, skills=(SWITCH_OFF,))
    assert answer.actions == (UNVERIFIED,)
    assert accepts(UNVERIFIED, LAMP_OFF, belief, WENT_TO_LAMP, *tries, skills=(SWITCH_OFF,))


# -- search

MUG = FindGoal(Description("mug"))
OPEN_CUPBOARD = open_("cupboard_1")
INSIDE = (navigate("cupboard_1"), OPEN_CUPBOARD)


@pytest.mark.parametrize("state", ["", "open", "closed"])
def test_container_that_is_not_known_to_be_open_is_opened_in_a_search(state: str) -> None:
    assert plan(MUG, scene(state, 0.9), skills=(OPEN_CUPBOARD,)).actions == INSIDE


def test_container_that_seems_open_does_not_count_as_looked_into() -> None:
    looked = outcome(3, Action("look_around"))
    answer = plan(MUG, scene("open", 0.9), looked)
    assert answer.actions == (GIVE_UP,)
    assert "Looked into" not in answer.reasoning
    assert "Could not be searched: cupboard_1." in answer.reasoning
    assert "Looked into cupboard_1." in plan(MUG, scene("open", 0.96), looked).reasoning


def test_robot_that_cannot_open_containers_says_that_it_has_not_searched_them() -> None:
    answer = plan(MUG, scene(), outcome(3, Action("look_around")))
    assert answer.reasoning == (
        "No mug was found. Searched: room_1 (kitchen). Could not be searched: cupboard_1."
    )


def test_opened_container_is_looked_into_once_it_was_in_view_since() -> None:
    done = outcome(4, OPEN_CUPBOARD)
    unseen = scene("open", 1.0, EvidenceSource.OWN_ACTION, 4)
    unseen.facts = [
        Relation(f.subject, f.predicate, f.object, confidence=0.9, first_seen=at(1), last_seen=at(3))
        if f.predicate == words.IS_A
        else f
        for f in unseen.facts
    ]
    assert plan(MUG, unseen, done, skills=(OPEN_CUPBOARD,)).actions == (navigate("cupboard_1"),)
    again = outcome(5, navigate("cupboard_1"))
    answer = plan(MUG, unseen, done, again, skills=(OPEN_CUPBOARD,))
    assert answer.actions == (GIVE_UP,)
    assert "Looked into" not in answer.reasoning
    assert "Could not be searched: cupboard_1." in answer.reasoning
    seen = scene("open", 1.0, EvidenceSource.OWN_ACTION, 4)
    assert "Looked into cupboard_1." in plan(MUG, seen, done, skills=(OPEN_CUPBOARD,)).reasoning
    unseen.thing("plate_1", "plate", "room_1", inside="cupboard_1")
    assert "Looked into cupboard_1." in plan(MUG, unseen, done, skills=(OPEN_CUPBOARD,)).reasoning


def test_container_that_an_earlier_task_opened_is_looked_into_once_the_robot_went_to_it() -> None:
    looked, go = outcome(3, Action("look_around")), navigate("cupboard_1")
    belief = scene("open", 1.0, EvidenceSource.OWN_ACTION, 2)
    assert plan(MUG, belief, looked, skills=(OPEN_CUPBOARD,)).actions == (go,)
    arrived = plan(MUG, belief, looked, outcome(4, go), skills=(OPEN_CUPBOARD,))
    assert "Looked into cupboard_1." in arrived.reasoning
    stuck = plan(MUG, belief, looked, outcome(4, go, ErrorCode.BLOCKED), skills=(OPEN_CUPBOARD,))
    assert "Looked into" not in stuck.reasoning


def test_container_that_was_found_open_is_not_looked_into_by_going_to_it() -> None:
    found = outcome(3, OPEN_CUPBOARD, ErrorCode.ALREADY_OPEN)
    belief = scene("open", 1.0, EvidenceSource.OWN_ACTION, 3)
    answer = plan(MUG, belief, found, outcome(4, navigate("cupboard_1")), skills=(OPEN_CUPBOARD,))
    assert "Looked into" not in answer.reasoning


@pytest.mark.parametrize(("state", "opens"), [("", False), ("open", False), ("closed", True)])
def test_door_between_known_rooms_is_opened_in_a_search_only_if_it_seems_closed(
    state: str, opens: bool
) -> None:
    belief = scene(state, 0.8).room("room_2", "bedroom").thing("bed_1", "bed", "room_2")
    belief.add("door_1", words.NEAR, "bed_1")
    answer = plan(MUG, belief, outcome(3, Action("look_around")), skills=(open_("door_1"),))
    assert (answer.actions == (navigate("door_1"), open_("door_1"))) is opens
    if not opens:
        assert "door_1" not in answer.reasoning


def test_door_in_an_unknown_state_is_opened_when_only_one_of_its_sides_is_known() -> None:
    answer = plan(MUG, scene(), outcome(3, Action("look_around")), skills=(open_("door_1"),))
    assert answer.actions == (navigate("door_1"), open_("door_1"))


# -- texts


def test_text_says_how_sure_a_guess_is_and_leaves_out_what_is_unknown() -> None:
    def text(belief: Belief) -> str:
        asked = AggregateQuery("room_1", tuple(belief.facts), tuple(belief.routes))
        return SymbolicRelationAggregator(KNOWN).answer(asked).text

    assert "cupboard_1 [perhaps open (80%), 90% sure" in text(scene("open", 0.8))
    assert "Unopened, nearest first: cupboard_1." in text(scene("open", 0.8))
    assert "cupboard_1 [open, 90% sure" in text(scene("open"))
    assert "cupboard_1 [90% sure" in text(scene("unknown"))
    facts = [fact for fact in read_spatial(text(scene("open", 0.8))).facts if fact.predicate == words.STATE]
    assert {(fact.subject, fact.object) for fact in facts} == {("cupboard_1", "open"), ("door_1", "open")}
    assert {round(fact.confidence, 2) for fact in facts} == {0.8}
