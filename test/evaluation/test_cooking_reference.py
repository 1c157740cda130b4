"""The plan with perfect knowledge wins in the engine, and no shorter plan does."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stma_ros.evaluation.cooking.oracle import Fact, Truth, perfect_plan, read_truth
from stma_ros.types.errors import StorageError, WorldError
from stma_ros.worlds.textworld.games import TRUTH_SUFFIX, game_file, games_folder

pytestmark = pytest.mark.filterwarnings(
    "ignore:Game .* is not fully supported"
)  # of TextWorld's own interpreter

SEEDS = {1: 1_400_000, 2: 1_400_001, 3: 1_400_002, 4: 1_400_003}
"""Of the first game of each level for the suite's seed 1000."""


@pytest.fixture(scope="module", params=SEEDS)
def game(request: pytest.FixtureRequest) -> Path:
    pytest.importorskip("textworld", reason="text games need TextWorld: pip install 'stma_ros[cooking]'")
    return game_file(f"level_{request.param}", SEEDS[request.param], games_folder(""))


def test_perfect_plan_wins_with_its_last_command_and_is_no_longer_than_the_engines_walkthrough(
    game: Path,
) -> None:
    import textworld

    plan = perfect_plan(read_truth(game.with_suffix(TRUTH_SUFFIX)))
    infos = textworld.EnvInfos(admissible_commands=True, policy_commands=True, won=True, lost=True)
    engine = textworld.start(str(game), infos)
    state = engine.reset()
    assert len(plan) <= len(state.policy_commands)
    for number, command in enumerate(plan, start=1):
        assert command in state.admissible_commands
        state, _, over = engine.step(command)
        assert (over, state.won) == (number == len(plan), number == len(plan))
    engine.close()


# -- small kitchens, where every sequence of commands can be tried

KITCHEN, YARD, SHED = "r_0", "r_1", "r_2"
ROOMS = (KITCHEN, YARD, SHED)
PLACES = ("I", "r_0", "r_1", "r_2", "c_0", "s_0")
WAYS = {"roasted": "oven", "grilled": "BBQ"}
VERBS = {"sliced": "slice"}


def truth(
    start: str,
    ring: bool,
    doors: tuple[bool, bool],
    foods: tuple[str, ...],
    wanted: tuple[tuple[str, str], ...],
    knife: str,
    furniture: tuple[str, str, str],
) -> Truth:
    """Returns the ground truth of a kitchen, a yard and a shed from west to east, or in a ring.

    Args:
        doors: whether a closed door is between the first two and the last two rooms.
        foods: room or furniture of each food.
        wanted: required state of each food ("" = none).
        furniture: rooms of the closed fridge, the table and the BBQ.
    """
    facts: list[Fact] = [("at", "P", start), ("cooking_location", KITCHEN, "RECIPE")]
    facts += [("east_of", YARD, KITCHEN), ("east_of", SHED, YARD)]
    facts += [("north_of", SHED, KITCHEN)] if ring else []
    for number, (west, east) in enumerate(((KITCHEN, YARD), (YARD, SHED))):
        if doors[number]:
            door = f"d_{number}"
            facts += [("link", west, door, east), ("link", east, door, west), ("closed", door)]
    facts += [("at", thing, room) for thing, room in zip(("c_0", "s_0", "toaster_0"), furniture, strict=True)]
    facts += [("closed", "c_0"), ("at", "oven_0", KITCHEN), ("closed", "oven_0"), ("sharp", "o_0")]
    for thing, place in (*((f"f_{k}", place) for k, place in enumerate(foods)), ("o_0", knife)):
        facts.append(({"c": "in", "I": "in", "s": "on", "r": "at"}[place[0]], thing, place))
    for k, ways in enumerate(wanted):
        facts += [("raw", f"f_{k}"), ("uncut", f"f_{k}"), ("base", f"f_{k}", f"ingredient_{k}")]
        facts += [(way, f"ingredient_{k}") for way in ways if way]
    names = {"c_0": "fridge", "s_0": "table", "toaster_0": "BBQ", "oven_0": "oven", "o_0": "knife"}
    names |= {"d_0": "barn door", "d_1": "gate", "f_0": "leek", "f_1": "egg"}
    types = {thing: thing.split("_")[0] for thing in (*names, *ROOMS, *(f"ingredient_{k}" for k in range(2)))}
    return Truth(tuple(facts), names, types | {"P": "P", "I": "I"}, "cook")


