"""Tests that a key in the place of its variable's name is refused, and neither shown nor recorded."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from stma_ros.agents.bringup import bring_up
from stma_ros.apps.cli import EXIT_REFUSED, main
from stma_ros.models.settings import read_spec, refuse_secrets
from stma_ros.roles.registry import RoleModelConfig
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import configure

HERE = "http://127.0.0.1:9/v1"  # the discard port, on which no server listens
KEYS = ("sk_live_4f9c2b7e", "sk-proj-4f9c2b7e-AbC", "4f9c2b7e", "key 4f9c2b7e", "")
SECRET = "4f9c2b7e"


def files_with(text: str, folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and text.encode() in path.read_bytes()]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("setting", ["default", "planner", "scene_graph"])
def test_setting_with_a_key_is_refused_without_showing_it(setting: str, key: str) -> None:
    with pytest.raises(ConfigurationError) as refusal:
        configure(RoleModelConfig, {setting: f"openai:m@{HERE}#{key}", "critic": "rules"}, "model")
    assert f"model.{setting}: " in str(refusal.value)
    assert f"write openai:m@{HERE}#VARIABLE" in str(refusal.value)
    assert SECRET not in str(refusal.value)
    assert refusal.value.__cause__ is None


@pytest.mark.parametrize(
    "text",
    [
        f"openai:m@{HERE}#{SECRET}",
        f"openai:m#{SECRET}@{HERE}",
        f"openai:m@http://me:{SECRET}@localhost/v1",
        f"openai:m@{HERE}?key={SECRET}",
        f"m@{HERE}#{SECRET}",
        f"openai:m@{HERE}#HOME#{SECRET}",
    ],
)
def test_secret_anywhere_in_a_specification_is_refused_without_showing_it(text: str) -> None:
    for read in (refuse_secrets, read_spec):
        if read is read_spec and text == f"openai:m@{HERE}#{SECRET}":
            continue  # a valid form; only the environment shows that it is no variable
        with pytest.raises(ConfigurationError) as refusal:
            read(text)
        assert SECRET not in str(refusal.value)


def test_name_of_a_variable_that_is_set_is_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", SECRET)
    config = configure(RoleModelConfig, {"default": f"openai:m@{HERE}#MY_KEY"}, "model")
    assert read_spec(config.default).key_variable == "MY_KEY"


def test_number_sign_in_the_name_of_a_file_is_accepted() -> None:
    config = configure(RoleModelConfig, {"default": "recorded:runs/run#1"}, "model")
    assert config.default == "recorded:runs/run#1"


@pytest.mark.parametrize("key", KEYS[:-1])
@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "--task", "find a mug", "--runtime", "local", "--set", "model={spec}"],
        ["run", "--task", "find a mug", "--set", "model={spec}"],
        ["run", "--task", "find a mug", "--set", "model.planner={spec}"],
        ["run", "--task", "find a mug", "--set", "model.plannner={spec}"],
        ["run", "--task", "find a mug", "--set", "model:{spec}"],
        ["run", "--task", "find a mug", "--set", "models={spec}"],
        ["run", "--task", "find a mug", "--set", "planner.model={spec}"],
        ["bench", "rearrangement", "--episodes", "1", "--set", "model={spec}"],
        ["bench", "rearrangement", "--episodes", "1", "--set", "models={spec}"],
        ["doctor", "--model", "--set", "model={spec}"],
    ],
    ids=lambda arguments: " ".join(arguments),
)
def test_command_with_a_key_is_refused_without_showing_or_writing_it(
    arguments: list[str],
    key: str,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    given = [word.format(spec=f"openai:m@{HERE}#{key}") for word in arguments]
    assert main(given) == EXIT_REFUSED
    captured = capfd.readouterr()
    assert "error: " in captured.err
    assert SECRET not in captured.out + captured.err
    assert list(tmp_path.iterdir()) == []


def test_bring_up_refuses_a_key_without_showing_it() -> None:
    with pytest.raises(ConfigurationError) as refusal:
        bring_up(models={"default": f"openai:m@{HERE}#{KEYS[0]}"})
    assert SECRET not in str(refusal.value)


def test_run_with_a_variable_for_its_key_records_the_name_alone(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", SECRET)
    out = tmp_path / "run"
    spec = f"openai:m@{HERE}#MY_KEY"
    settings = [f"model={spec}", "model.attempts=1", "world.width=96", "world.height=72"]
    given = [word for setting in settings for word in ("--set", setting)]
    arguments = ["run", "--task", "find a mug", "--runtime", "local", "--max-commands", "1", *given]
    assert main([*arguments, "--out", str(out)]) == 0
    captured = capfd.readouterr()
    assert SECRET not in captured.out + captured.err
    assert files_with(SECRET, tmp_path) == []
    assert out / "config.yaml" in files_with("MY_KEY", tmp_path)
    assert out / "replies.jsonl" in files_with("find a mug", out)

    monkeypatch.delenv("MY_KEY")
    assert main(["replay", str(out)]) == 0, "its replies are recorded, and the key is not asked for again"
    assert "MY_KEY" not in os.environ
