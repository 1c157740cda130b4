"""Tests of the reader of commands in activities."""

from __future__ import annotations

import pytest

from stma_ros.domains.programs.commands import Command, read_command


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("stand up", Command("stand up")),
        ("walk to home_office_1", Command("walk to", ("home_office_1",))),
        ("switch on table_lamp_2", Command("switch on", ("table_lamp_2",))),
        ("put cup_1 on table_3", Command("put", ("cup_1", "table_3"), "on")),
        ("put band-aids_1 in drawer_1", Command("put", ("band-aids_1", "drawer_1"), "in")),
        ("pour milk_1 into cup_2", Command("pour", ("milk_1", "cup_2"), "in")),
    ],
)
def test_command_is_read_in_its_parts(text: str, command: Command) -> None:
    assert read_command(text) == command
