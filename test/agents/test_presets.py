"""Presets and overrides: what exists is taken, what does not is refused with a hint."""

from __future__ import annotations

import pytest

from stma_ros.agents.presets import PRESETS, component_configs, parse_assignments
from stma_ros.agents.wiring import WIRINGS, Wiring
from stma_ros.types import topics
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.world import Senses


@pytest.mark.parametrize(
    ("preset", "senses"), [(name, senses) for name, preset in PRESETS.items() for senses in preset.senses]
)
def test_every_preset_configures_every_component(preset: str, senses: Senses) -> None:
    assert component_configs(preset, senses=senses).keys() == WIRINGS[senses].components.keys()


def test_a_preset_for_other_worlds_is_refused() -> None:
    with pytest.raises(
        ConfigurationError, match="'react' is not for worlds that offer a camera; there are: full, stma"
    ):
        component_configs("react")


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


@pytest.mark.parametrize("wiring", WIRINGS.values(), ids=[senses.value for senses in WIRINGS])
def test_the_wiring_names_only_topics_that_exist_and_every_input_has_a_source(wiring: Wiring) -> None:
    from_hosts = {
        topics.TASK,
        topics.CANCEL,
        topics.FAULT,
        topics.DEADLINE_EXPIRED,
        topics.SIGHTING_QUERY,
        topics.MEMORY_REQUEST,
    }
    sources = from_hosts.union(wiring.world_outputs, *(spec.outputs for spec in wiring.components.values()))
    for spec in wiring.components.values():
        assert set(spec.inputs) | set(spec.outputs) <= topics.TOPICS.keys(), spec.name
        assert set(spec.listens) <= sources, spec.name
        assert set(spec.frame) <= set(topics.FRAME), spec.name
        assert not set(spec.frame) & set(spec.inputs), spec.name


def test_the_parts_of_a_preset_add_up() -> None:
    config = component_configs("reflexion", senses=Senses.TEXT)["temporal_memory"]

    assert (config.summariser, config.history, config.reflections) == ("none", 10_000, 3)


def test_only_reflexion_tries_again() -> None:
    assert {name: preset.trials for name, preset in PRESETS.items() if preset.trials > 1} == {"reflexion": 3}
