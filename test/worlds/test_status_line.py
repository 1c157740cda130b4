"""Replies, status lines and scores, separated and read."""

from __future__ import annotations

import pytest

from stma_ros.worlds.jericho.status_line import (
    Points,
    Screen,
    points_of_reply,
    room_of_status,
    score_of_status,
    split_screen,
)

WIDE = " " * 128


@pytest.mark.parametrize(
    ("text", "screen"),
    [
        pytest.param(
            f"> Old Mill{WIDE}Score: -5      Moves: 12       \nYou fall.\n\n",
            Screen("You fall.", f"Old Mill{WIDE}Score: -5      Moves: 12"),
            id="before_the_reply",
        ),
        pytest.param(
            f" > Old Mill{WIDE}Time: 9:05 am \nIt rains.\n",
            Screen("It rains.", f"Old Mill{WIDE}Time: 9:05 am"),
            id="with_the_time",
        ),
        pytest.param(
            f"\nA mill.\n\nA sack.\n\n>{WIDE}-= Mill =-3/12",
            Screen("A mill.\n\nA sack.", "-= Mill =-3/12"),
            id="after_the_prompt",
        ),
        pytest.param("\nA mill.\n\n>MillScore: 3Moves: 12", Screen("A mill.", "MillScore: 3Moves: 12"), id="tight"),
        pytest.param(f"\nAre you sure?{WIDE}-= Mill =-3/12", Screen("Are you sure?", "-= Mill =-3/12"), id="question"),
        pytest.param("Old Mill\nA mill stands here.\n\n", Screen("Old Mill\nA mill stands here.", ""), id="none"),
        pytest.param("\nA mill.\n\n>", Screen("A mill.", ""), id="only_a_prompt"),
        pytest.param(
            f"{' ' * 55}*** The End ***\n\nRESTART or QUIT?\n>{WIDE}-= Mill =-3/12",
            Screen("*** The End ***\n\nRESTART or QUIT?", "-= Mill =-3/12"),
            id="after_a_centred_line",
        ),
    ],
)  # fmt: skip
def test_a_status_line_is_separated_from_the_reply(text: str, screen: Screen) -> None:
    assert split_screen(text) == screen


def test_a_reply_that_quotes_a_status_line_stays_whole() -> None:
    said = "The poster reads:\nOld Mill    Score: 99    Moves: 1\nNothing else."
    screen = split_screen(f"> Square{WIDE}Score: 1       Moves: 2 \n{said}\n")
    assert screen.reply == said
    assert score_of_status(screen.status) == 1


@pytest.mark.parametrize(
    ("status", "score", "room"),
    [
        (f"Old Mill{WIDE}Score: 5      Moves: 12", 5, "Old Mill"),
        ("Old MillScore: 5Moves: 12", 5, "Old Mill"),
        (f"Old Mill{WIDE}Time: 9:05 am", None, "Old Mill"),
        ("-= Mill =-3/12", 3, "-= Mill =-"),
        ("-= Mill =-3/12", None, "-= Mill =-"),
        ("-= Mill =-3/12", 4, "-= Mill =-"),
        ("Cell 10/5", 0, "Cell 1"),
        ("Cell 10/5", 10, "Cell"),
        ("Old Mill     north, east", None, "Old Mill"),
        ("", None, ""),
    ],
)
def test_the_left_side_of_a_status_line_is_the_room(status: str, score: int | None, room: str) -> None:
    assert room_of_status(status, score) == room


def test_only_a_labelled_number_of_a_status_line_is_a_score() -> None:
    assert score_of_status("Old MillScore: -5Moves: 12") == -5
    assert score_of_status("-= Mill =-3/12") is None


@pytest.mark.parametrize(
    ("reply", "points"),
    [
        ("Your score is 35 (total of 350 points), in 13 moves.\nThis gives you the rank.", Points(35, 350)),
        ("You have so far scored 1 out of a possible 7, in 4 turns.", Points(1, 7)),
        ("In that game you scored -10 out of a possible 100, in 3 turns.", Points(-10, 100)),
        ("Your score would be 4 (out of 20 points).", Points(4, 20)),
        ("Your score is 4.", Points(4, None)),
        ("Your score is 4, in 350 turns.", Points(4, None)),
        ("Your score has just gone up by one point.", Points()),
        ("There is no score in this story.", Points()),
        ("You scored.\n7 geese fly by.", Points()),
    ],
)
def test_a_sentence_states_a_score(reply: str, points: Points) -> None:
    assert points_of_reply(reply) == points
