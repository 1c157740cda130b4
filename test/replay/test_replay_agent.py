"""The components of a replay: as configured in the recording, or with requested changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stma_ros.agents.configured_agent import configuration, configure_agent
from stma_ros.agents.spec import ComponentSpec
from stma_ros.replay.replay_agent import Changes, ReplayAgent
from stma_ros.roles.registry import RoleModelConfig
from stma_ros.types.control import Configuration
from stma_ros.types.errors import ConfigurationError, StorageError
from stma_ros.types.standard import Header, KeyValue
from stma_ros.types.telemetry import REPLIES_FILE

ASKED = RoleModelConfig(
    planner="openai:qwen@http://localhost:1/v1", critic="openai:qwen@http://localhost:1/v1"
)


def configured(component: str, models: RoleModelConfig | None = None, **settings: object) -> Configuration:
    agent = configure_agent("full", {component: settings})
    return configuration(Header(), component, agent.matched, agent.configs[component], models)


def made(folder: Path, message: Configuration, **changes: object) -> ReplayAgent:
    agent = ReplayAgent(folder, Changes(**changes))  # type: ignore[arg-type]
    try:
        agent.make(message)
    finally:
        agent.close()
    return agent


@pytest.fixture
def configs(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Returns the configs with which components are made, by component, as they are made."""
    taken: dict[str, Any] = {}
    monkeypatch.setattr(
        ComponentSpec, "bind", lambda spec, config, domain, models: taken.setdefault(spec.name, config)
    )
    return taken


def test_replay_of_a_run_with_models_needs_their_recorded_replies(tmp_path):
    with pytest.raises(StorageError, match=r"planner, critic.*replies\.jsonl.*--set model=rules"):
        made(tmp_path, configured("planner", ASKED))


@pytest.mark.parametrize("models", [{"default": "rules"}, {"planner": "rules", "critic": "rules"}])
def test_a_named_model_replaces_the_recorded_replies(tmp_path: Path, models: Mapping[str, str]) -> None:
    made(tmp_path, configured("planner", ASKED), models=models)


def test_a_model_for_one_role_leaves_the_other_roles_to_the_recording(tmp_path):
    with pytest.raises(StorageError, match="answered the critic of this run"):
        made(tmp_path, configured("planner", ASKED), models={"planner": "rules"})


def test_a_model_setting_without_a_model_leaves_every_role_to_the_recording(tmp_path):
    with pytest.raises(StorageError, match="answered the planner, critic"):
        made(tmp_path, configured("planner", ASKED), models={"on_failure": "fail"})


def test_a_default_model_is_replayed_only_for_the_roles_that_the_agent_asks(tmp_path):
    """A server for all roles answers no role of another agent, such as the reflector of reflexion."""
    (tmp_path / REPLIES_FILE).touch()
    everyone = RoleModelConfig(default="openai:qwen@http://localhost:1/v1")
    made(tmp_path, configured("planner", everyone))


def test_a_replay_with_another_preset_notes_that_it_loads_no_memory(tmp_path):
    agent = made(tmp_path, configured("spatial_memory", memory_dir="/somewhere"), preset="stma")
    assert any("begins with nothing" in note for note in agent.notes)
    assert not made(tmp_path, configured("spatial_memory"), preset="stma").notes


def test_a_replay_with_another_preset_keeps_the_recorded_settings_of_the_world_and_the_place(
    tmp_path, configs
):
    seen = {
        "guess_states": "geometry",
        "masks": "boxes",
        "knowledge": "/home/things.yaml",
        "source": "network",
    }
    made(tmp_path, configured("perception", **seen), preset="stma")
    config = configs["perception"]
    assert (config.guess_states, config.masks, config.knowledge) == ("geometry", "boxes", "/home/things.yaml")
    assert config.source != "network"  # a setting of the agent, which the preset replaces

    made(tmp_path, configured("spatial_memory", floors="0, 3", resolution=0.2), preset="stma")
    assert configs["spatial_memory"].floors == "0, 3"
    assert configs["spatial_memory"].resolution != 0.2


