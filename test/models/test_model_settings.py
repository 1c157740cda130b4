"""Which model answers which role: the texts that say so, and those that are refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from stma_ros.models.settings import (
    KEY_VARIABLE,
    OPENAI,
    RECORDED,
    RULES,
    SCRIPTED,
    TRANSFORMERS,
    ModelSpec,
    read_spec,
)
from stma_ros.roles.critic import CRITIC
from stma_ros.roles.planner import PLANNER
from stma_ros.roles.registry import ROLE_NAMES, RoleModelConfig
from stma_ros.roles.scene_graph import SCENE_GRAPH
from stma_ros.roles.summariser import SUMMARISER
from stma_ros.roles.task_parser import TASK_PARSER
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import configure, settings_of

HERE = "http://localhost:8000/v1"
NAMED = {SCENE_GRAPH.name, TASK_PARSER.name}
"""Roles that a model answers only where it is named for them."""


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        (f"openai:qwen3@{HERE}", ModelSpec(OPENAI, "qwen3", HERE, KEY_VARIABLE)),
        (f"openai:qwen3@{HERE}/", ModelSpec(OPENAI, "qwen3", HERE, KEY_VARIABLE)),
        (f"openai:Qwen/Qwen3-4B:awq@{HERE}", ModelSpec(OPENAI, "Qwen/Qwen3-4B:awq", HERE, KEY_VARIABLE)),
        (f"openai:me@home/m@{HERE}", ModelSpec(OPENAI, "me@home/m", HERE, KEY_VARIABLE)),
        (f"openai:m@{HERE}#MY_KEY", ModelSpec(OPENAI, "m", HERE, "MY_KEY")),
        ("openai:m@https://[::1]:80", ModelSpec(OPENAI, "m", "https://[::1]:80", KEY_VARIABLE)),
        ("transformers:/models/qwen", ModelSpec(TRANSFORMERS, "/models/qwen")),
        ("transformers:C:/models", ModelSpec(TRANSFORMERS, "C:/models")),
        ("recorded:runs/today", ModelSpec(RECORDED, "runs/today")),
        ("scripted:lines.jsonl", ModelSpec(SCRIPTED, "lines.jsonl")),
    ],
)
def test_a_model_is_named_by_its_kind_and_where_it_is(text: str, spec: ModelSpec) -> None:
    assert read_spec(text) == spec


@pytest.mark.parametrize(
    "text",
    [
        "",
        "gpt-4",
        "openai",
        "openai:",
        "openai:m",
        "openai:@http://localhost",
        "openai:m@localhost:8000",
        "openai:m@ftp://localhost",
        "openai:m@http://",
        "openai:m@http://local host/v1",
        "transformers:",
        "recorded:",
        "scripted:",
        "transformer:/models/qwen",
        "OPENAI:m@http://localhost",
    ],
)
def test_any_other_text_is_refused_with_the_forms_that_there_are(text: str) -> None:
    with pytest.raises(ConfigurationError) as refusal:
        read_spec(text)
    assert repr(text) in str(refusal.value)
    assert "Write openai:MODEL@http://HOST:PORT/v1" in str(refusal.value)
    assert "or rules" in str(refusal.value)


@pytest.mark.parametrize("key", ["", "MY-KEY"])
def test_specification_with_no_name_for_its_key_is_refused_without_what_stands_there(key: str) -> None:
    with pytest.raises(ConfigurationError) as refusal:
        read_spec(f"openai:m@{HERE}#{key}")
    assert f"'openai:m@{HERE}#...' is no model. Write openai:MODEL@http://HOST:PORT/v1" in str(refusal.value)
    assert "MY-KEY" not in str(refusal.value)


@pytest.mark.parametrize(
    "url",
    [
        "http://me:secret@localhost/v1",
        "http://secret@localhost/v1",
        "http://me:sec/secret@localhost/v1",
        "http://me:sec#secret@localhost/v1",
        "http://localhost/v1?key=secret",
        "https://localhost?secret",
        "http://localhost/v1?key=secret#KEY",
    ],
)
def test_a_secret_in_the_address_is_refused_unshown_with_a_place_for_it(url: str) -> None:
    with pytest.raises(ConfigurationError, match="no user, password or query") as refusal:
        read_spec(f"openai:m@{url}")
    assert "secret" not in str(refusal.value)
    assert "environment variable" in str(refusal.value)


def test_every_role_has_a_setting() -> None:
    assert {item.name for item in settings_of(RoleModelConfig)} >= set(ROLE_NAMES)


def test_rules_answer_where_nothing_is_said() -> None:
    config = RoleModelConfig()
    assert {config.of(role) for role in ROLE_NAMES} == {RULES}
    assert config.model_roles == ()


def test_the_default_is_for_all_roles_but_those_that_a_model_is_named_for() -> None:
    """Perception asks an expert only where it is told to, and rules read tasks unless a model is to."""
    config = RoleModelConfig(default="scripted:a")
    assert {config.of(role) for role in ROLE_NAMES if role not in NAMED} == {"scripted:a"}
    assert {config.of(role) for role in NAMED} == {RULES}
    assert set(config.model_roles) == set(ROLE_NAMES) - NAMED


def test_a_role_of_its_own_goes_before_the_default() -> None:
    config = RoleModelConfig(
        default="scripted:a", planner="scripted:b", critic=RULES, scene_graph="scripted:c"
    )
    told = [config.of(role) for role in (SUMMARISER.name, PLANNER.name, CRITIC.name, SCENE_GRAPH.name)]
    assert told == ["scripted:a", "scripted:b", RULES, "scripted:c"]
    assert set(config.model_roles) == set(ROLE_NAMES) - {CRITIC.name, TASK_PARSER.name}


@pytest.mark.parametrize("setting", ["default", PLANNER.name, SCENE_GRAPH.name])
def test_a_specification_that_is_asked_for_is_checked(setting: str) -> None:
    config = configure(RoleModelConfig, {setting: "gpt-4"}, "model")
    with pytest.raises(ConfigurationError, match="'gpt-4' is no model"):
        config.check()


def test_all_kinds_pass_the_check() -> None:
    RoleModelConfig(
        f"openai:m@{HERE}", RULES, "transformers:a", planner="recorded:b", critic="scripted:c"
    ).check()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("on_failure", "ask"),
        ("structured", "yaml"),
        ("deadline", "0"),
        ("attempts", "0"),
        ("concurrency", "0"),
        ("temperature", "3"),
        ("image_pixels", "10"),
        ("plannner", "rules"),
    ],
)
def test_values_that_mean_nothing_are_refused(name: str, value: str) -> None:
    with pytest.raises(ConfigurationError, match=f"model.*{name}"):
        configure(RoleModelConfig, {name: value}, "model")


def test_the_page_on_models_lists_every_role_and_every_setting() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "howto" / "models.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    told = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert {
        name for name in ROLE_NAMES if told.count(name) < 2
    } == set()  # where it is asked, and its setting
    assert {item.name for item in settings_of(RoleModelConfig)} <= set(told)
