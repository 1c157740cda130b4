"""Tests of reading scenes from texts, and of writing and reading notes of them."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.domains.cooking.notes import Note, read_notes
from stma_ros.domains.cooking.scene import (
    DIRECTIONS,
    FLOOR,
    CarriedObject,
    Exit,
    GameObject,
    Scene,
    read_scene,
)
from stma_ros.domains.cooking.summariser import note_from_record
from stma_ros.memory.working.records import record_text
from stma_ros.types.planning import Action, Outcome, Result
from stma_ros.types.sensing import Observation

KITCHEN = """-= Kitchen =-
You find yourself in a kitchen. What's that over there? It looks like it's a fridge. You make out a closed oven.
On the table you can see a knife. You scan the room, seeing a counter. You see a raw red potato on the counter.

There is a closed patio door leading east. You don't like doors? Why not try going south, that entranceway is not
blocked by one. You pick up the smell of something nice."""
COMMANDS = (
    "drop onion",
    "examine counter",
    "examine fridge",
    "examine oven",
    "examine table",
    "go south",
    "go west",
    "open fridge",
    "open oven",
    "open patio door",
    "take knife from table",
    "take red potato from counter",
    "take leaf",
)
INVENTORY = "You are carrying: a diced fried onion and a raw ham."


class TestReading:
    SCENE = read_scene(KITCHEN, INVENTORY, COMMANDS)

    def test_scene_has_the_room_of_the_title(self) -> None:
        assert self.SCENE.room == "kitchen"

    def test_scene_has_exits_from_text_and_commands(self) -> None:
        assert self.SCENE.exits == (Exit("south"), Exit("east", "patio door", True), Exit("west"))

    def test_scene_has_no_exit_for_a_direction_word_in_another_sense(self) -> None:
        assert "up" not in {exit_.direction for exit_ in self.SCENE.exits}

    def test_scene_has_objects_at_the_places_from_which_they_can_be_taken(self) -> None:
        held = {thing.name: thing.holder for thing in self.SCENE.objects if thing.holder}

        assert held == {"knife": "table", "red potato": "counter", "leaf": FLOOR}

    def test_scene_has_the_states_of_containers(self) -> None:
        states = {thing.name: thing.state for thing in self.SCENE.objects if not thing.holder}

        assert states == {"counter": "", "fridge": "closed", "oven": "closed", "table": ""}

    def test_scene_has_carried_objects_with_the_states_in_their_names(self) -> None:
        assert self.SCENE.carried == (CarriedObject("onion", ("diced", "fried")),)

    def test_scene_has_an_open_door_as_exit_and_not_as_container(self) -> None:
        scene = read_scene(
            "-= Hall =-\nAn open barn door leading north.", "", ("close barn door", "go north")
        )

        assert scene.exits == (Exit("north", "barn door", False),)
        assert scene.objects == ()

    @pytest.mark.parametrize(
        "description",
        [
            "North lies the oak door, east the ash door.",
            "An oak door leads north and an ash door leads east.",
            "To the north, there is an oak door, and to the east, an ash door.",
            "The oak door, to the north, stands beside the ash door, to the east.",
            "There is a closed oak door leading north. East: the ash door.",
            "An ash door leads east; to the north you see an oak door. You hear music from the north.",
        ],
    )
    def test_scene_assigns_each_exit_the_door_that_is_named_with_it(self, description: str) -> None:
        scene = read_scene(f"-= Hall =-\n{description}", "", ("open oak door", "close ash door"))

        assert scene.exits == (Exit("north", "oak door", True), Exit("east", "ash door", False))

    def test_scene_assigns_no_door_of_another_exit(self) -> None:
        scene = read_scene(
            "A patio door leads north, and there is an exit to the east.", "", ("open patio door",)
        )

        assert scene.exits == (Exit("north", "patio door", True), Exit("east"))

    def test_scene_reads_door_names_that_contain_each_other_or_directions(self) -> None:
        commands = ("open door", "open north door", "open black and white door")
        scene = read_scene("The north door leads west, a black and white door leads east.", "", commands)

        assert scene.exits == (Exit("east", "black and white door", True), Exit("west", "north door", True))

    def test_scene_does_not_depend_on_the_hash_seed(self) -> None:
        doors = [f"{wood} door" for wood in ("oak", "ash", "elm", "fir", "yew")]
        description = f"North are the {' the '.join(doors)}."
        script = (
            "from stma_ros.domains.cooking.scene import read_scene\n"
            f"print(read_scene({description!r}, 'You are carrying: a raw ham.', "
            f"{[*(f'open {door}' for door in doors), 'drop ham', 'drop raw ham', 'take egg from box']!r}))"
        )
        read = [
            subprocess.run(
                [sys.executable, "-c", script],
                env={**os.environ, "PYTHONHASHSEED": seed},
                capture_output=True,
                text=True,
                check=True,
            ).stdout
            for seed in ("1", "2", "3")
        ]

        assert "oak door" in read[0]
        assert len(set(read)) == 1

    def test_scene_of_empty_texts_is_empty(self) -> None:
        assert read_scene("", "", ()) == Scene()


USUAL = st.lists(
    st.text(st.characters(codec="ascii", categories=["Ll", "Nd"]), min_size=1, max_size=8),
    min_size=1,
    max_size=3,
).map(" ".join)
ODD = st.sampled_from(
    [
        "book on cooking",
        "none",
        "St. John's wort",
        "leek (large); leek, small",
        'a 5" nail',
        "back\\slash",
        "x. There: y. Carried: z.",
        "Step 3 (look), hall. Exits: none. There: none. Carried: none.",
        "two\nlines",
        "Cafe\u0301",
        "(",
    ]
)
NAMES = USUAL | ODD | st.text(min_size=1, max_size=6)
EXITS = st.builds(Exit, st.sampled_from(DIRECTIONS), st.just(""), st.just(False)) | st.builds(
    Exit, st.sampled_from(DIRECTIONS), NAMES, st.booleans()
)
STATES = st.sampled_from(["", "open", "closed"])
THINGS = st.builds(GameObject, NAMES, st.just(""), st.just(False), STATES) | st.builds(
    GameObject, NAMES, NAMES, st.booleans(), STATES
)
SCENES = st.builds(
    Scene,
    NAMES | st.just(""),
    st.lists(EXITS, max_size=4).map(tuple),
    st.lists(THINGS, max_size=5).map(tuple),
    st.lists(st.builds(CarriedObject, NAMES, st.lists(NAMES, max_size=3).map(tuple)), max_size=4).map(tuple),
)


@given(
    st.lists(
        st.builds(Note, st.integers(0, 99), NAMES | st.just(""), SCENES),
        max_size=4,
        unique_by=lambda n: n.step,
    )
)
def test_written_note_is_restored(notes: list[Note]) -> None:
    text = "\n".join(["Task: cook.", *map(str, notes), "Progress: none."])

    assert read_notes(text) == tuple(sorted(notes, key=lambda note: note.step))


@pytest.mark.parametrize(
    ("scene", "text"),
    [
        (
            Scene(
                "living room",
                (Exit("north"), Exit("east", "sliding patio door", True)),
                (
                    GameObject("knife", "table"),
                    GameObject("ham", "fridge", inside=True),
                    GameObject("fridge", state="open"),
                ),
                (CarriedObject("red onion", ("raw", "diced")), CarriedObject("chef's hat")),
            ),
            "living room. Exits: north; east (sliding patio door, closed). There: knife on table; ham in fridge; "
            "fridge (open). Carried: red onion (raw, diced); chef's hat.",
        ),
        (
            Scene("attic", objects=(GameObject("book on cooking", "table"), GameObject("none"))),
            'attic. Exits: none. There: "book on cooking" on table; "none". Carried: none.',
        ),
    ],
)
def test_note_is_plain_english(scene: Scene, text: str) -> None:
    assert str(Note(7, "put egg on table", scene)) == f"Step 7 (put egg on table), {text}"


@given(SCENES.filter(lambda scene: scene.room == scene.room.casefold()))
def test_note_can_be_read_in_lower_case(scene: Scene) -> None:
    (note,) = read_notes(str(Note(0, "", scene)).casefold())

    assert [thing.name for thing in note.scene.objects] == [thing.name.casefold() for thing in scene.objects]


@given(st.text())
def test_read_notes_and_read_scene_accept_any_text(text: str) -> None:
    read_notes(text)
    read_scene(text, text, text.splitlines())


def test_raw_record_is_read_like_its_note() -> None:
    done = Outcome(request_id="t/4", step=4, action=Action("command", ("go south",)), result=Result.SUCCEEDED)
    record = Observation(
        step=4,
        last_outcome=done,
        feedback="You go south.",
        description=KITCHEN,
        inventory=INVENTORY,
        admissible_commands=COMMANDS,
    )

    assert read_notes(record_text(record)) == (note_from_record(record),)
