"""Records an episode with live progress, and leaves a folder with bag, decisions, metrics and report."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from rich.console import Console

from stma_ros.agents.local_runtime import Tap
from stma_ros.apps.progress import TaskProgress
from stma_ros.apps.report.render import write_report
from stma_ros.apps.session.opening import open_session
from stma_ros.apps.session.session import SessionSpec
from stma_ros.storage.decision_log import DecisionLog
from stma_ros.storage.run_folder import RunFolder
from stma_ros.types.errors import StmaError, StorageError
from stma_ros.types.planning import TaskResult, TaskStatus

GiveTask = Callable[[str, int], TaskResult]
"""Runs a task from its text and the largest number of commands (0 = no limit); see Session.run_task."""


@contextmanager
def recorded_episode(
    spec: SessionSpec,
    scene: str,
    seed: int,
    folder: RunFolder,
    console: Console,
    taps: Iterable[Tap] = (),
) -> Iterator[GiveTask]:
    """Begins an episode, which is recorded and shown in progress. The taps receive its messages, too. The decision log
    is written in any case."""
    log = DecisionLog()
    try:
        with (
            TaskProgress(console) as progress,
            open_session(spec, folder, record=True, tell=progress.wait_for) as session,
        ):
            progress.wait_for("loading the world")
            session.start_episode(scene, seed, (log, progress, *taps), folder)
            progress.wait_for("")
            yield session.run_task
            progress.wait_for("closing")
    finally:
        log.write(folder.decisions)


def write_results(folder: RunFolder, metrics: Mapping[str, Any], console: Console) -> None:
    """Writes metrics and report, and prints their paths."""
    folder.write_metrics(metrics)
    with console.status("[dim]drawing the report"):
        report = write_report(folder)
    console.print(f"report: {report}", markup=False, highlight=False, soft_wrap=True)


def report_after_crash(folder: RunFolder, error: StmaError, console: Console) -> None:
    """Writes a report on what was recorded before a crash, if possible."""
    if not folder.has_bag:
        folder.write_metrics({"error": str(error)})
        console.print("no report: nothing was recorded yet", style="dim", highlight=False)
        return
    try:
        write_results(folder, {"error": str(error)}, console)
    except StorageError as reason:
        console.print(f"no report: {reason}", style="dim", markup=False, soft_wrap=True)


def exit_status(result: TaskResult) -> int:
    """Returns 0 for a task that ran to its end, done, unverified or not, 1 after an error, 130 after a cancellation."""
    return {TaskStatus.ERROR: 1, TaskStatus.UNKNOWN: 1, TaskStatus.CANCELED: 130}.get(result.status, 0)
