"""Tests of the settings that choose a model for each role, and of the specifications of models."""

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
    ModelConfig,
    ModelSpec,
    read_spec,
)
from stma_ros.roles.critic import CRITIC
from stma_ros.roles.planner import PLANNER
from stma_ros.roles.registry import ROLE_NAMES, ROLES, RoleModelConfig
from stma_ros.roles.scene_graph import SCENE_GRAPH
from stma_ros.roles.summariser import SUMMARISER
from stma_ros.roles.task_parser import TASK_PARSER
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import configure, settings_of

HERE = "http://localhost:8000/v1"
NAMED = {role.name for role in ROLES if role.has_images} | {TASK_PARSER.name}
"""Roles that a model answers only if their own setting names one."""


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
def test_specification_of_a_model_is_read(text: str, spec: ModelSpec) -> None:
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
def test_invalid_specification_is_refused_with_the_valid_forms(text: str) -> None:
    with pytest.raises(ConfigurationError) as refusal:
        read_spec(text)
    assert repr(text) in str(refusal.value)
    assert "Write openai:MODEL@http://HOST:PORT/v1" in str(refusal.value)
    assert "or rules" in str(refusal.value)


@pytest.mark.parametrize("key", ["", "MY-KEY"])
def test_specification_with_an_invalid_variable_name_is_refused_without_showing_it(key: str) -> None:
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
def test_secret_in_the_address_is_refused_without_showing_it(url: str) -> None:
    with pytest.raises(ConfigurationError, match="no user, password or query") as refusal:
        read_spec(f"openai:m@{url}")
    assert "secret" not in str(refusal.value)
    assert "environment variable" in str(refusal.value)


def test_every_role_has_a_setting() -> None:
    assert {item.name for item in settings_of(RoleModelConfig)} >= set(ROLE_NAMES)


def test_rules_answer_all_roles_by_default() -> None:
    config = RoleModelConfig()
    assert {config.of(role) for role in ROLE_NAMES} == {RULES}
    assert config.model_roles == ()


def test_default_model_answers_all_roles_except_those_that_need_one_of_their_own() -> None:
    """Models answer roles with pictures and the task parser only if their own settings name one."""
    config = RoleModelConfig(default="scripted:a")
    assert {config.of(role) for role in ROLE_NAMES if role not in NAMED} == {"scripted:a"}
    assert {config.of(role) for role in NAMED} == {RULES}
    assert set(config.model_roles) == set(ROLE_NAMES) - NAMED


def test_model_of_a_role_takes_precedence_over_the_default() -> None:
    config = RoleModelConfig(
        default="scripted:a", planner="scripted:b", critic=RULES, scene_graph="scripted:c"
    )
    specs = [config.of(role) for role in (SUMMARISER.name, PLANNER.name, CRITIC.name, SCENE_GRAPH.name)]
    assert specs == ["scripted:a", "scripted:b", RULES, "scripted:c"]
    assert set(config.model_roles) == set(ROLE_NAMES) - NAMED - {CRITIC.name} | {SCENE_GRAPH.name}


@pytest.mark.parametrize("setting", ["default", PLANNER.name, SCENE_GRAPH.name])
def test_check_refuses_an_invalid_specification_in_use(setting: str) -> None:
    config = configure(RoleModelConfig, {setting: "gpt-4"}, "model")
    with pytest.raises(ConfigurationError, match="'gpt-4' is no model"):
        config.check()


def test_check_accepts_every_kind_of_model() -> None:
    RoleModelConfig(
        f"openai:m@{HERE}", RULES, "transformers:a", planner="recorded:b", critic="scripted:c"
    ).check()


def test_check_refuses_boxes_of_fractions_where_a_server_enforces_whole_numbers() -> None:
    with pytest.raises(
        ConfigurationError, match=r"model\.boxes=fractions needs model\.structured=json or none"
    ):
        RoleModelConfig(scene_graph=f"openai:m@{HERE}", boxes="fractions").check()


@pytest.mark.parametrize(
    "config",
    [
        RoleModelConfig(scene_graph=f"openai:m@{HERE}", boxes="fractions", structured="json"),
        RoleModelConfig(scene_graph="transformers:a", boxes="fractions"),
        RoleModelConfig(f"openai:m@{HERE}", boxes="fractions"),
    ],
    ids=["any JSON", "model in this process", "nothing draws boxes"],
)
def test_check_accepts_boxes_of_fractions_where_no_schema_is_enforced(config: ModelConfig) -> None:
    config.check()


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
def test_invalid_values_of_model_settings_are_refused(name: str, value: str) -> None:
    with pytest.raises(ConfigurationError, match=f"model.*{name}"):
        configure(RoleModelConfig, {name: value}, "model")


def test_documentation_of_models_lists_every_role_and_every_setting() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "howto" / "models.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    listed = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert {
        name for name in ROLE_NAMES if listed.count(name) < 2
    } == set()  # in the table of roles and in that of settings
    assert {item.name for item in settings_of(RoleModelConfig)} <= set(listed)
