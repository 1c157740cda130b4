"""`stma run`: runs one task."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path

from stma_ros.apps.console import make_console
from stma_ros.apps.folders import output_folder
from stma_ros.apps.recorded_run import exit_status, recorded_episode, report_after_crash, write_results
from stma_ros.apps.session.session import SessionSpec
from stma_ros.types.errors import ConfigurationError, StmaError
from stma_ros.types.task_text import task_text
from stma_ros.worlds.registry import objective


def run(
    spec: SessionSpec, task: str | None, max_commands: int, scene: str, seed: int, out: Path | None
) -> int:
    """Runs the subcommand; returns the exit status (see recorded_run.exit_status). task: None = the scene's own
    objective."""
    console = make_console()
    spec.check()
    spec = spec.of_episode(scene, seed)
    if task is None:
        with console.status("[dim]asking the world what to do"):
            task = objective(spec.world, scene, seed, spec.world_options)
        if not task:
            raise ConfigurationError(
                f"the world {spec.world} asks for nothing by itself; say what to do with --task"
            )
    task = task_text(task)
    folder = output_folder(out, "run")
    settings = {"command": "run", "task": task, "max_commands": max_commands, "scene": scene, **asdict(spec)}
    folder.write_config(settings, seed=seed)
    begun = time.perf_counter()
    try:
        with recorded_episode(spec, scene, seed, folder, console) as give_task:
            result = give_task(task, max_commands)
    except StmaError as error:
        report_after_crash(folder, error, console)
        raise
    metrics = {
        "status": result.status.name,
        "error": result.error.code.name,
        "steps": result.commands,
        "run_time_s": round(time.perf_counter() - begun, 3),
    }
    write_results(folder, metrics, console)
    return exit_status(result)
