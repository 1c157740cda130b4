"""Things that a good part of their labels call something else: they may be what a task means, but not for sure."""

from __future__ import annotations

import pytest

from stma_ros.domains.household.belief_index import BeliefIndex
from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.goals import FindGoal, Goal, PlaceGoal, StateGoal, goal_message
from stma_ros.domains.household.matching import Evidence, Matcher
from stma_ros.domains.household.outcome_index import OutcomeIndex, key
from stma_ros.domains.household.planner import SymbolicPlanner
from stma_ros.memory.descriptions import Description
from stma_ros.roles.planner import PlanAnswer, PlanQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.goals import ALL
from stma_ros.types.planning import Action, Outcome
from support.roles import single_steps
from support.roles.scripted_home import Belief, allowed, navigate, outcome, temporal

KNOWN = household_categories()
FINISH, UNVERIFIED = Action("finish"), Action("finish_unverified")
CUSHION, BED = Description("cushion"), Description("bed")
LOOKED = outcome(1, Action(words.SKILL_LOOK_AROUND))
WENT_THERE = outcome(2, navigate("blanket_1"))


def home(place: str = "sofa_1", **more: str) -> Belief:
    """Returns a bedroom with a cushion on the bed and a blanket that may be a cushion."""
    belief = Belief().room("room_1", "bedroom")
    belief.thing("bed_1", "bed", "room_1").thing("sofa_1", "sofa", "room_1")
    belief.thing("cushion_1", "cushion", "room_1", on="bed_1")
    belief.thing("blanket_1", "blanket", "room_1", on=place, confidence=0.6, **more)
    return belief.add("blanket_1", words.MAY_BE, "cushion", 0.4)


def evidence(belief: Belief, what: Description, *past: Outcome) -> Evidence | None:
    done = belief.done()
    view = BeliefIndex(done.facts, done.routes, KNOWN)
    go = key(navigate("blanket_1"))
    return Matcher(view, OutcomeIndex(past), (go,)).evidence(view.objects["blanket_1"], what)


def answer(belief: Belief, goal: Goal, *past: Outcome, pick: str = "blanket_1") -> PlanAnswer:
    known = temporal(LOOKED, *past)
    task = TemporalBelief(at=known.at, goals=(goal_message(goal),), completed=known.completed)
    handled = [Action(words.SKILL_PICK, (pick,)), Action(words.SKILL_PLACE_ON, ("bed_1",))]
    actions = (*allowed(["cushion_1", "blanket_1", "bed_1", pick]), *handled, FINISH, UNVERIFIED)
    return SymbolicPlanner(KNOWN).answer(PlanQuery("", task, belief.done(), actions, ""))


def test_disputed_thing_is_doubtful_for_its_other_kind_only() -> None:
    assert evidence(home(), CUSHION) is Evidence.DOUBTFUL
    assert evidence(home(), Description("pillow")) is None


def test_thing_that_was_doubtful_from_nearby_is_not_worth_another_look_when_the_robot_has_left() -> None:
    belief = (
        Belief().room("room_1", "bedroom").thing("bed_1", "bed", "room_1").thing("sofa_1", "sofa", "room_1")
    )
    belief.thing("blanket_1", "blanket", "room_1", on="sofa_1", confidence=0.4)
    blanket, came, left = (
        Description("blanket"),
        outcome(2, navigate("sofa_1")),
        outcome(3, navigate("bed_1")),
    )
    assert evidence(belief, blanket) is Evidence.WEAK
    assert evidence(belief, blanket, came) is Evidence.DOUBTFUL
    assert evidence(belief, blanket, came, left) is Evidence.DOUBTFUL
    before_it_was_seen = outcome(0, navigate("sofa_1")), outcome(1, navigate("bed_1"))
    assert evidence(belief, blanket, *before_it_was_seen) is Evidence.WEAK


@pytest.mark.parametrize(("wanted", "seen"), [("soap dish", "plate"), ("mason jar", "jar")])
def test_plate_is_hardly_the_soap_dish_and_a_task_about_it_ends_unverified(wanted: str, seen: str) -> None:
    goal = PlaceGoal(Description(wanted), 1, words.ON, Description("bed"))

    def there(kind: str) -> Belief:
        belief = Belief().room("room_1", "bedroom").thing("bed_1", "bed", "room_1", 0.2)
        return belief.thing("plate_1", kind, "room_1", 0.2, 1.0, on="bed_1")

    ends = [answer(there(kind), goal, pick="plate_1").actions for kind in (seen, wanted)]
    assert ends == [(UNVERIFIED,), (FINISH,)]


