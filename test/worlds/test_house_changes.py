"""Changes to the flat by another person: which objects change, and which do not."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from stma_ros.types import vocabulary as words
from stma_ros.types.component import CancelToken
from stma_ros.types.planning import Action, SkillRequest
from stma_ros.worlds.house.changes import Changes
from stma_ros.worlds.house.config import HouseConfig
from stma_ros.worlds.house.furnishing.item_placement import make_flat
from stma_ros.worlds.house.house import House
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.state import FLOOR, HAND, SceneState, Spot

FLAT = make_flat(1004)
HERE = Placement(*FLAT.layout.rooms[0].floor.centre, 0.0)
NOTHING: frozenset[str] = frozenset()


def episode(count: int, seed: int, state: SceneState, handled: frozenset[str] = NOTHING) -> list[SceneState]:
    """Returns the states at the starts of twenty skills."""
    changes = Changes(count, seed)
    states = []
    for number in range(1, 21):
        state = changes.before_skill(number, FLAT, state, HERE, handled)
        states.append(state)
    return states


def differences(a: SceneState, b: SceneState) -> set[str]:
    moved = {name for name in a.spots if a.spots[name] != b.spots[name]}
    return moved | (a.open_names ^ b.open_names) | (a.on_names ^ b.on_names) | (a.full_names ^ b.full_names)


def test_the_requested_number_of_changes_happens_between_the_third_and_the_fifteenth_skill() -> None:
    assert episode(0, 3, FLAT.initial)[-1] == FLAT.initial
    for seed in range(12):
        states = [FLAT.initial, *episode(2, seed, FLAT.initial)]
        changed = [k for k in range(1, len(states)) if states[k] != states[k - 1]]
        assert 1 <= len(changed) <= 2
        assert set(changed) <= set(range(3, 16))
        assert len(differences(states[0], states[-1])) == 2  # the second does not undo the first
        assert states == [FLAT.initial, *episode(2, seed, FLAT.initial)]


def test_changes_move_objects_to_usual_places_and_swing_doors() -> None:
    moved = swung = 0
    for seed in range(30):
        last = episode(1, seed, FLAT.initial)[-1]
        for name in differences(FLAT.initial, last):
            if name in FLAT.items_by_name:
                moved += 1
                item, spot = FLAT.items_by_name[name], last.spots[name]
                piece = FLAT.furniture_by_name[spot.support]
                assert piece.category in item.kind.belongs
                shelves = piece.shape.inside if spot.inside else piece.shape.on
                assert any(abs(shelf.height - spot.z) < 1e-6 for shelf in shelves)
            else:
                swung += 1
                assert name in FLAT.openable_names
    assert moved > 8
    assert swung > 4


def test_changes_spare_objects_that_the_robot_holds_has_handled_or_is_near() -> None:
    held = FLAT.items[0].name
    handled = frozenset(item.name for item in FLAT.items[: len(FLAT.items) // 2])
    for seed in range(30):
        start = FLAT.initial.moved(held, HAND)
        last = episode(3, seed, start, handled)[-1]
        changed = differences(start, last)
        assert held not in changed
        assert not changed & handled
        for name in changed:
            support = FLAT.furniture_by_name.get(name) or FLAT.furniture_by_name.get(
                start.spots[name].support if name in start.spots else ""
            )
            if support is not None:
                assert support.footprint.distance(HERE.x, HERE.y) > 1.5


def test_changes_do_not_move_what_carries_a_thing_that_the_robot_has_handled() -> None:
    lying = {item.name: Spot(FLOOR, False, 0.0, 0.0, 0.0, 0.0) for item in FLAT.items}
    carrier = next(item for item in FLAT.items if item.kind.on or item.kind.inside)
    load = next(item for item in FLAT.items if item is not carrier)
    on_it = replace(carrier.spot, support=carrier.name)
    start = replace(FLAT.initial, spots={**lying, carrier.name: carrier.spot, load.name: on_it})
    away = Placement(-50.0, -50.0, 0.0)
    moved = set()
    for handled in (NOTHING, frozenset({load.name})):
        for seed in range(20):
            state = Changes(0, seed).between_tasks(1, FLAT, start, away, handled)
            moved |= {(handled, state.spots[load.name] != on_it)}
    assert moved == {(NOTHING, True), (NOTHING, False), (frozenset({load.name}), False)}


def test_so_many_changes_as_are_wanted_happen_between_two_tasks() -> None:
    for seed in range(6):
        state = Changes(0, seed).between_tasks(5, FLAT, FLAT.initial, HERE, NOTHING)
        assert len(differences(FLAT.initial, state)) == 5
        assert state == Changes(0, seed).between_tasks(5, FLAT, FLAT.initial, HERE, NOTHING)


def test_world_changes_before_the_first_look_of_a_further_task_and_at_no_other_time() -> None:
    world = House(HouseConfig(changes_between=3))
    world.reset("flat_1004", 1)
    states = []
    for task_id in ("a", "a", "b", "b", "c"):
        request = SkillRequest(task_id=task_id, action=Action(words.SKILL_OBSERVE))
        list(world.execute(request, CancelToken()))
        states.append(world.state)
    assert [len(differences(a, b)) for a, b in pairwise([FLAT.initial, *states])] == [0, 0, 3, 0, 3]
    world.reset("flat_1004", 1)
    list(world.execute(SkillRequest(task_id="d", action=Action(words.SKILL_OBSERVE)), CancelToken()))
    assert world.state == FLAT.initial
