"""Objects that the robot has moved, and descriptions that say where things are when the task begins."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from stma_ros.domains.household.belief_index import BeliefIndex
from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.critic import SymbolicCritic
from stma_ros.domains.household.goals import PlaceGoal, StateGoal, goal_message
from stma_ros.domains.household.matching import Evidence, Matcher
from stma_ros.domains.household.outcome_index import OutcomeIndex
from stma_ros.domains.household.planner import SymbolicPlanner
from stma_ros.domains.household.room_references import RoomMeant, RoomReferences
from stma_ros.memory.descriptions import LARGE, SMALL, Description
from stma_ros.roles.critic import CritiqueQuery
from stma_ros.roles.planner import PlanAnswer, PlanQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.planning import Action, Outcome, Verdict
from support.roles.scripted_home import Belief, allowed, explore, navigate, open_, outcome, report, temporal
from support.roles.scripted_household import Household, Item, Piece

KNOWN = household_categories()
FINISH, UNVERIFIED = Action("finish"), Action("finish_unverified")
PICKED = outcome(1, Action(words.SKILL_PICK, ("mug_1",)))
ON_FIRST = Action(words.SKILL_PLACE_ON, ("shelf_1",))


def mug(relation: str, place: str) -> Description:
    return Description("mug", relation=relation, place=Description(place))


def home(**now: str) -> Belief:
    """Returns a kitchen and a bedroom with a mug that is where `now` says."""
    belief = Belief().room("room_1", "kitchen").room("room_2", "bedroom")
    belief.thing("table_1", "table", "room_1").thing("sofa_1", "sofa", "room_2")
    belief.thing("fridge_1", "fridge", "room_1").thing("lamp_1", "lamp", "room_1", on="table_1")
    return belief.thing("mug_1", "mug", "room_2", **now)


def evidence(belief: Belief, what: Description, *past: Outcome) -> Evidence | None:
    done = belief.done()
    view = BeliefIndex(done.facts, done.routes, KNOWN)
    return Matcher(view, OutcomeIndex(past), ()).evidence(view.objects["mug_1"], what)


@pytest.mark.parametrize(
    ("what", "fits"),
    [
        (mug(words.ON, "table"), True),
        (mug(words.ON, "sofa"), False),
        (mug(words.IN_ROOM, "kitchen"), True),
        (mug(words.IN_ROOM, "bedroom"), False),
        (mug(words.NEAR, "lamp"), True),
        (mug(words.NEAR, "fridge"), False),
    ],
)
def test_moved_object_fits_the_place_that_it_was_taken_from_only(what: Description, fits: bool) -> None:
    belief = home(on="sofa_1").add("mug_1", words.TAKEN_OFF, "table_1")
    belief.add("mug_1", words.TAKEN_FROM, "room_1")
    assert evidence(belief, what, PICKED) is (Evidence.STRONG if fits else Evidence.DOUBTFUL)


@pytest.mark.parametrize(("taken", "fits"), [(words.TAKEN_OUT_OF, True), (words.TAKEN_OFF, False)])
def test_held_object_fits_a_container_only_if_it_was_taken_out_of_it(taken: str, fits: bool) -> None:
    belief = home().add("mug_1", words.HELD_BY, words.ROBOT).add("mug_1", taken, "fridge_1")
    found = evidence(belief, mug(words.IN, "fridge"), PICKED)
    assert found is (Evidence.STRONG if fits else Evidence.DOUBTFUL)


def test_object_that_was_taken_from_an_unknown_place_fits_no_described_place() -> None:
    assert evidence(home(on="table_1"), mug(words.ON, "table"), PICKED) is Evidence.DOUBTFUL
    assert evidence(home(on="table_1"), mug(words.ON, "table")) is Evidence.STRONG


def test_object_that_was_taken_from_the_floor_fits_by_what_was_near_it() -> None:
    belief = home(on="table_1").add("mug_1", words.TAKEN_FROM_BESIDE, "sofa_1")
    assert evidence(belief, mug(words.NEAR, "sofa"), PICKED) is Evidence.STRONG
    assert evidence(belief, mug(words.NEAR, "lamp"), PICKED) is Evidence.DOUBTFUL


def test_object_in_a_container_that_was_moved_fits_where_the_container_was() -> None:
    belief = home(inside="box_1").thing("box_1", "box", "room_2", on="sofa_1")
    belief.add("box_1", words.TAKEN_OFF, "table_1")
    moved = outcome(1, Action(words.SKILL_PICK, ("box_1",)))
    assert evidence(belief, mug(words.ON, "table"), moved) is Evidence.STRONG
    assert evidence(belief, mug(words.ON, "sofa"), moved) is Evidence.DOUBTFUL


SMALL_BOWL = Description("bowl", size=SMALL)
BOWL_IN_DISHWASHER = Description("bowl", relation=words.IN, place=Description("dishwasher"))
GOALS = (
    StateGoal(SMALL_BOWL, words.STATE_FULL),
    PlaceGoal(BOWL_IN_DISHWASHER, 1, words.ON, Description("table")),
)


@pytest.mark.parametrize("in_dishwasher", [True, False])
def test_small_bowl_that_was_put_back_is_not_the_bowl_in_the_dishwasher(in_dishwasher: bool) -> None:
    pieces = (Piece(0, "sink"), Piece(0, "dishwasher"), Piece(0, "table"), Piece(0, "counter"))
    other = Item("bowl#3", "dishwasher", True, size=0.23) if in_dishwasher else Item("book", "counter")
    items = (Item("bowl", "table", size=0.13), Item("bowl#2", "sink", True, size=0.25), other)
    ending = Household(("kitchen",), {}, pieces, items).play(*GOALS)
    assert "open(dishwasher_1)" in ending.log
    assert ending.is_right is in_dishwasher
    assert (ending.action == FINISH) is in_dishwasher


def past(*outcomes: Outcome) -> TemporalBelief:
    known = temporal(outcome(1, Action(words.SKILL_LOOK_AROUND)), *outcomes)
    goal = PlaceGoal(mug(words.ON, "table"), 1, words.ON, Description("sofa"))
    return TemporalBelief(at=known.at, goals=(goal_message(goal),), completed=known.completed)


def plan(belief: Belief) -> PlanAnswer:
    query = PlanQuery("", past(PICKED), belief.done(), (*allowed(["mug_1"]), FINISH, UNVERIFIED), "")
    return SymbolicPlanner(KNOWN).answer(query)


def test_task_that_was_done_with_an_object_from_elsewhere_ends_unverified() -> None:
    fridge = home(on="sofa_1").add("mug_1", words.TAKEN_OFF, "fridge_1")
    fridge.add("fridge_1", words.STATE, words.STATE_NOT_OPENABLE, 1.0)
    answer = plan(fridge)
    assert answer.actions == (UNVERIFIED,)
    assert "mug_1, which may not be the mug on the table meant" in answer.reasoning
    right = home(on="sofa_1").add("mug_1", words.TAKEN_OFF, "table_1")
    assert plan(right).actions == (FINISH,)


def test_critic_rejects_a_certain_end_with_a_doubtful_object() -> None:
    belief = home(on="sofa_1").add("mug_1", words.TAKEN_OFF, "fridge_1")
    belief.add("fridge_1", words.STATE, words.STATE_NOT_OPENABLE, 1.0)
    actions = (navigate("mug_1"), open_("fridge_1"), report("mug_1"), FINISH, UNVERIFIED)

    def verdict(action: Action) -> Verdict:
        query = CritiqueQuery("", "end", action, actions, past(PICKED), belief.done())
        return SymbolicCritic(KNOWN).answer(query).verdict

    assert verdict(UNVERIFIED) is Verdict.ACCEPTED
    assert verdict(FINISH) is Verdict.REJECTED


@pytest.mark.parametrize(("times", "stays"), [(1, False), (2, True)])
def test_object_that_went_back_and_forth_between_doubtful_places_stays(times: int, stays: bool) -> None:
    belief = Belief()
    for number, likelihood in ((1, 0.1), (2, 0.2)):
        belief.room(f"room_{number}", "bedroom").add(f"room_{number}", words.MAY_BE, "kitchen", likelihood)
        belief.thing(f"shelf_{number}", "shelf", f"room_{number}")
    belief.thing("mug_1", "mug", "room_1", on="shelf_1")
    put = [
        outcome(2 * step + kind + 1, action)
        for step in range(times)
        for kind, action in enumerate((Action(words.SKILL_PICK, ("mug_1",)), ON_FIRST))
    ]
    goal = PlaceGoal(Description("mug"), 1, "", SHELF_IN_KITCHEN)
    past = replace(temporal(*put), goals=(goal_message(goal),))
    actions = (*allowed(["mug_1"]), navigate("shelf_2"), Action(words.SKILL_PLACE_ON, ("shelf_2",)))
    answer = SymbolicPlanner(KNOWN).answer(PlanQuery("", past, belief.done(), (*actions, UNVERIFIED), ""))
    assert (answer.actions == (UNVERIFIED,)) is stays


@pytest.mark.parametrize("times", [2, 3])
def test_object_that_went_back_and_forth_stays_where_it_came_back_to(times: int) -> None:
    belief = Belief().room("room_1", "bedroom").room("room_2", "kitchen")
    belief.add("room_1", words.MAY_BE, "kitchen", 0.1)
    belief.thing("shelf_1", "shelf", "room_1").thing("shelf_2", "shelf", "room_2")
    belief.thing("mug_1", "mug", "room_1", on="shelf_1")
    way = [ON_FIRST, Action(words.SKILL_PLACE_ON, ("shelf_2",)), ON_FIRST][-times:]
    put = [
        outcome(2 * step + kind + 1, action)
        for step, placing in enumerate(way)
        for kind, action in enumerate((Action(words.SKILL_PICK, ("mug_1",)), placing))
    ]
    goal = PlaceGoal(Description("mug"), 1, "", SHELF_IN_KITCHEN)
    past = replace(temporal(*put), goals=(goal_message(goal),))
    actions = (*allowed(["mug_1"]), navigate("shelf_2"), Action(words.SKILL_PLACE_ON, ("shelf_2",)))
    answer = SymbolicPlanner(KNOWN).answer(PlanQuery("", past, belief.done(), (*actions, UNVERIFIED), ""))
    assert (answer.actions == (UNVERIFIED,)) is (times == 3)


def test_object_on_a_container_is_the_one_from_it_once_nothing_else_can_be() -> None:
    dresser = home(on="dresser_1").thing("dresser_1", "dresser", "room_2")
    done = dresser.done()
    view = BeliefIndex(done.facts, done.routes, KNOWN)
    opened = OutcomeIndex((outcome(1, open_("dresser_1")),))
    for history, searched, expected in (
        (opened, True, Evidence.STRONG),
        (opened, False, Evidence.DOUBTFUL),
        (OutcomeIndex(()), True, Evidence.DOUBTFUL),
    ):
        matcher = Matcher(view, history, (), knows_all_rooms=searched)
        assert matcher.evidence(view.objects["mug_1"], mug(words.IN, "dresser")) is expected
    beside = Matcher(view, opened, (), knows_all_rooms=True)
    assert beside.evidence(view.objects["mug_1"], mug(words.IN, "fridge")) is Evidence.DOUBTFUL


@pytest.mark.parametrize(
    ("once", "confidence", "expected"),
    [(True, 0.9, Evidence.STRONG), (False, 0.5, Evidence.STRONG), (False, 0.9, None)],
)
def test_missing_object_that_was_hardly_seen_is_no_larger_rival(
    once: bool, confidence: float, expected: Evidence | None
) -> None:
    belief = home(on="table_1").add("mug_1", words.SIZE, "0.14")
    belief.thing("mug_2", "mug", "room_1", on="table_1").add("mug_2", words.SIZE, "0.08")
    belief.add("mug_3", words.IS_A, "mug", confidence, once=once).add("mug_3", words.SIZE, "0.30", once=once)
    belief.add("mug_3", words.STATE, words.STATE_MISSING, 1.0)
    assert evidence(belief, Description("mug", size=LARGE)) is expected


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_only_object_of_its_kind_is_the_small_or_the_large_one_once_all_was_searched(size: str) -> None:
    done = home(on="table_1").add("mug_1", words.SIZE, "0.08").done()
    view = BeliefIndex(done.facts, done.routes, KNOWN)
    for searched, expected in ((False, Evidence.DOUBTFUL), (True, Evidence.STRONG)):
        matcher = Matcher(view, OutcomeIndex(()), (), knows_all_rooms=True, knows_all_things=searched)
        assert matcher.evidence(view.objects["mug_1"], Description("mug", size=size)) is expected


SHELF_IN_KITCHEN = Description("shelf", relation=words.IN_ROOM, place=Description("kitchen"))


def unsure_home(*sureness: float) -> Belief:
    """Returns rooms that are kitchens with these confidences, and in each a shelf with a mug on it."""
    belief = Belief()
    for number, confidence in enumerate(sureness, start=1):
        belief.add(f"room_{number}", words.IS_A, "kitchen", confidence)
        belief.thing(f"shelf_{number}", "shelf", f"room_{number}")
        belief.thing(f"mug_{number}", "mug", f"room_{number}", on=f"shelf_{number}")
    return belief


@pytest.mark.parametrize(
    "what",
    [
        mug(words.IN_ROOM, "kitchen"),
        Description("mug", relation=words.ON, place=SHELF_IN_KITCHEN),
    ],
)
def test_object_in_a_room_that_is_perhaps_the_described_one_is_doubtful(what: Description) -> None:
    assert evidence(unsure_home(0.8), what) is Evidence.STRONG
    assert evidence(unsure_home(0.4), what) is Evidence.DOUBTFUL
    assert evidence(unsure_home(0.4), mug(words.ON, "shelf")) is Evidence.STRONG


def test_furniture_is_unlikely_outside_of_the_described_room_only_if_its_own_room_is_known() -> None:
    in_bedroom = Description("shelf", relation=words.IN_ROOM, place=Description("bedroom"))
    for confidence, expected in ((0.8, Evidence.UNLIKELY), (0.4, Evidence.DOUBTFUL)):
        done = unsure_home(confidence).done()
        view = BeliefIndex(done.facts, done.routes, KNOWN)
        assert Matcher(view, OutcomeIndex(()), ()).evidence(view.objects["shelf_1"], in_bedroom) is expected


@pytest.mark.parametrize(
    ("destination", "where"),
    [
        (SHELF_IN_KITCHEN, "shelf_1 in room_1 (kitchen); no shelf in the kitchen is known for sure"),
        (Description("kitchen"), "room_1 (kitchen); no kitchen is known for sure"),
    ],
)
def test_task_that_was_done_in_a_room_of_perhaps_another_kind_ends_unverified(
    destination: Description, where: str
) -> None:
    goal = PlaceGoal(Description("mug"), 1, "", destination)
    known = temporal(outcome(1, Action(words.SKILL_LOOK_AROUND)))
    past = TemporalBelief(at=known.at, goals=(goal_message(goal),), completed=known.completed)

    def end(likelihood: float, other: float, frontier: float = 0.0, bare: float = 0.0) -> PlanAnswer:
        belief = unsure_home(likelihood).room("room_2").add("room_2", words.MAY_BE, "kitchen", other)
        belief.thing("shelf_2", "shelf", "room_2")
        if bare:  # a room without a shelf
            belief.thing("rug_1", "rug", "room_3").add("room_3", words.MAY_BE, "kitchen", bare)
        if frontier:
            belief.frontier("frontier_1", frontier, math.nan)
        actions = (*allowed(["mug_1"]), FINISH, UNVERIFIED, *([explore("frontier_1")] if frontier else []))
        return SymbolicPlanner(KNOWN).answer(PlanQuery("", past, belief.done(), actions, ""))

    assert end(0.8, 0.1).actions == (FINISH,)
    assert end(0.4, 0.3).actions == (UNVERIFIED,)
    assert where in end(0.4, 0.3).reasoning
    # There is a kitchen, and no other room may be it, unless one was not seen.
    assert end(0.4, 0.05).actions == (FINISH,)
    assert end(0.4, 0.15).actions == (FINISH,)
    assert end(0.4, 0.25).actions == (UNVERIFIED,)
    if destination == SHELF_IN_KITCHEN:
        assert end(0.4, 0.05, bare=0.35).actions == (FINISH,)
        assert end(0.4, 0.05, bare=0.4).actions == (UNVERIFIED,)
    assert end(0.4, 0.05, frontier=0.5).actions == (FINISH,)
    assert end(0.4, 0.05, frontier=9.0).actions == (UNVERIFIED,)


@pytest.mark.parametrize("destination", [SHELF_IN_KITCHEN, Description("kitchen")])
def test_robot_goes_to_the_room_that_is_likeliest_the_one_that_the_task_names(
    destination: Description,
) -> None:
    belief = Belief()
    for number, (kind, likelihood) in enumerate(
        (("bedroom", 0.02), ("hallway", 0.2), ("office", 0.01)), start=1
    ):
        belief.add(f"room_{number}", words.IS_A, kind, 0.7)
        belief.add(f"room_{number}", words.MAY_BE, "kitchen", likelihood)
        belief.thing(f"shelf_{number}", "shelf", f"room_{number}", length=number)
    belief.thing("mug_1", "mug", "room_1").add("mug_1", words.HELD_BY, words.ROBOT)
    goal = PlaceGoal(Description("mug"), 1, "", destination)
    past = replace(temporal(PICKED), goals=(goal_message(goal),))
    actions = (*allowed(["mug_1"]), *(navigate(f"shelf_{k}") for k in (1, 2, 3)))
    actions = (*actions, *(Action(words.SKILL_PLACE_ON, (f"shelf_{k}",)) for k in (1, 2, 3)))
    answer = SymbolicPlanner(KNOWN).answer(PlanQuery("", past, belief.done(), actions, ""))
    assert answer.actions == (navigate("shelf_2"), Action(words.SKILL_PLACE_ON, ("shelf_2",)))


def test_two_kinds_of_rooms_in_one_task_mean_two_rooms() -> None:
    belief = Belief().room("room_1", "bedroom").add("room_1", words.MAY_BE, "children's room", 0.35)
    belief.room("room_2", "bedroom").add("room_2", words.MAY_BE, "children's room", 0.1)
    belief.thing("shelf_1", "shelf", "room_1").thing("shelf_2", "shelf", "room_2")
    done = belief.done()
    view = BeliefIndex(done.facts, done.routes, KNOWN)

    def shelves(kind: str, *named: str) -> dict[str, Evidence | None]:
        what = Description("shelf", relation=words.IN_ROOM, place=Description(kind))
        rooms = RoomReferences(view, named)
        matcher = Matcher(view, OutcomeIndex(()), (), rooms=rooms, knows_all_rooms=True)
        return {name: matcher.evidence(view.objects[name], what) for name in ("shelf_1", "shelf_2")}

    either = {"shelf_1": Evidence.DOUBTFUL, "shelf_2": Evidence.DOUBTFUL}
    assert shelves("bedroom", "bedroom") == shelves("bedroom", "kitchen", "room") == either
    both = "bedroom", "children's room"
    assert shelves("bedroom", *both) == {"shelf_1": Evidence.DOUBTFUL, "shelf_2": Evidence.STRONG}
    assert shelves("children's room", *both) == {"shelf_1": Evidence.STRONG, "shelf_2": Evidence.UNLIKELY}


@pytest.mark.parametrize(
    ("confidences", "rooms", "sure"),
    [
        ((0.9, 0.55), {"room_1"}, True),
        ((0.7, 0.6), {"room_1", "room_2"}, False),
        ((0.55, 0.4), {"room_1"}, True),
        ((0.6, 0.2), {"room_1"}, True),
    ],
)
def test_of_two_rooms_of_a_kind_the_one_that_is_far_likelier_is_meant(
    confidences: tuple[float, float], rooms: set[str], sure: bool
) -> None:
    belief = Belief()
    for number, confidence in enumerate(confidences, start=1):
        belief.add(f"room_{number}", words.IS_A, "bedroom", confidence)
    done = belief.done()
    view = BeliefIndex(done.facts, done.routes, KNOWN)
    references = RoomReferences(view)
    meant = references.meant("bedroom", view.rooms)
    assert (meant.room, meant.is_known, meant.is_sure) == ("room_1", True, sure)
    assert references.destinations("bedroom") == rooms


def test_one_room_is_not_what_two_kinds_of_rooms_mean() -> None:
    belief = Belief()
    for number, (office, storage) in enumerate(((0.3, 0.3), (0.01, 0.02)), start=1):
        belief.add(f"room_{number}", words.IS_A, "hallway", 0.35)
        belief.add(f"room_{number}", words.MAY_BE, "office", office)
        belief.add(f"room_{number}", words.MAY_BE, "storage room", storage)
    done = belief.done()
    view = BeliefIndex(done.facts, done.routes, KNOWN)
    assert RoomReferences(view).meant("office", view.rooms) == RoomMeant("room_1", is_sure=True)
    named = RoomReferences(view, ("office", "storage room"))
    sure = [named.meant(kind, view.rooms).is_sure for kind in ("office", "storage room")]
    assert not all(sure)