TRUTHS = st.integers(1, 2).flatmap(
    lambda count: st.builds(
        truth,
        start=st.sampled_from(ROOMS),
        ring=st.booleans(),
        doors=st.tuples(st.booleans(), st.booleans()),
        foods=st.tuples(*[st.sampled_from(PLACES)] * count),
        wanted=st.tuples(*[st.tuples(st.sampled_from(["", *WAYS]), st.sampled_from(["", *VERBS]))] * count),
        knife=st.sampled_from(PLACES),
        furniture=st.tuples(*[st.sampled_from(ROOMS)] * 3),
    )
)

State = frozenset[Fact]


def moves(state: State, names: dict[str, str]) -> Iterator[tuple[str, State]]:
    """Yields every useful command with the facts after it, by the rules of the game."""
    facts = set(state)
    where = {fact[1]: fact[2] for fact in facts if fact[0] in ("at", "in", "on")}
    here = where["P"]
    closed = {fact[1] for fact in facts if fact[0] == "closed"}
    held = sorted(thing for thing, place in where.items() if place == "I")
    doors = {(fact[1], fact[3]): fact[2] for fact in facts if fact[0] == "link"}
    sides = {"east_of": ("east", "west"), "north_of": ("north", "south")}
    for name, *about in sorted(facts):
        if name in sides:
            there, back = about
            for direction, source, goal in ((sides[name][0], back, there), (sides[name][1], there, back)):
                if source == here and doors.get((here, goal)) not in closed:
                    yield f"go {direction}", state - {("at", "P", here)} | {("at", "P", goal)}
        elif name == "link" and about[0] == here and about[1] in closed:
            yield f"open {names[about[1]]}", state - {("closed", about[1])}
    if where["c_0"] == here and "c_0" in closed:
        yield "open fridge", state - {("closed", "c_0")}
    for thing, place in sorted(where.items()):
        portable = thing[:2] in ("f_", "o_") and place != "I"
        if portable and place not in closed and here in (place, where.get(place)):
            fact = next(fact for fact in facts if fact[1:] == (thing, place))
            source = "" if place == here else f" from {names[place]}"
            yield f"take {names[thing]}{source}", state - {fact} | {("in", thing, "I")}
    for food in (thing for thing in held if thing.startswith("f_")):
        for appliance, way in (("oven_0", "roasted"), ("toaster_0", "grilled")):
            if where[appliance] == here and ("raw", food) in facts:
                cooked = state - {("raw", food)} | {(way, food)}
                yield f"cook {names[food]} with {names[appliance]}", cooked
        if "o_0" in held and ("uncut", food) in facts:
            yield f"slice {names[food]} with knife", state - {("uncut", food)} | {("sliced", food)}


def ready(state: State) -> bool:
    """Returns whether the meal can be prepared."""
    for _, food, ingredient in (fact for fact in state if fact[0] == "base"):
        wanted = {fact[0] for fact in state if fact[1:] == (ingredient,)}
        wanted |= set() if wanted & WAYS.keys() else {"raw"}
        wanted |= set() if wanted & VERBS.keys() else {"uncut"}
        if ("in", food, "I") not in state or any((way, food) not in state for way in wanted):
            return False
    return ("at", "P", KITCHEN) in state


def fewest_commands(start: State, names: dict[str, str]) -> int:
    """Returns the length of the shortest plan, found by exhaustive search."""
    reached, waiting = {start}, deque([(start, 0)])
    while waiting:
        state, count = waiting.popleft()
        if ready(state):
            return count + 2  # prepare it, and eat it
        for _, following in moves(state, names):
            if following not in reached:
                reached.add(following)
                waiting.append((following, count + 1))
    raise AssertionError("every such game can be won")


@settings(max_examples=40)
@given(TRUTHS)
def test_no_plan_shorter_than_the_perfect_one_wins(truth: Truth) -> None:
    names = dict(truth.names)
    plan = perfect_plan(truth)
    state = frozenset(truth.facts)
    assert len(plan) == fewest_commands(state, names)
    for command in plan[:-2]:
        state = dict(moves(state, names))[command]
    assert ready(state)
    assert plan[-2:] == ("prepare meal", "eat meal")


def test_a_game_that_cannot_be_won_has_no_perfect_plan() -> None:
    walled = truth(KITCHEN, False, (False, False), ("r_2",), (("", ""),), "I", (KITCHEN,) * 3)
    facts = tuple(fact for fact in walled.facts if fact != ("east_of", SHED, YARD))
    with pytest.raises(WorldError, match="cannot be won"):
        perfect_plan(Truth(facts, walled.names, walled.types, walled.objective))


@pytest.mark.parametrize("content", [None, "", "{", "[]", '{"world": [], "infos": []}', '{"world": [{}]}'])
def test_an_unreadable_ground_truth_of_a_game_is_refused_with_the_remedy(
    tmp_path: Path, content: str | None
) -> None:
    path = tmp_path / "game.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(StorageError, match=r"game\.json does not say .* remove the game"):
        read_truth(path)