def test_table_is_hardly_the_conference_table() -> None:
    goal = PlaceGoal(CUSHION, 1, words.ON, Description("conference table"))
    belief = Belief().room("room_1", "office").thing("table_1", "table", "room_1", 0.2)
    belief.thing("cushion_1", "cushion", "room_1", 0.2, 1.0, on="table_1")
    assert answer(belief, goal, pick="cushion_1").actions == (UNVERIFIED,)


@pytest.mark.parametrize(
    "what",
    [
        Description("cushion", ("red",)),
        Description("cushion", relation=words.ON, place=Description("table")),
    ],
)
def test_disputed_thing_of_another_look_or_place_is_not_meant(what: Description) -> None:
    assert evidence(home(colour="blue"), what) is None


def test_robot_looks_again_at_a_thing_that_may_be_one_of_all() -> None:
    goal = PlaceGoal(CUSHION, ALL, words.ON, BED)
    assert answer(home(), goal).actions[:1] == (navigate("blanket_1"),)


def test_goal_for_all_of_a_kind_ends_unverified_while_another_thing_may_be_of_it() -> None:
    goal = PlaceGoal(CUSHION, ALL, words.ON, BED)
    end = answer(home(), goal, WENT_THERE)
    assert end.actions == (UNVERIFIED,)
    assert (
        "(cushion_1; blanket_1 on sofa_1, in room_1 (bedroom) may be of the cushions, too)" in end.reasoning
    )


def test_disputed_thing_that_is_where_all_of_the_kind_belong_changes_nothing() -> None:
    goal = PlaceGoal(CUSHION, ALL, words.ON, BED)
    belief = home("bed_1").thing("cushion_2", "cushion", "room_1", on="bed_1")
    end = answer(belief, goal, WENT_THERE)
    assert end.actions == (FINISH,)
    assert "(cushion_1 and cushion_2)" in end.reasoning


def test_known_thing_is_used_before_a_disputed_one_that_is_there_already() -> None:
    belief = home("bed_1").thing("cushion_2", "cushion", "room_1", on="sofa_1")
    belief.facts = [fact for fact in belief.facts if fact.subject != "cushion_1"]
    plan = answer(belief, PlaceGoal(CUSHION, 1, words.ON, BED), pick="cushion_2")
    assert plan.actions[:1] == (navigate("cushion_2"),)


def test_disputed_thing_in_the_hand_is_put_down_once() -> None:
    picked = outcome(3, Action(words.SKILL_PICK, ("blanket_1",)))
    put = outcome(4, Action(words.SKILL_PLACE_ON, ("sofa_1",)))
    end = answer(home(), PlaceGoal(CUSHION, ALL, words.ON, BED), picked, put)
    assert end.actions == (UNVERIFIED,)


@pytest.mark.parametrize(("share", "expected"), [(0.6, Evidence.DOUBTFUL), (0.75, Evidence.STRONG)])
def test_furniture_that_may_well_be_of_another_kind_is_doubtful(share: float, expected: Evidence) -> None:
    belief = Belief().room("room_1", "hallway").thing("shelf_1", "bookshelf", "room_1", confidence=share)
    belief.add("shelf_1", words.MAY_BE, "shoe rack", 1 - share)
    done = belief.done()
    view = BeliefIndex(done.facts, done.routes, KNOWN)
    matcher = Matcher(view, OutcomeIndex(()), ())
    assert matcher.evidence(view.objects["shelf_1"], Description("shelf")) is expected
    assert matcher.evidence(view.objects["shelf_1"], Description("", id="shelf_1")) is Evidence.STRONG


def test_furniture_of_another_kind_is_tried_when_nothing_else_may_be_meant() -> None:
    belief = Belief().room("room_1", "laundry room")
    belief.thing("washer_1", "washing machine", "room_1", 0.2, 0.55).add(
        "washer_1", words.MAY_BE, "dryer", 0.4
    )
    goals = (StateGoal(Description("dryer"), words.STATE_ON),)
    switch_on = Action(words.SKILL_SWITCH_ON, ("washer_1",))
    assert single_steps.plan(belief, LOOKED, goals=goals).actions == (navigate("washer_1"),)
    went = LOOKED, outcome(2, navigate("washer_1"))
    assert single_steps.plan(belief, *went, goals=goals).actions == (switch_on,)
    belief.add("washer_1", words.STATE, words.STATE_ON, 1.0)
    end = single_steps.plan(belief, *went, outcome(3, switch_on), goals=goals)
    assert end.actions == (UNVERIFIED,)
    assert "washer_1, which may not be the dryer meant" in end.reasoning


