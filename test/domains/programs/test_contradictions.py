"""Tests of finding wishes that exclude each other."""

from __future__ import annotations

import pytest

from stma_ros.domains.programs.contradictions import excluded
from stma_ros.domains.programs.wishes import read_wishes

_ROOMS = ("kitchen", "bedroom")


@pytest.mark.parametrize(
    "task",
    [
        "the cup is clean; the cup is dirty",
        "the lamp is switched on; the lamp is turned off",
        "the lamp is plugged in; the lamp is not plugged in",
        "the cup is on the table; the cup is not on the table",
        "you hold the cup; you do not hold the cup",
        "you are sitting; you are lying",
        "you are sitting; you are not sitting",
        "you are in the kitchen; you are in the bedroom",
        "the cup is in the kitchen; the cup is in the bedroom",
        "the cup is in the first bedroom; the cup is in the second bedroom",
        "you hold the first cup; you hold the second cup; you hold the plate",
        "the cup is in the cup",
    ],
)
def test_wishes_that_cannot_all_be_so_are_found(task: str) -> None:
    wishes = read_wishes(task)
    assert tuple(excluded((*read_wishes("the stove is off"), *wishes), _ROOMS)) == wishes


@pytest.mark.parametrize(
    "task",
    [
        "the first cup is clean; the second cup is dirty",
        "the cup is clean; the cup is washed",
        "the lamp is not switched on; the lamp is not switched off",
        "you are not sitting; you are not lying",
        "the milk is in the cup; the milk is in the kitchen; the milk is in the glass; the milk is on the table",
        "the cup is in the kitchen; the cup is not in the bedroom; the plate is in the bedroom",
        "you hold the cup; you hold the plate; you do not hold the milk",
        "you hold the cup; you hold the cup; you hold the plate; you hold the plate",
        "you are in the kitchen; you are on the chair; the chair is in the bedroom",
    ],
)
def test_wishes_that_can_all_be_so_are_no_contradiction(task: str) -> None:
    assert excluded(read_wishes(task), _ROOMS) == ()
