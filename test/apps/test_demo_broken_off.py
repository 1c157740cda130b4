"""Tests of output and exit status of `stma demo` when it cannot run all of its tasks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from stma_ros.agents.local_runtime import Tap
from stma_ros.apps import demo
from stma_ros.apps.recorded_run import GiveTask
from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.evaluation.suite import Failure, Score
from stma_ros.storage.bag.writer import BagWriter
from stma_ros.types import topics
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode, WorldError
from stma_ros.types.planning import TaskResult, TaskStatus
from stma_ros.types.truth import GroundTruth

TEXTS = ("find the mug", "bring me the book", "put all the cups in the sink")
TOO_EARLY = "the client canceled it"  # before the first observation
DIED = (
    "sim_bridge: the Habitat engine is gone: it was killed by signal 9. The last that it said:\nout of memory"
)


@dataclass(frozen=True)
class Episode:
    text: str
    group: str = "find"
    scene: str = "flat_0"
    seed: int = 0
    max_commands: int = 9
    optimal_steps: int = 3

    def score(self, result: TaskResult, trace: EpisodeTrace) -> Score:
        assert trace.ending
        solved = result.status is TaskStatus.SUCCEEDED
        doubt = result.status is TaskStatus.UNVERIFIED
        failure = Failure.NONE if solved else Failure.UNVERIFIED if doubt else Failure.ERROR
        return Score(failure, result.text)


@pytest.fixture
def results(monkeypatch: pytest.MonkeyPatch) -> list[TaskResult | Exception]:
    """A session that plays the given outcomes of the demo's tasks in order."""
    results: list[TaskResult | Exception] = []

    @contextmanager
    def episode(
        spec: Any, scene: str, seed: int, folder: Any, console: Any, taps: Sequence[Tap]
    ) -> Iterator[GiveTask]:
        def give_task(text: str, max_commands: int) -> TaskResult:
            result = results.pop(0)
            if isinstance(result, Exception):
                raise result
            if result.text != TOO_EARLY:
                for tap in taps:
                    tap(topics.GROUND_TRUTH, GroundTruth())
            return result

        if isinstance(results[0], TaskResult):
            BagWriter(folder.path).close()
        yield give_task

    monkeypatch.setattr(demo, "demo_episodes", lambda seed, rooms: [Episode(text) for text in TEXTS])
    monkeypatch.setattr(demo, "recorded_episode", episode)
    return results


def ended(status: TaskStatus, text: str = "Done.") -> TaskResult:
    code = ErrorCode.WORLD_FAILED if status is TaskStatus.ERROR else ErrorCode.NONE
    return TaskResult(status=status, text=text, error=Error(code, text))


def test_demo_names_the_tasks_not_run_and_the_reason_when_the_engine_dies(
    results: list[TaskResult | Exception], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results += [ended(TaskStatus.SUCCEEDED), ended(TaskStatus.ERROR, DIED)]
    assert demo.demo(out=tmp_path / "demo") == 1
    output = capsys.readouterr().out
    assert (
        f"not run: 'put all the cups in the sink', because 'bring me the book' ended with an error: {DIED}"
        in output
    )
    assert f"report: {tmp_path}/demo/report.html" in output
    metrics = json.loads((tmp_path / "demo" / "metrics.json").read_text())
    assert (metrics["tasks"], metrics["not_run"], metrics["solved"]) == (3, 1, 1)


def test_demo_that_is_interrupted_before_the_first_observation_ends_as_interrupted(
    results: list[TaskResult | Exception], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results.append(ended(TaskStatus.CANCELED, TOO_EARLY))
    assert demo.demo(out=tmp_path / "demo") == 130
    output = capsys.readouterr().out
    names = ", ".join(map(repr, TEXTS))
    assert f"not run: {names}, because 'find the mug' was canceled: {TOO_EARLY}" in output
    metrics = json.loads((tmp_path / "demo" / "metrics.json").read_text())
    assert (metrics["tasks"], metrics["not_run"], metrics["solved"]) == (3, 3, 0)


def test_demo_that_runs_all_of_its_tasks_names_none_as_not_run(
    results: list[TaskResult | Exception], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results += [
        ended(TaskStatus.SUCCEEDED),
        ended(TaskStatus.FAILED, "No book was found."),
        ended(TaskStatus.SUCCEEDED),
    ]
    assert demo.demo(out=tmp_path / "demo") == 1
    assert "not run" not in capsys.readouterr().out


def test_demo_marks_an_unverified_task_as_neither_right_nor_wrong(
    results: list[TaskResult | Exception], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results += [
        ended(TaskStatus.SUCCEEDED),
        ended(TaskStatus.UNVERIFIED, "unclear"),
        ended(TaskStatus.SUCCEEDED),
    ]
    assert demo.demo(out=tmp_path / "demo") == 1
    output = capsys.readouterr().out
    assert output.count("right: ") == 2
    assert "unverified: unclear" in output
    assert "wrong: " not in output


def test_demo_that_cannot_begin_names_all_tasks_and_promises_no_report(
    results: list[TaskResult | Exception], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results.append(WorldError("the Habitat engine is gone"))
    with pytest.raises(WorldError):
        demo.demo(out=tmp_path / "demo")
    output = capsys.readouterr().out
    names = ", ".join(map(repr, TEXTS))
    assert f"not run: {names}, because the run broke off" in output
    assert "no report: nothing was recorded yet" in output
    assert "is no bag" not in output
