"""What the agent and the scorer get from a turn of a text adventure."""

from __future__ import annotations

from typing import Any

import pytest

from stma_ros.types.sensing import EpisodeState
from stma_ros.worlds.jericho.interpreter import Trial, Turn
from stma_ros.worlds.jericho.reading import Reading, read_turn

WIDE = " " * 128
BEFORE = Reading("Earlier.", "Mill\nAn old mill.", "You are carrying a sack.", "Mill", 3.0, 20.0)


def turn(
    text: str,
    looks: tuple[str, str] = ("Mill\nA mill.", "Mill\nA mill."),
    inventories: tuple[str, str] = ("You are carrying a sack.", "You are carrying a sack."),
    to_score: str = "You can't do that.",
    *,
    quits: bool = False,
    **status: Any,
) -> Turn:
    """Returns a turn of a story that prints the status line "Mill" after its prompt."""

    def printed(reply: str) -> str:
        return f"\n{reply}\n\n>{WIDE}Mill"

    trials = (Trial(looks, False), Trial(inventories, False), Trial((to_score,), False), Trial(("",), quits))
    shown = tuple(Trial(tuple(map(printed, one.texts)), one.has_quit) for one in trials)
    return Turn(printed(text), trials=shown, status=status)


def test_a_description_has_only_what_two_looks_in_a_row_agree_on() -> None:
    looks = ("Mill\nA mill.\nThe clock strikes one.", "Mill\nA mill.\nThe clock strikes two.")
    assert read_turn(turn("Time passes.", looks), BEFORE).description == "Mill\nA mill."


def test_a_reply_to_look_without_the_name_of_the_room_is_no_description() -> None:
    refused = 'I do not know the word "look".'
    assert read_turn(turn("Hm.", (refused, refused)), BEFORE).description == ""


def test_a_reply_that_lists_nothing_carried_is_no_inventory() -> None:
    refused = 'I do not know the word "inventory".'
    assert read_turn(turn("Hm.", inventories=(refused, refused)), BEFORE).inventory == ""
    assert read_turn(turn("Hm."), BEFORE).inventory == "You are carrying a sack."


def test_a_score_that_the_story_does_not_state_stays_as_it_was() -> None:
    reading = read_turn(turn("Taken."), BEFORE)
    assert (reading.score, reading.max_score) == (3, 20)


def test_the_reply_to_score_states_the_score_where_the_status_line_does_not() -> None:
    reading = read_turn(turn("Taken.", to_score="You have scored 4 out of a possible 30."), BEFORE)
    assert (reading.score, reading.max_score) == (4, 30)


def test_a_score_known_to_the_interpreter_is_preferred_to_any_text() -> None:
    said = "You have scored 4 out of a possible 30."
    reading = read_turn(turn("Taken.", to_score=said, score=7, max_score=50), BEFORE)
    assert (reading.score, reading.max_score) == (7, 50)


def test_rooms_of_the_same_name_differ_by_number() -> None:
    late = f"> Maze{WIDE}Score: 0      Moves: 1 \nMaze\nTwisty passages.\n"
    first, second = (
        Turn(late, trials=(Trial((late, late), False),) * 4, status={"room_number": number})
        for number in (12, 15)
    )
    assert [read_turn(one, BEFORE).room for one in (first, second)] == ["Maze (12)", "Maze (15)"]


def test_a_story_is_over_when_it_says_so_and_quit_ends_it_at_once() -> None:
    lost = "*** You have died ***\n\nYou scored 5 out of a possible 20.\n\nRESTART, RESTORE or QUIT?"
    reading = read_turn(turn(lost, quits=True), BEFORE)
    assert (reading.episode, reading.score) == (EpisodeState.LOST, 5)


@pytest.mark.parametrize(
    ("text", "quits"),
    [
        pytest.param("*** You have died ***\n\nYou deserve another chance.", False, id="another_chance"),
        pytest.param("The book: Will you RESTART or QUIT?\n*** You have won ***", False, id="a_book"),
        pytest.param("Taken.", True, id="a_story_that_quits_without_asking"),
    ],
)
def test_story_is_not_ended_by_a_text_alone_or_by_quitting_alone(text: str, quits: bool) -> None:
    assert read_turn(turn(text, quits=quits), BEFORE).episode == EpisodeState.RUNNING


@pytest.mark.parametrize(
    ("text", "episode"),
    [
        ("*** You have won ***", EpisodeState.WON),
        ("   ****  The End  ****", EpisodeState.WON),
        ("*** You have won a night in jail ***\n*** You have died ***", EpisodeState.LOST),
        ("*** You have missed the point ***", EpisodeState.LOST),
        ("Your score is 20 (total of 20 points).\nType RESTART or QUIT:", EpisodeState.WON),
        ("Your score is 19 (total of 20 points).\nType RESTART or QUIT:", EpisodeState.LOST),
    ],
)
def test_a_story_is_won_by_its_words_or_by_all_points(text: str, episode: EpisodeState) -> None:
    assert read_turn(turn(text, quits=True), BEFORE).episode == episode


def test_a_story_that_has_quit_is_lost_and_keeps_its_score() -> None:
    reading = read_turn(Turn("Goodbye.", has_quit=True), BEFORE)
    assert (reading.episode, reading.score, reading.reply) == (EpisodeState.LOST, 3, "Goodbye.")
    assert (reading.description, reading.inventory, reading.room) == ("", "", "Mill")


@pytest.mark.parametrize(("key", "episode"), [("won", EpisodeState.WON), ("lost", EpisodeState.LOST)])
def test_the_interpreter_knows_the_end_of_stories_that_it_knows(key: str, episode: EpisodeState) -> None:
    assert read_turn(turn("Hm.", **{key: True}), BEFORE).episode == episode
