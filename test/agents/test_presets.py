"""Presets and overrides: what exists is taken, what does not is refused with a hint."""

from __future__ import annotations

import pytest

from stma_ros.agents.presets import PRESETS, component_configs, parse_assignments
from stma_ros.agents.wiring import COMPONENTS, WORLD_OUTPUTS
from stma_ros.types import topics
from stma_ros.types.errors import ConfigurationError


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_configures_every_component(preset: str) -> None:
    assert component_configs(preset).keys() == COMPONENTS.keys()


def test_overrides_win() -> None:
    assert (
        component_configs("full", {"spatial_memory": {"resolution": "0.1"}})["spatial_memory"].resolution
        == 0.1
    )


@pytest.mark.parametrize(
    ("preset", "overrides", "message"),
    [
        ("ful", {}, r"there is no preset 'ful'\. Did you mean 'full'\?"),
        ("full", {"planer": {}}, r"there is no component 'planer'\. Did you mean 'planner'\?"),
        ("full", {"executor": {"max_round": 3}}, "executor has no setting 'max_round'"),
        ("full", {"executor": {"max_rounds": 0}}, "must be from 1 to 100"),
    ],
)
def test_what_does_not_exist_is_refused(
    preset: str, overrides: dict[str, dict[str, object]], message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        component_configs(preset, overrides)


def test_assignments_are_sorted_by_owner() -> None:
    assert parse_assignments(["tasks=find", "world.rooms=3", "planner.a=b=c"]) == {
        "": {"tasks": "find"},
        "world": {"rooms": "3"},
        "planner": {"a": "b=c"},
    }


@pytest.mark.parametrize("text", ["tasks", "=find", ""])
def test_an_assignment_without_key_or_value_is_refused(text: str) -> None:
    with pytest.raises(ConfigurationError, match="KEY=VALUE"):
        parse_assignments([text])


def test_the_wiring_names_only_topics_that_exist_and_every_input_has_a_source() -> None:
    from_hosts = {
        topics.TASK,
        topics.CANCEL,
        topics.FAULT,
        topics.DEADLINE_EXPIRED,
        topics.SIGHTING_QUERY,
        topics.MEMORY_REQUEST,
    }
    sources = from_hosts.union(WORLD_OUTPUTS, *(spec.outputs for spec in COMPONENTS.values()))
    for spec in COMPONENTS.values():
        assert set(spec.inputs) | set(spec.outputs) <= topics.TOPICS.keys(), spec.name
        assert set(spec.inputs) <= sources, spec.name
