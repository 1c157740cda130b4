"""The free places that spatial memory offers for what is in the hand, and its memory of those that failed."""

from __future__ import annotations

import math

import numpy as np
import pytest

from stma_ros.components.spatial_memory.put_down_places import PutDownPlaces
from stma_ros.mapping.building_map import BuildingMap, BuildingMapConfig
from stma_ros.mapping.spatial_map import MapSnapshot, SpatialMap
from stma_ros.memory.relations import relations
from stma_ros.memory.scene_graph import ObjectMemory
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.floors import Floors
from stma_ros.types.goals import Goal, GoalKind, ThingDescription
from stma_ros.types.planning import Action, Outcome, Result
from stma_ros.types.scene_graph import FreePlace
from stma_ros.types.standard import Header, Time
from stma_ros.types.stepped import StepStamp
from support.components.household_components import HOUSEHOLD
from support.memory.keyframes import EYE, look, reported, seen

TABLE = seen("table", (0, 0, 0.37), (1.6, 0.9, 0.75))
SINK = seen("sink", (1.6, 0, 0.8), (0.6, 0.5, 0.2))
FAR = seen("counter", (9, 0, 0.45), (0.6, 1.5, 0.9))
MUG = seen("mug", (0.2, 0, 0.8), (0.08, 0.08, 0.1))
ROBOT = (0.8, -1.2)
ONTO_TABLE = Action(words.SKILL_PLACE_ON, ("table_1",))


def snapshot() -> MapSnapshot:
    return SpatialMap().snapshot(ROBOT)


def holding_a_mug() -> ObjectMemory:
    memory = ObjectMemory(HOUSEHOLD)
    look(memory, 1, TABLE, SINK, FAR, MUG, eye=EYE)
    memory.add_fact(reported("mug_1", words.HELD_BY, words.ROBOT, 2))
    return memory


def offered(places: PutDownPlaces, *, holding: bool = True) -> dict[tuple[str, str], FreePlace]:
    objects = holding_a_mug().objects
    facts = relations(objects, HOUSEHOLD, lambda _: "")
    found = places.offer(objects, facts, snapshot(), ROBOT, holding=holding)
    return {(place.skill, place.target): place for place in found}


def done(step: int, action: Action, code: ErrorCode = ErrorCode.NONE, task: str = "t") -> TemporalBelief:
    outcome = Outcome(
        header=Header(Time(sec=step)),
        step=step,
        action=action,
        result=Result.FAILED if code else Result.SUCCEEDED,
        error=Error(code, code.name.lower()) if code else Error(),
    )
    return TemporalBelief(at=StepStamp(task_id=task, step=step), completed=(outcome,))


def table_place(places: PutDownPlaces) -> FreePlace:
    return offered(places)[words.SKILL_PLACE_ON, "table_1"]


def apart(one: FreePlace, other: FreePlace) -> float:
    a, b = one.pose.position, other.pose.position
    return math.dist((a.x, a.y, a.z), (b.x, b.y, b.z))


def test_places_are_offered_on_and_in_what_is_near() -> None:
    places = offered(PutDownPlaces(HOUSEHOLD))
    assert set(places) == {(words.SKILL_PLACE_ON, "table_1"), (words.SKILL_PLACE_IN, "sink_1")}
    on_table, in_sink = places.values()
    assert on_table.pose.position.z == pytest.approx(0.75, abs=0.01)
    assert 0.7 <= in_sink.pose.position.z < 0.9


def test_an_empty_hand_is_offered_no_place() -> None:
    assert offered(PutDownPlaces(HOUSEHOLD), holding=False) == {}


@pytest.mark.parametrize("code", [ErrorCode.SPOT_TAKEN, ErrorCode.NO_SURFACE])
def test_a_place_that_failed_is_not_offered_again_in_the_same_task(code: ErrorCode) -> None:
    places = PutDownPlaces(HOUSEHOLD)
    places.take(TemporalBelief(at=StepStamp(task_id="t")))
    tried = [table_place(places)]
    for step in (1, 2):
        assert places.take(done(step, ONTO_TABLE, code)) == {}
        tried.append(table_place(places))
    assert min(apart(tried[a], tried[b]) for a, b in ((0, 1), (0, 2), (1, 2))) > 0.2
    places.take(done(3, ONTO_TABLE, task="another"))
    assert table_place(places) == tried[0]


def test_a_place_that_failed_before_the_map_jumped_is_offered_again() -> None:
    places = PutDownPlaces(HOUSEHOLD)
    places.take(TemporalBelief(at=StepStamp(task_id="t")))
    first = table_place(places)
    places.take(done(1, ONTO_TABLE, ErrorCode.SPOT_TAKEN))
    assert table_place(places) != first
    places.forget()
    assert table_place(places) == first


