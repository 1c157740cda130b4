"""The rules of text adventures: what they read out of a history, and how they explore a story that they do not know."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.domains.adventure.aims import Aim, read_aim
from stma_ros.domains.adventure.directions import DIRECTIONS, direction_of, named_directions
from stma_ros.domains.adventure.explored_map import ExploredMap
from stma_ros.domains.adventure.history import read_history
from stma_ros.domains.adventure.map_text import map_text, read_map
from stma_ros.domains.adventure.observation_summariser import AdventureObservationSummariser
from stma_ros.domains.adventure.observed_text import UNNAMED, Place, read_sight
from stma_ros.domains.adventure.policy import AdventurePolicy
from stma_ros.memory.working.subgoal_chunks import Closed
from stma_ros.roles.observation_summariser import ChunkQuery
from stma_ros.roles.policy import PolicyQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, SubgoalChunk, SubgoalState, TemporalBelief
from stma_ros.types.planning import Action
from support.roles.made_up_story import GIVE_UP, ROOMS, TASK, WAYS, Player, record

MILL = "Old Mill A wheel turns slowly in the brook. A track leads east and north-west."
BARE = "You are empty-handed."


def command(text: str) -> Action:
    return Action(words.SKILL_COMMAND, (text,))


# -- what is read


@pytest.mark.parametrize(
    ("text", "direction"),
    [
        ("north", "north"),
        ("N", "north"),
        ("go  to the southwest", "southwest"),
        ("climb up", "up"),
        ("exit", "out"),
        ("take lamp", ""),
        ("north wall", ""),
        ("", ""),
    ],
)
def test_direction_of_a_command(text: str, direction: str) -> None:
    assert direction_of(text) == direction


@pytest.mark.parametrize(
    ("text", "directions"),
    [
        ("A track leads east and north-west.", ("east", "northwest")),
        ("The northern wall; a North-South passage, westwards.", ("north", "south", "west")),
        ("Stairs lead up and downstairs.", ("up", "down")),
        ("Come in, the eastern coast is far out.", ("east",)),
        ("The Easter egg and the southpaw.", ()),
    ],
)
def test_directions_that_a_description_names(text: str, directions: tuple[str, ...]) -> None:
    assert named_directions(text) == directions


@pytest.mark.parametrize(
    ("text", "title", "reply"),
    [
        pytest.param(f"{MILL} {MILL} {BARE}", "Old Mill", "", id="move"),
        pytest.param(f"Old Mill {MILL} {BARE}", "Old Mill", "", id="title_alone"),
        pytest.param(f"Old Mill A cat is here. {MILL} {BARE}", "Old Mill", "", id="title_and_things"),
        pytest.param(f"No way. {MILL} {BARE}", "Old Mill", "No way.", id="refused"),
        pytest.param("Room 7 You're in a cell.", "Room 7", "", id="number"),
        pytest.param("Top of the Stairs In the corner is a bed.", "Top of the Stairs", "", id="small_words"),
        pytest.param("You go. -= Mill =- A wheel. -= Mill =- A wheel.", "Mill", "You go.", id="marks"),
        pytest.param("It is pitch dark. You hear rats.", UNNAMED, "It is pitch dark. You hear rats.", id="dark"),
        pytest.param("", UNNAMED, "", id="nothing"),
    ],
)  # fmt: skip
def test_room_is_read_out_of_an_observation_in_one_line(text: str, title: str, reply: str) -> None:
    sight = read_sight(text)
    assert (sight.place.title, sight.reply) == (title, reply)


def test_room_where_the_player_has_been_is_preferred_to_a_reply_that_begins_with_a_name() -> None:
    text = f"Big Bad Wolf says no. {MILL} {BARE}"
    assert read_sight(text).place.title == "Big Bad"
    assert read_sight(text, {"Old Mill"}).place == Place("Old Mill", ("east", "northwest"))


def test_directions_in_the_reply_and_in_the_title_do_not_belong_to_the_room() -> None:
    text = "You cannot go up. South Bank Reeds sway to the west."
    assert read_sight(text).place == Place("South Bank", ("west",))


@pytest.mark.parametrize(
    ("reply", "obstacle"),
    [
        ("You have to open the Oak Door first.", "oak door"),
        ("The garden gate is closed.", "garden gate"),
        ("You can't, since the trap door is in the way.", "trap door"),
        ("The windows are shut.", "windows"),
        ("You can't go that way.", ""),
        ("The shop is closing.", ""),
    ],
)
def test_obstacle_is_read_out_of_a_reply(reply: str, obstacle: str) -> None:
    assert read_sight(f"{reply} {MILL}").obstacle == obstacle


def test_obstacle_in_a_description_is_none() -> None:
    assert read_sight("Old Mill Here the garden gate is closed.").obstacle == ""


TITLES = st.sampled_from(["Old Mill", "Room 7", "Hall of the Old Kings", UNNAMED])
PLACES = st.builds(
    lambda title, named: Place(title, named_directions(" ".join(named))),
    TITLES,
    st.lists(st.sampled_from(DIRECTIONS)),
)
COMMANDS = st.tuples(
    st.sampled_from([*DIRECTIONS, "open oak door"]), PLACES, st.sampled_from(["", "oak door"])
)


@given(PLACES, st.lists(COMMANDS, max_size=20))
def test_a_summary_is_read_back_as_the_same_map(first: Place, said: list[tuple[str, Place, str]]) -> None:
    explored = ExploredMap()
    explored.arrive(first)
    for text, place, obstacle in said:
        explored.learn(text, place, obstacle)
    read = read_map(map_text(explored))
    assert (read.here, read.exits) == (explored.here, explored.exits)


def test_a_summary_says_where_the_directions_of_each_room_led() -> None:
    text = map_text(
        explored_by(
            ("", "Old Mill A wheel turns. A track leads east."),
            ("north", "A wall."),
            ("up", "The trap door is closed."),
            ("east", "Bank You see sand in the west."),
            ("west", "Old Mill"),
            ("open trap door", "It creaks."),
        )
    )
    assert text == (
        "Map: Old Mill (east): north nowhere, up blocked by trap door (opened), east to Bank; "
        "Bank (west): west to Old Mill. Here: Old Mill (east)"
    )


def explored_by(*said: tuple[str, str]) -> ExploredMap:
    """Returns the map after some commands, in a mill unless the reply has a name of a room."""
    lines = []
    for text, reply in said:
        where = (
            "" if reply.startswith(("Old Mill A", "Bank")) else " Old Mill A wheel turns. A track leads east."
        )
        lines += [*([f"Action: {text}"] if text else []), f"Observation: {reply}{where}"]
    return read_history("\n".join(lines))


def test_text_that_is_no_map_is_read_as_one_without_rooms() -> None:
    for text in (
        "",
        "The lamp was taken; it is dark: nothing else.",
        "See the Map: Bank: up nowhere. Here: Bank",
    ):
        read = read_map(text)
        assert (read.here, read.exits) == (None, {})


@given(PLACES, st.sampled_from(DIRECTIONS))
def test_a_subgoal_is_read_back_as_the_same_aim(place: Place, direction: str) -> None:
    for aim in (Aim(direction, place.title), Aim(direction, place.title, place.named)):
        assert read_aim(str(aim)) == aim
        assert aim.fits(place)


def test_subgoals_are_plain_english() -> None:
    assert str(Aim("west", "Old Mill")) == "explore west of Old Mill"
    assert str(Aim("up", "Old Mill", ("east", "up"))) == "explore up from Old Mill (east, up)"
    assert read_aim("take the lamp") is None


def test_history_beyond_a_gap_begins_at_an_unknown_place() -> None:
    text = f"Observation: {MILL}\n(Left out here: 3 actions)\nAction: east\nObservation: Bank You see sand."
    explored = read_history(text)
    assert explored.here == Place("Bank")
    assert explored.exits == {Place("Old Mill", ("east", "northwest")): {}, Place("Bank"): {}}


@given(st.text(), st.text())
def test_any_history_and_subgoal_has_an_answer(text: str, subgoal: str) -> None:
    observed = TemporalBelief(subgoal=subgoal, text=f"Observation: {text}\nAction: {text}\n{text}")
    query = PolicyQuery(TASK, observed, SpatialBelief(), (GIVE_UP,), any_command=True)
    (action,) = AdventurePolicy().answer(query).actions
    assert action in query.allowed


# -- exploring


@pytest.mark.parametrize("subgoals", [True, False])
def test_rules_reach_every_room_of_a_story_and_open_its_door(subgoals: bool) -> None:
    player = Player(subgoals=subgoals)
    played = list(player.play(30))
    assert {*player.story.visited} == {*ROOMS}
    assert played[played.index("open iron door") - 1 :][:3] == ["north", "open iron door", "north"]


def test_rules_say_nothing_twice_that_was_refused_in_a_room() -> None:
    player = Player()
    list(player.play(1000))
    refused = [each for each in player.story.said if each not in WAYS and each[1] in DIRECTIONS]
    assert len(refused) > 30
    assert [each for each, count in Counter(refused).items() if count > 1] == []


def test_rules_give_up_when_every_direction_of_every_room_was_tried() -> None:
    player = Player()
    commands = list(player.play(1000))
    assert len(commands) < 200
    assert player.answers[-1].actions == (GIVE_UP,)
    tried = {*player.story.said}
    assert [(room, way) for room in ROOMS for way in DIRECTIONS if (room, way) not in tried] == []


def test_rules_try_named_directions_before_others() -> None:
    played = list(Player().play(9))
    assert played == ["north", "north", "open iron door", "north", "up", "down", "down", "up", "south"]


def test_rules_read_the_room_behind_the_opening_of_a_story() -> None:
    player = Player(opening="THE KEEP OF RAIN\nA tale by Nobody\nRelease 3 / Serial number 990101\n\n")
    assert [*player.play(1)] == ["north"]
    assert player.answers[0].subgoal == "explore north of Gate House"


def test_rules_have_one_subgoal_until_its_direction_was_tried() -> None:
    player = Player()
    list(player.play(12))
    for before, answer in zip(player.answers, player.answers[1:], strict=False):
        assert answer.subgoal == "" or answer.subgoal != before.subgoal
    assert player.answers[0].subgoal == "explore north of Gate House"
    opening = next(each for each in player.answers if each.actions == (command("open iron door"),))
    assert opening.subgoal == ""


def test_rules_without_subgoals_name_none() -> None:
    player = Player(subgoals=False)
    list(player.play(1000))
    assert {answer.subgoal for answer in player.answers} == {""}


def test_rules_go_back_out_of_the_dark_first() -> None:
    player = Player()
    list(player.play(30))
    at = [room for room, _ in player.story.said].index("Cellar")
    assert player.story.said[at] == ("Cellar", "up")


def test_rules_that_forget_try_less() -> None:
    def tried(window: int, subgoals: bool) -> int:
        player = Player(window=window, subgoals=subgoals)
        list(player.play(30))
        return len({*player.story.said})

    assert tried(300, subgoals=False) < tried(300, subgoals=True)
    assert tried(0, subgoals=False) == tried(0, subgoals=True)


def test_rules_explore_by_the_last_observations_of_closed_subgoals_as_well() -> None:
    player = Player(closed=Closed.LAST_OBSERVATION)
    list(player.play(30))
    assert {*player.story.visited} == {*ROOMS}


def test_rules_look_where_it_is_not_known_where_they_are() -> None:
    query = replace(Player().query, temporal=TemporalBelief(text="(Left out here: 7 actions)"))
    answer = AdventurePolicy().answer(query)
    assert (answer.subgoal, answer.actions) == ("look around", (command("look"),))


def test_rules_propose_no_rejected_action() -> None:
    query = replace(Player().query, rejected=(command("north"),))
    assert AdventurePolicy().answer(query).actions == (command("south"),)


def test_rules_give_up_where_no_command_is_allowed() -> None:
    assert AdventurePolicy().answer(replace(Player().query, any_command=False)).actions == (GIVE_UP,)


def test_rooms_of_one_name_are_told_apart_by_the_directions_that_they_name() -> None:
    wood = "Wood Trees all around. It is brighter in the {}."
    text = f"Observation: {wood.format('east')}\nAction: east\nObservation: {wood.format('south')}"
    query = replace(Player().query, temporal=TemporalBelief(text=text))
    answer = AdventurePolicy().answer(query)
    assert (answer.subgoal, answer.actions) == ("explore south of Wood (south)", (command("south"),))


# -- summing up


def sum_up(subgoal: str, *said: tuple[str, str], previous: str = "") -> tuple[str, SubgoalState, str]:
    """Sums up commands that end, and without a previous summary also begin, in the mill."""
    mill = MILL.replace("Mill ", "Mill\n", 1)
    records = tuple(record(done, reply, mill) for done, reply in said)
    query = ChunkQuery(
        TASK, subgoal, records, SubgoalChunk(id=1, observation=previous), record("", mill, mill)
    )
    chunk = AdventureObservationSummariser().answer(query)
    return chunk.observation, chunk.state, chunk.reason


def test_summary_goes_on_from_the_one_before() -> None:
    before = "Map: Bank (south): up nowhere. Here: Bank (south)"
    assert sum_up("explore south of Bank", ("south", MILL), previous=before) == (
        "Map: Old Mill (east, northwest): nothing tried; Bank (south): up nowhere, south to Old Mill. "
        "Here: Old Mill (east, northwest)",
        SubgoalState.MET,
        "",
    )


def test_summary_of_a_direction_that_leads_nowhere_is_not_met() -> None:
    assert sum_up("explore south of Old Mill", ("south", "A wall.")) == (
        "Map: Old Mill (east, northwest): south nowhere. Here: Old Mill (east, northwest)",
        SubgoalState.NOT_MET,
        "There is no way.",
    )


def test_summary_names_what_is_in_the_way() -> None:
    observation, state, reason = sum_up("explore east of Old Mill", ("east", "The gate is shut."))
    assert "east blocked by gate." in observation
    assert (state, reason) == (SubgoalState.NOT_MET, "gate is in the way.")


def test_summary_of_a_subgoal_that_was_not_tried_is_not_met() -> None:
    assert sum_up("explore up from Bank", ("west", "A wall."))[1:] == (
        SubgoalState.NOT_MET,
        "It was not tried.",
    )


def test_summary_of_another_subgoal_is_unknown() -> None:
    assert sum_up("find the lamp", ("west", "A wall."))[1:] == (SubgoalState.UNKNOWN, "")