@pytest.mark.parametrize(
    ("own", "room", "share", "expected"),
    [
        (0.55, "room_1", 0.0, Evidence.STRONG),
        (0.55, "room_1", 0.1, Evidence.STRONG),
        (0.55, "room_1", 0.4, Evidence.DOUBTFUL),
        (0.55, "room_2", 0.4, Evidence.STRONG),
        (0.45, "room_1", 0.0, Evidence.DOUBTFUL),
    ],
    ids=["no other", "hardly another", "perhaps another", "another elsewhere", "rather not"],
)
def test_likeliest_piece_of_a_kind_is_meant_once_all_was_searched(
    own: float, room: str, share: float, expected: Evidence
) -> None:
    belief = Belief().room("room_1", "hallway").room("room_2", "bedroom")
    belief.thing("cabinet_1", "sideboard", "room_1", 1.0, own).add("cabinet_1", words.MAY_BE, "cabinet", 0.4)
    belief.thing("cabinet_2", "cabinet", room, 1.0).add("cabinet_2", words.MAY_BE, "sideboard", share)
    done = belief.done()
    view = BeliefIndex(done.facts, done.routes, KNOWN)
    what = Description("sideboard", relation=words.IN_ROOM, place=Description("hallway"))
    for searched, evidence in ((False, Evidence.DOUBTFUL), (True, expected)):
        matcher = Matcher(view, OutcomeIndex(()), (), knows_all_rooms=searched)
        assert matcher.evidence(view.objects["cabinet_1"], what) is evidence


@pytest.mark.parametrize("relation", [words.ON, words.NEAR])
def test_disputed_thing_is_no_certain_place(relation: str) -> None:
    belief = Belief().room("room_1", "kitchen").thing("table_1", "table", "room_1")
    belief.thing("plate_1", "plate", "room_1", on="table_1").add("plate_1", words.MAY_BE, "tray", 0.4)
    belief.thing("apple_1", "apple", "room_1", on="plate_1" if relation == words.ON else "table_1")
    done = belief.done()
    view = BeliefIndex(done.facts, done.routes, KNOWN)
    what = Description("apple", relation=relation, place=Description("tray"))
    found = Matcher(view, OutcomeIndex(()), ()).evidence(view.objects["apple_1"], what)
    assert found is Evidence.DOUBTFUL


def test_answer_on_all_of_a_kind_names_those_that_may_be_of_it() -> None:
    belief = home()
    end = answer(belief, FindGoal(CUSHION, ALL), WENT_THERE)
    assert end.actions == (UNVERIFIED,)
    assert "cushion_1" in end.reasoning
    assert "blanket_1 on sofa_1, in room_1 (bedroom) may be of the cushions, too." in end.reasoning


def test_goal_that_only_a_disputed_thing_fulfils_ends_unverified() -> None:
    belief = Belief().room("room_1", "bedroom").thing("bed_1", "bed", "room_1")
    belief.thing("blanket_1", "blanket", "room_1", on="bed_1").add("blanket_1", words.MAY_BE, "cushion", 0.4)
    end = answer(belief, PlaceGoal(CUSHION, 1, words.ON, BED), WENT_THERE)
    assert end.actions == (UNVERIFIED,)


def cushions(*colours: tuple[str, str]) -> Belief:
    """Returns cushions on a sofa, each of a colour and perhaps of another one."""
    belief = Belief().room("room_1", "bedroom").thing("bed_1", "bed", "room_1")
    belief.thing("sofa_1", "sofa", "room_1")
    for number, (colour, other) in enumerate(colours, start=1):
        belief.thing(f"cushion_{number}", "cushion", "room_1", on="bed_1", colour=colour)
        if other:
            belief.add(f"cushion_{number}", words.MAY_HAVE_COLOUR, other, 0.3)
    return belief


@pytest.mark.parametrize(
    ("colours", "end"),
    [
        ((("grey", "red"),), FINISH),  # no other may be the red one
        ((("grey", "red"), ("pink", "red")), UNVERIFIED),
        ((("grey", "red"), ("red", "")), FINISH),
        ((("grey", ""),), Action("give_up")),
    ],
)
def test_thing_that_some_views_show_in_the_colour_meant_is_it_if_no_other_may_be(
    colours: tuple[tuple[str, str], ...], end: Action
) -> None:
    went = (outcome(2, navigate("cushion_1")), outcome(3, navigate("cushion_2")))
    plan = answer(cushions(*colours), PlaceGoal(Description("cushion", ("red",)), 1, words.ON, BED), *went)
    assert plan.actions == (end,)


def test_robot_looks_again_at_a_thing_that_may_have_the_colour_meant() -> None:
    plan = answer(cushions(("grey", "red")), FindGoal(Description("cushion", ("red",))))
    assert plan.actions == (navigate("cushion_1"),)