def test_a_place_is_offered_again_after_a_failure_of_another_kind() -> None:
    places = PutDownPlaces(HOUSEHOLD)
    places.take(TemporalBelief(at=StepStamp(task_id="t")))
    first = table_place(places)
    places.take(done(1, ONTO_TABLE, ErrorCode.TOO_FAR))
    assert table_place(places) == first


def test_success_tells_where_the_thing_was_put() -> None:
    places = PutDownPlaces(HOUSEHOLD)
    places.take(TemporalBelief(at=StepStamp(task_id="t")))
    place = table_place(places)
    assert places.take(done(1, ONTO_TABLE)) == {Time(sec=1).nanoseconds: place.pose}
    assert places.take(done(2, Action(words.SKILL_LOOK_AROUND))) == {}


def test_a_place_is_offered_even_where_everything_seems_taken() -> None:
    memory = holding_a_mug()
    look(memory, 3, seen("book", (0, 0, 0.8), (1.6, 0.9, 0.1)), eye=EYE)
    facts = relations(memory.objects, HOUSEHOLD, lambda _: "")
    found = PutDownPlaces(HOUSEHOLD).offer(memory.objects, facts, snapshot(), ROBOT, holding=True)
    assert "table_1" in {place.target for place in found}
    assert all(np.isfinite([p.pose.position.x, p.pose.position.y, p.pose.position.z]).all() for p in found)


def test_places_on_an_upper_floor_are_those_of_the_ground_and_those_of_other_floors_are_not_offered() -> None:
    up, floors = 3.0, Floors((0.0, 3.0))
    memory = ObjectMemory(HOUSEHOLD, floors=floors)
    for second, height in ((1, up), (2, 0.0)):
        things = [
            seen(category, (x, y, z + height), size)
            for category, (x, y, z), size in (
                ("table", (0, 0, 0.37), (1.6, 0.9, 0.75)),
                ("sink", (1.6, 0, 0.8), (0.6, 0.5, 0.2)),
                ("counter", (9, 0, 0.45), (0.6, 1.5, 0.9)),
                *([("mug", (0.2, 0, 0.8), (0.08, 0.08, 0.1))] if height else []),
            )
        ]
        look(memory, second, *things, eye=EYE + np.array([0, 0, height]))
    memory.add_fact(reported("mug_1", words.HELD_BY, words.ROBOT, 3))
    facts = relations(memory.objects, HOUSEHOLD, lambda _: "", floors)
    upstairs = BuildingMap(BuildingMapConfig(floors=floors)).snapshot((*ROBOT, up))
    found = PutDownPlaces(HOUSEHOLD).offer(memory.objects, facts, upstairs, ROBOT, holding=True)
    expected = offered(PutDownPlaces(HOUSEHOLD)).values()
    assert [(place.skill, place.target) for place in found] == [
        (place.skill, place.target) for place in expected
    ]
    for place, below in zip(found, expected, strict=True):
        at, ground = place.pose.position, below.pose.position
        assert (at.x, at.y, at.z - up) == pytest.approx((ground.x, ground.y, ground.z), abs=0.01)


def test_thing_that_the_task_wants_near_another_one_is_offered_a_place_there() -> None:
    """The lamp is within reach, and not where a place would be chosen without it."""
    lamp = seen("lamp", (0.2, -0.1, 0.85), (0.15, 0.15, 0.2))
    memory = ObjectMemory(HOUSEHOLD)
    look(memory, 1, TABLE, lamp, MUG, eye=EYE)
    memory.add_fact(reported("mug_1", words.HELD_BY, words.ROBOT, 2))

    def distance(*goals: Goal) -> float:
        places = PutDownPlaces(HOUSEHOLD)
        places.take(TemporalBelief(at=StepStamp(task_id="t", step=1), goals=goals))
        facts = relations(memory.objects, HOUSEHOLD, lambda _: "")
        found = places.offer(memory.objects, facts, snapshot(), ROBOT, holding=True)
        (on_table,) = [place.pose.position for place in found if place.target == "table_1"]
        return math.dist((on_table.x, on_table.y), (0.2, -0.1))

    mug, lamps = ThingDescription(category="mug"), ThingDescription(category="lamp")
    near = Goal(kind=GoalKind.PLACE, what=(mug,), relation=words.NEAR, destination=(lamps,))
    other = Goal(
        kind=GoalKind.PLACE,
        what=(ThingDescription(category="bowl"),),
        relation=words.NEAR,
        destination=(lamps,),
    )
    assert distance(near) < 0.3 < distance() == distance(other)