def test_a_setting_of_the_place_is_that_of_the_replay_where_it_names_one(tmp_path, configs):
    overrides = {"perception": {"masks": "outlines"}}
    made(tmp_path, configured("perception", masks="boxes"), preset="stma", overrides=overrides)
    assert configs["perception"].masks == "outlines"


def test_the_executor_of_another_preset_waits_for_the_recorded_models(tmp_path, configs):
    waiting = configure_agent("full", models=ASKED)
    recorded = waiting.configs["executor"]
    assert recorded.plan_deadline > configure_agent("full").configs["executor"].plan_deadline
    message = configuration(Header(), "executor", waiting.matched, recorded, None)
    made(tmp_path, message, preset="stma")
    assert configs.pop("executor").plan_deadline == recorded.plan_deadline
    made(tmp_path, message, preset="stma", models={"planner": "rules", "critic": "rules"})
    assert configs["executor"].plan_deadline < recorded.plan_deadline


def test_a_component_that_was_not_recorded_gets_the_settings_of_the_place(tmp_path, configs):
    recorded = configured("perception", knowledge="/home/things.yaml")
    agent = ReplayAgent(tmp_path, Changes("stma"))
    (critic,) = (each for each in agent.configurations_of([recorded]) if each.component == "critic")
    agent.make(critic)
    agent.close()
    assert configs["critic"].knowledge == "/home/things.yaml"


def test_a_component_that_is_made_anew_begins_with_what_it_left(tmp_path, configs):
    memory = configured("spatial_memory", memory_dir="/somewhere")
    agent = ReplayAgent(tmp_path, Changes())
    agent.make(memory)
    first = configs.pop("spatial_memory").memory_dir
    (Path(first) / "memory.stma").write_text("of the first life")
    agent.make(memory)
    second = configs["spatial_memory"].memory_dir
    assert second != first  # the first one may still have it open
    assert (Path(second) / "memory.stma").read_text() == "of the first life"
    assert agent.as_recorded(f"{second}/memory.stma is damaged") == "/somewhere/memory.stma is damaged"
    agent.close()


def test_a_component_that_is_made_anew_has_the_experiences_that_it_added(tmp_path, configs):
    matched = configure_agent("mcot_memory", {"experience_memory": {"store": "/somewhere/e.db"}})
    config = matched.configs["experience_memory"]
    message = configuration(Header(), "experience_memory", matched.matched, config, None)
    agent = ReplayAgent(tmp_path, Changes())
    agent.make(message)
    first = configs.pop("experience_memory").store
    agent.make(message)
    assert configs["experience_memory"].store == first != "/somewhere/e.db"
    agent.close()


def test_a_configuration_of_another_version_is_refused_with_the_remedy(tmp_path):
    with pytest.raises(StorageError, match="replay it with the version"):
        made(tmp_path, replace(configured("planner"), wiring="smell"))
    with pytest.raises(StorageError, match=r"no agent 'clerk'.*replay it with the version"):
        made(tmp_path, replace(configured("planner"), agent="clerk"))
    with pytest.raises(StorageError, match=r"no domain 'office'.*replay it with the version"):
        made(tmp_path, replace(configured("planner"), domain="office"))
    with pytest.raises(StorageError, match="'hat'"):
        made(tmp_path, replace(configured("planner"), component="hat"))
    with pytest.raises(ConfigurationError, match="colour_of_hat"):
        made(tmp_path, replace(configured("planner"), settings=(KeyValue("colour_of_hat", "red"),)))


def test_settings_of_an_unknown_component_are_refused_with_a_suggestion(tmp_path):
    agent = ReplayAgent(tmp_path, Changes(overrides={"plannr": {"actions": "1"}}))
    with pytest.raises(ConfigurationError, match=r"plannr\.actions.*planner"):
        agent.check(("planner", "critic"))
