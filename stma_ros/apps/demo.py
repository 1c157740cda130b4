"""`stma demo`: three household tasks in one flat, on the ROS graph, checked against the ground truth."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import MappingProxyType

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from stma_ros.apps.console import make_console
from stma_ros.apps.folders import output_folder
from stma_ros.apps.recorded_run import exit_status, recorded_episode, report_after_crash, write_results
from stma_ros.apps.session.session import DEFAULT_WORLD, SessionSpec
from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.evaluation.flats import FLAT_WORLDS
from stma_ros.evaluation.household import HouseholdEpisode
from stma_ros.evaluation.rearrangement import Rearrangement, demo_episodes
from stma_ros.evaluation.suite import Failure, Score
from stma_ros.types.errors import ConfigurationError, StmaError
from stma_ros.types.planning import TaskResult, TaskStatus
from stma_ros.worlds.registry import world_entry

_ROOMS = 5
"""Number of rooms that can be inspected in a few minutes."""


@dataclass(frozen=True)
class _Done:
    """A finished task of the demo, with its score."""

    episode: HouseholdEpisode
    result: TaskResult
    score: Score
    run_time: float


def demo(
    world: str = DEFAULT_WORLD,
    seed: int = 0,
    out: Path | None = None,
    world_options: Mapping[str, str] = MappingProxyType({}),
) -> int:
    """Runs the subcommand; returns the exit status: 0 only when all tasks are done according to the ground truth."""
    console = make_console()
    begun = time.perf_counter()
    world_entry(world)
    if world not in FLAT_WORLDS:
        raise ConfigurationError(
            f"the demo has no tasks for the world {world!r}; leave --world out, or `stma run --world {world}`"
        )
    for name in Rearrangement.scene_options:
        if name in world_options:
            raise ConfigurationError(f"the demo chooses its own flat; leave world.{name} out")
    spec = SessionSpec(world=world, world_options={"rooms": _ROOMS, **world_options})
    spec.check()
    with console.status("[dim]choosing what to ask for"):
        episodes = demo_episodes(seed, _ROOMS)
    scene, start = episodes[0].scene, episodes[0].seed
    spec = spec.of_episode(scene, start)
    folder = output_folder(out, "demo")
    settings = {"command": "demo", "tasks": [episode.text for episode in episodes], **asdict(spec)}
    folder.write_config({**settings, "scene": scene}, seed=seed)
    console.print(f"A robot does three tasks in {scene}, which it has never seen.", highlight=False)
    done: list[_Done] = []
    last: TaskResult | None = None
    trace = EpisodeTrace()
    try:
        with recorded_episode(spec, scene, start, folder, console, (trace,)) as give_task:
            for episode in episodes:
                started = time.perf_counter()
                last = give_task(episode.text, episode.max_commands)
                took = time.perf_counter() - started
                # A task that was interrupted before the first observation cannot be scored.
                if trace.truths or not exit_status(last):
                    done.append(_Done(episode, last, episode.score(last, trace), took))
                if exit_status(last):
                    break
    except StmaError as error:
        _tell_left_out(console, episodes, done, "the run broke off")
        report_after_crash(folder, error, console)
        raise
    console.print()
    console.print(_table(done, episodes[len(done) :]))
    if last is not None and len(done) < len(episodes):
        how = "was canceled" if last.status is TaskStatus.CANCELED else "ended with an error"
        _tell_left_out(console, episodes, done, f"{episode.text!r} {how}: {last.text}")
    solved = sum(each.score.success for each in done)
    metrics = {
        "tasks": len(episodes),
        "not_run": len(episodes) - len(done),
        "solved": solved,
        "steps": sum(each.result.commands for each in done),
        "optimal_steps": sum(each.episode.optimal_steps for each in done),
        "run_time_s": round(time.perf_counter() - begun, 3),
    }
    write_results(folder, metrics, console)
    console.print(f"total time: {time.perf_counter() - begun:.0f} s", highlight=False)
    return (exit_status(last) if last is not None else 0) or int(solved < len(episodes))


def _tell_left_out(
    console: Console, episodes: Sequence[HouseholdEpisode], done: Sequence[_Done], why: str
) -> None:
    """Prints the tasks that were not run, and the reason."""
    left_out = episodes[len(done) :]
    if left_out:
        names = ", ".join(repr(episode.text) for episode in left_out)
        text = f"not run: {names}, because {why}"
        console.print(text, style="yellow", markup=False, highlight=False, soft_wrap=True)


_MARKS = {Failure.NONE: "[green]right[/]", Failure.UNVERIFIED: "[yellow]unverified[/]"}


def _table(done: Sequence[_Done], left_out: Sequence[HouseholdEpisode]) -> Table:
    table = Table(title="checked against the flat's ground truth, which the robot never sees")
    for heading in ("task", "kind", "outcome"):
        table.add_column(heading)
    for heading in ("commands", "at best", "time [s]"):
        table.add_column(escape(heading), justify="right")
    for each in done:
        mark = _MARKS.get(each.score.failure, "[red]wrong[/]")
        table.add_row(
            escape(each.episode.text),
            each.episode.group,
            f"{mark}: {escape(each.score.detail)}",
            str(each.result.commands),
            str(each.episode.optimal_steps),
            f"{each.run_time:.1f}",
        )
    for episode in left_out:
        optimal = str(episode.optimal_steps)
        table.add_row(escape(episode.text), episode.group, "[yellow]not run[/]", "", optimal, "")
    return table
