"""Tests of the removal of picture numbers from texts."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.roles.picture_numbers import without_picture_numbers


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Snapshot 2 shows a sofa.", "Snapshot shows a sofa."),
        ("Go to frontier 0, then on.", "Go to frontier, then on."),
        ("In snapshots 1, 2 and 3 it is dark.", "In snapshots it is dark."),
        ("Snapshots 0-3 and frontier 7 lead on.", "Snapshots and frontier lead on."),
        ("frontier_0, Frontier-1, frontier #3, FRONTIER: 4", "frontier, Frontier, frontier, FRONTIER"),
        ("frontier no. 5, snapshot index 6, frontiers {0, 2}", "frontier, snapshot, frontiers"),
        ("The sofa is red (Snapshot 2).", "The sofa is red."),
        ("Red (Evidence: Snapshots 0, 1) and wide (see frontier 12)", "Red and wide"),
        ("Snapshot 10's lamp is off.", "Snapshot's lamp is off."),
        ("The book on table_2 is near chair_13.", "The book on table is near chair."),
    ],
)
def test_numbers_of_pictures_and_ids_are_removed(text: str, plain: str) -> None:
    assert without_picture_numbers(text) == plain


@pytest.mark.parametrize(
    "text",
    [
        "There are two chairs and 3 snapshots of them.",
        "2 beds and 1 lamp in the bedroom",
        "The frontier 2 m away, another frontier 2.5 m away and a frontier (3.1 m away).",
        "The frontier 30 degrees from the door, the snapshot 20% darker",
        "room 12 of the hotel, on floor 3",
    ],
)
def test_counts_and_measures_stay(text: str) -> None:
    assert without_picture_numbers(text) == text


def test_a_text_becomes_one_line() -> None:
    assert without_picture_numbers(" The door\n is open,\tsnapshot\n3 ") == "The door is open, snapshot"


FRAGMENTS = st.sampled_from(
    (
        *(
            "snapshot",
            "Snapshots",
            "frontier",
            "frontiers",
            "s",
            " ",
            "\n",
            "(",
            ")",
            "[",
            "]",
            "{",
            "}",
            "_",
        ),
        *("-", ",", "and", "or", "#", ":", "no.", "see", "1", "23", ".", "m", "chair", "x", "<", ">"),
    )
)
TEXTS = st.one_of(st.text(), st.lists(FRAGMENTS, max_size=30).map("".join))


@given(TEXTS)
def test_a_plain_text_stays_as_it_is(text: str) -> None:
    plain = without_picture_numbers(text)

    assert without_picture_numbers(plain) == plain
    assert len(plain) <= len(text)


@given(noun=st.sampled_from(["snapshot", "Frontier"]), number=st.integers(0, 10**6), around=st.text("abc. "))
def test_no_number_behind_the_name_of_a_picture_stays(noun: str, number: int, around: str) -> None:
    assert str(number) not in without_picture_numbers(f"{around} {noun} {number}, {around}")


@pytest.mark.parametrize(
    "text",
    [
        "snapshots " + "1, " * 20_000,
        "snapshots (" + "1, " * 20_000,
        "(" * 50_000 + "snapshot 1",
        "snapshot 1 " * 10_000,
        "snapshot" + " 1" * 20_000,
        "_1" * 30_000,
        "snapshot " + "1" * 30_000,
    ],
    ids=lambda text: text[:14],
)
def test_a_long_hostile_text_takes_little_time(text: str) -> None:
    begun = time.process_time()

    without_picture_numbers(text)

    assert time.process_time() - begun < 2.0
