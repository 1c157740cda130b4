"""Tests of sorting the assignments of `--set` by their owner."""

from __future__ import annotations

from pathlib import Path

import pytest

from stma_ros.apps.settings import parse_assignments, read_assignments
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


def test_a_plain_option_of_a_world_belongs_to_the_world() -> None:
    values = read_assignments(["map_yaw=0.5", "world.map_offset=1,2"]).with_world_options()
    assert values.world == {"map_yaw": "0.5", "map_offset": "1,2"}
    assert values.plain == {}


def test_a_plain_setting_of_a_benchmark_stays_with_the_benchmark() -> None:
    values = read_assignments(["noise=true", "map_yaw=0.5"]).with_world_options(("noise", "tasks"))
    assert (values.plain, values.world) == ({"noise": "true"}, {"map_yaw": "0.5"})


def test_a_plain_setting_of_a_component_is_refused_with_its_whole_name() -> None:
    values = read_assignments(["resolution=0.1"]).with_world_options()
    with pytest.raises(ConfigurationError, match=r"Did you mean .*spatial_memory\.resolution"):
        values.refuse_plain("run")


def test_settings_of_others_than_the_world_are_refused_where_only_those_fit() -> None:
    with pytest.raises(ConfigurationError, match=r"stma demo has .* takes world\.option=value only"):
        read_assignments(["spatial_memory.resolution=0.1"]).refuse_all_but_world("demo")


def test_a_plain_key_is_refused_with_the_keys_that_the_command_takes() -> None:
    def refusal(command: str, assignment: str) -> str:
        values = read_assignments([assignment])
        refuse = {
            "replay": values.refuse_recorded,
            "walk": values.refuse_all_but_world,
            "doctor": values.refuse_all_but_models,
        }
        with pytest.raises(ConfigurationError) as refused:
            refuse[command](command)
        return str(refused.value)

    assert "Did you mean" not in refusal("replay", "rooms=3")
    assert "Did you mean spatial_memory.resolution" in refusal("replay", "resolution=0.1")
    assert "Did you mean world.rooms" in refusal("walk", "rooms=3")
    assert refusal("walk", "resolution=0.1").endswith("'resolution'. Write world.option=value")
    assert refusal("doctor", "rooms=3").endswith("'rooms'. Write model=... or model.setting=value")


def test_knowledge_is_set_for_every_component_that_has_it_unless_it_has_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assigned = read_assignments(["knowledge=more.yaml", "planner.knowledge=other.yaml", "planner.actions=2"])
    file = str(tmp_path / "more.yaml")
    assert assigned.plain == {}
    others = ("perception", "spatial_memory", "temporal_memory", "critic", "executor")
    assert assigned.components == {
        **{name: {"knowledge": file} for name in others},
        "planner": {"knowledge": "other.yaml", "actions": "2"},
    }
