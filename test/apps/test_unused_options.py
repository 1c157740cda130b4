"""Tests that options without an effect are refused with a remedy."""

from __future__ import annotations

from pathlib import Path

import pytest

from stma_ros.apps import cli
from stma_ros.storage.bag.writer import BagWriter, MessageRecorder
from stma_ros.types import topics
from stma_ros.types.control import Configuration, JournalEntry
from stma_ros.types.standard import Header

MODEL = "model=openai:nothing@http://localhost:1/v1"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a folder of a bag that has the topics of a run that can be replayed."""
    folder = tmp_path_factory.mktemp("run")
    with BagWriter(folder) as writer:
        recorder = MessageRecorder(writer)
        recorder(topics.CONFIGURATION, Configuration(header=Header(), component="planner"))
        recorder(topics.JOURNAL, JournalEntry(header=Header(), component="planner"))
    return folder


@pytest.mark.parametrize(
    ("options", "remedy"),
    [
        (("--ask", "a mug"), "stma score --questions"),
        (("--topics-file", "topics.yaml"), "leave it out"),
        (("--out", "there"), "--json FILE"),
        (("--rate", "2"), "goes with --publish"),
        (("--only", "robot"), "goes with --publish"),
        (("--namespace", "left"), "goes with --publish"),
        (("--publish", "--set", "planner.actions=1"), "leave out one"),
        (("--publish", "--preset", "stma"), "leave out one"),
        (("--publish", "--registry", "my_robot.agents:AGENTS"), "leave out one"),
        (("--publish", "--json", "replay.json"), "leave out one"),
        (("--publish", "--ask", "a mug"), "leave out one"),
        (("--publish", "--topics-file", "topics.yaml"), "leave out one"),
        (("--publish", "--out", "there"), "leave out one"),
    ],
)
def test_unused_options_of_replay_are_refused_with_a_remedy(
    run: Path, options: tuple[str, ...], remedy: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["replay", str(run), *options]) == cli.EXIT_REFUSED
    error = capsys.readouterr().err
    assert error.startswith(f"error: {next(option for option in options if option != '--publish')} ")
    assert remedy in error


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (("--topics-file", "t.yaml"), "--topics-file says which topics of a bag are which: name the bag"),
        (("--bag", "b", "--model"), "--model has no effect with --bag"),
        (("--bag", "b", "--topics"), "--topics has no effect with --bag"),
        (("--bag", "b", "--namespace", "left"), "--namespace has no effect with --bag"),
        (("--bag", "b", "--set", MODEL), "--set has no effect with --bag"),
        (("--model", "--topics"), "--topics has no effect with --model"),
        (("--model", "--namespace", "left"), "--namespace has no effect with --model"),
        (("--model", "--set", MODEL, "--set", "planner.actions=1"), "stma doctor has no setting of an agent"),
        (("--set", MODEL), "--set names the models that are checked: add --model"),
        (("--namespace", "left"), "--namespace is that of the robot that --topics looks for"),
    ],
)
def test_unused_options_of_doctor_are_refused_with_a_remedy(
    options: tuple[str, ...], error: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["doctor", *options]) == cli.EXIT_REFUSED
    assert capsys.readouterr().err.startswith(f"error: {error}")
