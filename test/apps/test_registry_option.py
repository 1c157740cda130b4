"""Tests of `--registry MODULE:NAME`, which adds agents of another package to the commands."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from stma_ros.apps import cli
from support.environment import python_environment

REGISTRY = "support.samples.diary_agent:AGENTS"
OWN = ("--preset", "diary", "--registry", REGISTRY)


@pytest.fixture(scope="module")
def diary_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the folder of a run of an agent that is not in this package."""
    folder = tmp_path_factory.mktemp("runs") / "diary"
    task = ("--world", "scripted", "--task", "find the unicorn", "--max-commands", "1")
    assert cli.main(["run", *OWN, "--runtime", "local", *task, "--out", str(folder)]) == 0
    return folder


def test_run_of_an_agent_of_a_registry_is_replayed_with_the_same_registry(diary_run: Path) -> None:
    assert cli.main(["replay", str(diary_run), "--registry", REGISTRY]) == 0


def test_replay_without_the_registry_is_refused_with_the_remedy(
    diary_run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["replay", str(diary_run)]) == cli.EXIT_REFUSED
    assert "there is no agent 'diary'" in (error := capsys.readouterr().err)
    assert "--registry" in error


def test_replay_with_other_settings_of_a_component_of_a_registry_compares_it(
    diary_run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--registry", REGISTRY, "--set", "diary.entries=1")
    assert cli.main(["replay", str(diary_run), *options]) == 0
    assert "with diary.entries=1" in capsys.readouterr().out


def test_score_compares_presets_of_a_registry_on_a_bag(
    diary_run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    questions = tmp_path / "questions.yaml"
    questions.write_text(
        "format: stma_ros questions\nversion: 1\nquestions: [{ask: the unicorn, expect: {found: false}}]\n",
        encoding="utf-8",
    )
    options = ("--registry", REGISTRY, "--preset", "diary", "--questions", str(questions))
    assert cli.main(["score", str(diary_run), *options]) == 0
    assert "diary (replayed): every decision is the recorded one" in capsys.readouterr().out


@pytest.mark.slow
def test_bench_runs_an_agent_of_a_registry_in_other_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in python_environment().items():
        monkeypatch.setitem(os.environ, name, value)
    sizes = ("--set", "world.width=160", "--set", "world.height=120")
    options = (
        "--episodes",
        "1",
        "--set",
        "tasks=find",
        *sizes,
        "--jobs",
        "2",
        "--out",
        str(tmp_path / "bench"),
    )
    assert cli.main(["bench", "rearrangement", *OWN, *options]) == 0


def test_agent_list_shows_the_agents_of_a_registry(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["run", "--list", "--registry", REGISTRY]) == 0
    assert "keeps a diary" in capsys.readouterr().out


@pytest.mark.parametrize(
    "command", [("run",), ("bench", "rearrangement"), ("replay", "bag"), ("score", "bag")]
)
def test_registry_that_cannot_be_imported_is_refused(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([*command, "--registry", "nowhere:AGENTS"]) == cli.EXIT_REFUSED
    assert "Write MODULE:NAME of a module on PYTHONPATH" in capsys.readouterr().err
