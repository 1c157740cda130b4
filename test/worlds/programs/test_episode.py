"""Tests of episodes in people's homes: what is seen, what can be done, and that neither tells ids."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.types.errors import ErrorCode, StorageError
from stma_ros.worlds.programs.commands import FORMS
from stma_ros.worlds.programs.episode import Episode
from stma_ros.worlds.programs.home_graph import INSIDE, ON, HomeGraph, Node
from stma_ros.worlds.programs.moved_things import with_things_moved
from stma_ros.worlds.programs.senses import is_enclosed
from support.people_programs import (
    CUP,
    FRIDGE,
    KITCHEN,
    MILK,
    PLATE,
    SHIRT,
    STUDY,
    TABLE,
    WHO,
    home_graph,
)

SECOND_CUP = 14
FAR = 10_000  # what is added to ids, so that they are longer than any number that an agent should see


def _after(*commands: str, graph: HomeGraph | None = None) -> Episode:
    episode = Episode(graph or home_graph(), 0)
    for command in commands:
        assert not episode.execute(command), command
    return episode


def _lines(episode: Episode) -> set[str]:
    return set(episode.look().description.splitlines())


def _state(graph: HomeGraph) -> object:
    return set(graph.facts()), {id: graph.states(id) for id in graph.nodes}


def _with_far_ids(graph: HomeGraph) -> HomeGraph:
    nodes = [Node(n.id + FAR, n.name, n.category, n.properties) for n in graph.nodes.values()]
    states = {id + FAR: graph.states(id) for id in graph.nodes}
    return HomeGraph(nodes, states, [(a + FAR, relation, b + FAR) for a, relation, b in graph.facts()])


def _with_two_cups() -> HomeGraph:
    graph = home_graph()
    cup = graph.nodes[CUP]
    second = Node(SECOND_CUP, cup.name, cup.category, cup.properties)
    facts = [*graph.facts(), (SECOND_CUP, ON, TABLE), (SECOND_CUP, INSIDE, KITCHEN)]
    return HomeGraph([*graph.nodes.values(), second], {id: graph.states(id) for id in graph.nodes}, facts)


def test_look_describes_the_room_and_its_things() -> None:
    look = _after().look()
    lines = look.description.splitlines()
    assert lines[:3] == ["You are in home_office_1.", "The rooms are home_office_1, kitchen_1.", "You see:"]
    assert sorted(lines[3:]) == [
        "chair_1 (clean)",
        "clothes_shirt_1 (clean)",
        "hands_both_1 (dirty)",
        "table_lamp_1 (off, plugged out)",
    ]
    assert look.inventory == "You hold nothing."


def test_look_describes_what_things_are_on_and_in_what_is_held_and_how_one_is() -> None:
    full = _after(
        "walk to kitchen_1",
        "walk to fridge_1",
        "open fridge_1",
        "grab milk_1",
        "walk to cup_1",
        "grab cup_1",
        "pour milk_1 into cup_1",
    )
    assert full.look().inventory == "You hold cup_1, milk_1."
    assert {"milk_1 (clean) in cup_1", "bread_1 (clean) on plate_1", "plate_1 (clean) on table_1"} <= _lines(
        full
    )
    seated = _after("walk to chair_1", "sit on chair_1")
    assert "You sit on chair_1." in _lines(seated)
    assert not seated.execute("stand up")
    assert "You are on chair_1." in _lines(seated)


@pytest.mark.parametrize(("state", "line"), [("SITTING", "You sit."), ("LYING", "You lie."), ("", None)])
def test_look_describes_a_posture_on_nothing(state: str, line: str | None) -> None:
    graph = home_graph()
    graph.change_state(WHO, (), [state] if state else ())
    postures = {each for each in _lines(Episode(graph, 0)) if each.startswith(("You sit", "You lie"))}
    assert postures == ({line} if line else set())


def test_worn_and_held_things_go_along_and_are_seen() -> None:
    episode = _after(
        "walk to clothes_shirt_1", "grab clothes_shirt_1", "wear clothes_shirt_1", "walk to kitchen_1"
    )
    assert "clothes_shirt_1 (clean) on you" in _lines(episode)
    assert not episode.execute("take off clothes_shirt_1")
    assert episode.graph.room_of(SHIRT) == KITCHEN


def test_thing_that_is_put_on_a_held_thing_goes_along() -> None:
    episode = _after(
        "walk to kitchen_1",
        "walk to cup_1",
        "grab cup_1",
        "grab plate_1",
        "put cup_1 on plate_1",
        "walk to home_office_1",
    )
    assert episode.graph.has(CUP, ON, PLATE)
    assert episode.graph.room_of(CUP) == episode.graph.room_of(PLATE) == STUDY


@pytest.mark.parametrize("inside", [MILK, PLATE])
def test_thing_in_a_closed_container_is_seen_once_the_container_is_open(inside: int) -> None:
    graph = home_graph()
    graph.remove(PLATE, ON, TABLE)
    graph.add(PLATE, INSIDE, FRIDGE)  # with the bread on it
    episode = _after("walk to kitchen_1", graph=graph)
    hidden = ["milk", "plate", "bread"]
    assert not any(line.startswith(tuple(hidden)) for line in _lines(episode))
    assert episode.execute("walk to milk_1").code == ErrorCode.ACTION_NOT_ALLOWED
    assert episode.name_of(inside) in hidden
    assert not episode.execute("walk to fridge_1")
    assert not episode.execute("open fridge_1")
    assert {"milk_1 (clean) in fridge_1", "bread_1 (clean) on plate_1"} <= _lines(episode)
    assert episode.name_of(inside) in ("milk_1", "plate_1")


def test_thing_on_a_closed_container_is_seen_and_so_is_what_it_holds() -> None:
    graph = home_graph()
    graph.remove(PLATE, ON, TABLE)
    graph.add(PLATE, ON, FRIDGE)  # with the bread on it
    assert {"plate_1 (clean) on fridge_1", "bread_1 (clean) on plate_1"} <= _lines(
        _after("walk to kitchen_1", graph=graph)
    )
    assert not is_enclosed(graph, PLATE)
    assert is_enclosed(graph, MILK)


def test_closed_things_that_are_in_each_other_are_seen_and_what_is_in_them_is_not() -> None:
    graph = home_graph()
    graph.remove(PLATE, ON, TABLE)
    nodes = [*graph.nodes.values()]
    curtains = (SECOND_CUP, SECOND_CUP + 1)
    nodes += [Node(id, "curtain", "", frozenset({"CAN_OPEN"})) for id in curtains]
    facts = [(id, INSIDE, KITCHEN) for id in curtains]
    facts += [
        (curtains[0], INSIDE, curtains[1]),
        (curtains[1], INSIDE, curtains[0]),
        (PLATE, INSIDE, curtains[0]),
    ]
    states = {id: graph.states(id) for id in graph.nodes} | dict.fromkeys(curtains, frozenset({"CLOSED"}))
    graph = HomeGraph(nodes, states, [*graph.facts(), *facts])
    assert [is_enclosed(graph, id) for id in (*curtains, PLATE)] == [False, False, True]
    episode = _after("walk to kitchen_1", "walk to curtain_1", "open curtain_1", graph=graph)
    assert "curtain_2 (closed) in curtain_1" in _lines(episode)


@pytest.mark.parametrize(
    ("before", "command", "reason"),
    [
        ((), "open table_lamp_1", "table_lamp_1 cannot be opened or closed"),
        ((), "grab clothes_shirt_1", "clothes_shirt_1 is not near"),
        (
            ("walk to kitchen_1", "walk to cup_1", "grab cup_1"),
            "put cup_1 in fridge_1",
            "fridge_1 is not near",
        ),
        (
            ("walk to kitchen_1", "walk to cup_1", "grab cup_1"),
            "put cup_1 on cup_1",
            "cup_1 cannot be put on or into itself",
        ),
        (
            ("walk to kitchen_1", "walk to cup_1", "grab cup_1", "grab plate_1", "put cup_1 on plate_1"),
            "put plate_1 on cup_1",
            "cup_1 is itself on or in plate_1",
        ),
        (("walk to table_lamp_1",), "switch on table_lamp_1", "table_lamp_1 is plugged out"),
    ],
)
def test_command_that_is_not_possible_says_why_by_names(
    before: tuple[str, ...], command: str, reason: str
) -> None:
    episode = _after(*before)
    state = _state(episode.graph)
    error = episode.execute(command)
    assert error.code == ErrorCode.NO_EFFECT
    assert error.text == f"{command!r} is not possible now: {reason}"
    assert _state(episode.graph) == state


@pytest.mark.parametrize(
    "command",
    [
        "",
        "dance",
        "grab",
        "grab cup_1",
        "grab kitchen_1",
        "walk to character",
        "walk to  chair_1",
        "WALK to chair_1",
    ],
)
def test_text_that_is_no_command_is_not_allowed(command: str) -> None:
    episode = _after()
    state = _state(episode.graph)
    assert episode.execute(command).code == ErrorCode.ACTION_NOT_ALLOWED
    assert _state(episode.graph) == state


def test_names_count_in_an_order_that_is_drawn() -> None:
    names = set()
    for seed in range(12):
        episode = Episode(_with_two_cups(), seed)
        assert not episode.execute("walk to kitchen_1")
        names.add((episode.name_of(CUP), episode.name_of(SECOND_CUP)))
    assert names == {("cup_1", "cup_2"), ("cup_2", "cup_1")}


def test_names_stay_what_they_are() -> None:
    episode = Episode(_with_two_cups(), 3)
    assert episode.name_of(CUP) == "cup"
    assert not episode.execute("walk to kitchen_1")
    name = episode.name_of(CUP)
    assert not episode.execute("walk to home_office_1")
    assert episode.name_of(CUP) == name


def test_episode_leaves_the_graph_that_it_is_made_of() -> None:
    graph = home_graph()
    _after("walk to table_lamp_1", "plug in table_lamp_1", graph=graph)
    assert _state(graph) == _state(home_graph())


def test_character_in_no_room_is_refused() -> None:
    graph = home_graph()
    graph.remove(WHO, INSIDE, STUDY)
    with pytest.raises(StorageError, match="in no room"):
        Episode(graph, 0)


_SEEDS = st.integers(-5, 5)
_CHOICES = st.lists(st.integers(0, 10**6), max_size=40)


def _begin(seed: int) -> Episode:
    return Episode(with_things_moved(_with_far_ids(_with_two_cups()), seed), seed)


def _played(episode: Episode, choices: list[int]) -> Iterator[str]:
    """Executes commands that are admissible; yields each before."""
    for choice in choices:
        commands = episode.look().commands
        command = commands[choice % len(commands)]
        yield command
        assert not episode.execute(command)


def _conceivable(episode: Episode) -> Iterator[str]:
    """Yields all commands on what is seen."""
    names = [line.split()[0] for line in _lines(episode) if re.match(r"[\w-]+_\d+( |$)", line)]
    for form in FORMS.split(", "):
        if "Y" in form:
            yield from (form.replace("X", a).replace("Y", b) for a, b in product(names, names))
        else:
            yield from {form.replace("X", name) for name in names}


@given(_SEEDS, _CHOICES)
def test_admissible_commands_are_executed_and_nothing_tells_ids_or_what_is_enclosed(
    seed: int, choices: list[int]
) -> None:
    episode = _begin(seed)
    for _ in _played(episode, choices):
        look = episode.look()
        text = "\n".join((look.description, look.inventory, *look.commands))
        assert not re.search(r"\d{3}|\(\d", text)
        assert list(look.commands) == sorted(set(look.commands))
        seen = {line.split()[0] for line in look.description.splitlines()}
        graph = episode.graph
        carried = {*graph.targets(WHO + FAR, "HOLDS_RH", "HOLDS_LH"), *graph.sources(ON, WHO + FAR)}
        hidden = {episode.name_of(id) for id in graph.nodes if is_enclosed(graph, id) and id not in carried}
        assert not hidden & seen
        assert not any(name in hidden for command in look.commands for name in command.split())


@given(_SEEDS, st.lists(st.integers(0, 10**6), max_size=8))
def test_other_commands_are_refused_and_change_nothing(seed: int, choices: list[int]) -> None:
    episode = _begin(seed)
    for _ in _played(episode, choices):
        before = _state(episode.graph)
        look = episode.look()
        for command in set(_conceivable(episode)) - set(look.commands):
            error = episode.execute(command)
            assert error.code == ErrorCode.NO_EFFECT
            assert not re.search(r"\d{3}|\(\d", error.text)
        assert _state(episode.graph) == before
        assert episode.look() == look


@given(_SEEDS, _CHOICES)
def test_the_same_commands_lead_to_the_same_state(seed: int, choices: list[int]) -> None:
    episode = _begin(seed)
    commands = list(_played(episode, choices))
    again = _begin(seed)
    for command in commands:
        assert not again.execute(command)
    assert _state(again.graph) == _state(episode.graph)
    assert again.look() == episode.look()


def test_one_can_walk_to_every_room_and_thing_that_is_seen_and_do_nothing_else_at_a_distance() -> None:
    things = ("chair_1", "clothes_shirt_1", "table_lamp_1")  # the hands are in no room
    places = ("kitchen_1", "home_office_1", *things)
    assert set(_after().look().commands) == {f"walk to {name}" for name in places}
