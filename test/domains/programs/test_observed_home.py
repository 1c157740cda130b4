"""Tests of reading observations: what the world writes of a home is read back whole."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.domains.programs.observed_home import (
    YOU,
    Look,
    ObservedHome,
    SeenThing,
    kind_of,
    place_of,
    read_looks,
    read_observation,
)
from stma_ros.memory.working.records import record_text
from stma_ros.types import vocabulary as words
from stma_ros.types.sensing import Observation
from stma_ros.worlds.programs.episode import Episode
from stma_ros.worlds.programs.home_graph import HANDS, INSIDE, ON, HomeGraph, Node, state_word
from stma_ros.worlds.programs.senses import rooms, seen_things
from support.homes_of_twins import WHO, twins

_STATES = ("ON", "OFF", "OPEN", "CLOSED", "CLEAN", "DIRTY", "PLUGGED_IN", "PLUGGED_OUT")
_CLASSES = st.from_regex(r"[a-z]+([-_ ][a-z]+)?", fullmatch=True).filter(lambda name: name != "character")


@st.composite
def homes(draw: st.DrawFn) -> HomeGraph:
    """Returns the home of twins with other classes, states, and relations between things."""
    home = twins()
    things = [id for id, node in home.nodes.items() if id != WHO and node.category != "Rooms"]
    nodes = [
        Node(node.id, draw(_CLASSES) if node.id in things else node.name, node.category, node.properties)
        for node in home.nodes.values()
    ]
    states = {id: draw(st.sets(st.sampled_from(_STATES), max_size=4)) for id in things}
    states[WHO] = draw(st.sampled_from((set(), {"SITTING"}, {"LYING"})))
    some = st.sampled_from(things)
    facts = [*home.facts()]
    facts += draw(
        st.lists(st.tuples(some, st.sampled_from((ON, INSIDE)), st.sampled_from([*things, WHO])), max_size=6)
    )
    facts += draw(st.lists(st.tuples(st.just(WHO), st.sampled_from((ON, *HANDS)), some), max_size=3))
    return HomeGraph(nodes, states, facts)


def _meant(episode: Episode) -> ObservedHome:
    """Returns what is seen in an episode, from its graph."""
    graph, name = episode.graph, episode.name_of
    seen = list(seen_things(graph))
    known = {id: name(id) for id in seen} | {WHO: YOU}
    things = {}
    for id in seen:
        relations = ((words.ON, graph.targets(id, ON)), (words.IN, graph.targets(id, INSIDE)))
        places = {
            (relation, known[each]) for relation, targets in relations for each in targets if each in known
        }
        states = tuple(sorted(map(state_word, graph.states(id))))
        things[name(id)] = SeenThing(name(id), states, tuple(sorted(places, key=" ".join)))
    room = graph.room_of(WHO)
    assert room is not None
    return ObservedHome(
        name(room),
        tuple(sorted(map(name, rooms(graph)))),
        tuple(map(state_word, graph.states(WHO))),
        tuple(sorted(map(name, graph.targets(WHO, ON)))),
        tuple(sorted({name(id) for id in graph.targets(WHO, *HANDS)})),
        things,
    )


@given(homes(), st.integers(0, 3))
def test_observation_of_any_home_is_read_back(home: HomeGraph, seed: int) -> None:
    episode = Episode(home, seed)
    look = episode.look()
    assert read_observation(f"{look.description}\n{look.inventory}") == _meant(episode)


@given(homes(), st.integers(0, 3), st.integers(0, 200))
def test_look_is_read_back_from_its_text_and_from_a_record(home: HomeGraph, seed: int, step: int) -> None:
    seen = Episode(home, seed).look()
    look = Look.of(step, read_observation(f"{seen.description}\n{seen.inventory}"))
    record = Observation(
        step=step,
        feedback="Nothing happens.",
        description=seen.description,
        inventory=seen.inventory,
        admissible_commands=seen.commands,
    )
    assert read_looks(f"Task: look\n{look}\nProgress: none.") == (look,)
    assert read_looks(record_text(record)) == (look,)


def test_looks_come_in_the_order_of_their_steps() -> None:
    late, early = Look(7, "kitchen_1", (SeenThing("cup_1"),)), Look(2, "bedroom_1", ())
    assert read_looks(f"{late}\n{early}") == (early, late)


@pytest.mark.parametrize(
    "text", ["", "You see:", "You win.", "cup", "cup_1 (clean", "cup_1 under table_1", "Step: x"]
)
def test_other_text_says_nothing(text: str) -> None:
    assert read_observation(text) == ObservedHome()
    assert read_looks(text) == ()


def test_look_places_a_held_thing_in_the_hand_alone() -> None:
    home = read_observation("You are in kitchen_1.\nmilk_1 (clean) in cup_1\nYou hold milk_1, key_1.")
    assert Look.of(1, home).things == (
        SeenThing("milk_1", ("clean",), ((words.HELD_BY, YOU),)),
        SeenThing("key_1", (), ((words.HELD_BY, YOU),)),
    )


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ("cup_1", ("in", "kitchen_1")),
        ("cup_1 on table_1", ("on", "table_1")),
        ("cup_1 in box_1, on table_1", ("in", "box_1")),
        ("cup_1 in box_1, on you", ("on", words.ROBOT)),
    ],
)
def test_graph_holds_one_place_of_a_thing(line: str, place: tuple[str, str]) -> None:
    [look] = read_looks(f"Step 1, kitchen_1: {line}")
    assert place_of(look.things[0], look.room) == place


def test_kind_is_the_name_without_its_number() -> None:
    assert [kind_of(name) for name in ("sauce_pan_12", "band-aids_1", "cup")] == [
        "sauce_pan",
        "band-aids",
        "cup",
    ]
