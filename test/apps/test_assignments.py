"""Tests of sorting the assignments of `--set` by their owner."""

from __future__ import annotations

import pytest

from stma_ros.apps.settings import parse_assignments
from stma_ros.types.errors import ConfigurationError


def test_assignments_are_sorted_by_owner() -> None:
    assert parse_assignments(["tasks=find", "world.rooms=3", "planner.a=b=c"]) == {
        "": {"tasks": "find"},
        "world": {"rooms": "3"},
        "planner": {"a": "b=c"},
    }


@pytest.mark.parametrize("text", ["tasks", "=find", ""])
def test_assignment_without_key_or_value_is_refused(text: str) -> None:
    with pytest.raises(ConfigurationError, match="KEY=VALUE"):
        parse_assignments([text])
