"""`stma bench`: runs a suite for one or more presets and writes the table."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.markup import escape

from stma_ros.agents.registry import MatchedAgent, load_registry
from stma_ros.agents.spec import Overrides
from stma_ros.apps.bench_table import NEEDS_MODEL, notes, result_tables, test_lines
from stma_ros.apps.console import make_console, make_progress
from stma_ros.apps.episodes import Job, Opener, run_episodes
from stma_ros.apps.folders import check_output, output_folder
from stma_ros.apps.session.opening import open_session
from stma_ros.apps.session.session import LOCAL, SessionSpec
from stma_ros.apps.settings import read_assignments
from stma_ros.evaluation.metrics import FALSE_SUCCESSES, EpisodeRecord, rows
from stma_ros.evaluation.paired_tests import PAIRED_TESTS, ComparedSuite, paired_tests
from stma_ros.evaluation.registry import make_suite, suite_settings
from stma_ros.evaluation.suite import Suite
from stma_ros.storage.files import write_atomically
from stma_ros.storage.run_folder import RunFolder
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import settings_of
from stma_ros.worlds.registry import world_offer


@dataclass(frozen=True)
class Bench:
    """Settings of a bench; `specs` hold one preset each."""

    suite: Suite
    settings: Mapping[str, Any]
    specs: Sequence[SessionSpec]
    seed: int | None
    episodes: int
    processes: int = 1
    record: bool = False

    def jobs(self) -> list[Job]:
        """Returns the jobs; every preset gets the same episodes."""
        indices = range(self.episodes)
        return [
            Job(spec, self.suite, self.seed, index, self.record) for spec in self.specs for index in indices
        ]

    def run(self, folder: RunFolder, console: Console, opener: Opener) -> dict[str, Any]:
        """Runs all jobs; returns the content of the file of `--json`."""
        jobs = self.jobs()
        records: list[EpisodeRecord] = []
        finished = closing(run_episodes(jobs, self.processes, folder, opener))  # also when interrupted
        with make_progress(console) as progress, finished as stream:
            bar = progress.add_task("", total=len(jobs), rate="")
            for record in stream:
                records.append(record)
                solved = sum(record.success for record in records)
                progress.update(bar, advance=1, rate=f"{solved} solved, {100 * solved / len(records):.0f} %")
                progress.console.print(
                    _line(record, len(records), len(jobs)), highlight=False, soft_wrap=True
                )
        order = {spec.preset: number for number, spec in enumerate(self.specs)}
        records.sort(key=lambda record: (order[record.preset], record.index))
        return {
            "suite": self.suite.name,
            "settings": dict(self.settings),
            "rows": rows(records),
            **self._paired_tests(records),
            FALSE_SUCCESSES: [record.name for record in records if record.is_false_success],
            "episodes": [record.as_json() for record in records],
        }

    def _paired_tests(self, records: Sequence[EpisodeRecord]) -> dict[str, Any]:
        if not isinstance(self.suite, ComparedSuite):
            return {}
        tests = list(paired_tests(records, self.suite.baseline, self.suite.compared))
        return {PAIRED_TESTS: tests} if tests else {}


def bench(options: argparse.Namespace) -> int:
    """The subcommand; returns the exit status: 1 when an episode crashed."""
    console = make_console()
    registry = load_registry(options.registry)
    given = read_assignments(_assignments(options), registry)
    values = given.with_world_options(suite_settings(options.suite))
    suite = make_suite(options.suite, values.plain)
    if options.runtime != LOCAL and options.jobs > 1:
        raise ConfigurationError("--jobs is for --runtime local; the ROS graph runs one episode at a time")
    for name in suite.scene_options:
        if name in values.world:
            raise ConfigurationError(f"{suite.name} makes its own scenes; leave world.{name} out")
    world = options.world or suite.worlds[0]
    if world not in suite.worlds:
        raise ConfigurationError(
            f"{suite.name} has no scenes in the world {world!r}, only in {' and '.join(suite.worlds)}"
        )
    seed = suite.defaults.seed if options.seed is None else options.seed
    episodes = options.episodes or suite.defaults.episodes
    suite.check(seed, episodes)
    world_options = {**suite.world_options, **values.world}
    components = _merged(suite.component_settings, values.components)
    offer = world_offer(world, world_options)
    specs = [
        SessionSpec(
            options.runtime,
            preset,
            _merged(_fitting(suite.component_settings, registry.match(preset, offer)), values.components),
            world,
            world_options,
            values.models,
            values.recording,
            options.registry,
        )
        for preset in dict.fromkeys(options.preset or [registry.default_for(offer)])
    ]
    missing = {spec.preset: spec.missing_models for spec in specs}
    runnable = [spec for spec in specs if not missing[spec.preset]]
    for spec in runnable or specs:
        spec.check()
    settings = {
        "seed": seed,
        "episodes": episodes,
        "runtime": options.runtime,
        "suite": suite.settings,
        "components": components,
        "world": {"name": world, **world_options},
        "models": values.models,
        "notes": list(suite.notes),
    }
    check_output("--json", options.json)
    plan = Bench(suite, settings, runnable, seed, episodes, options.jobs, options.record)
    folder = output_folder(options.out, f"bench-{suite.name}")
    folder.write_config(
        {"command": "bench", "presets": [spec.preset for spec in specs], **settings}, seed=seed
    )
    result = plan.run(folder, console, open_session)
    result |= _without_models(missing)
    folder.write_metrics(result)
    for table in result_tables(result, suite.columns):
        console.print(table)
    for line in test_lines(result):
        console.print(line, highlight=False, markup=False, soft_wrap=True)
    for note in notes(result):
        console.print(note, style="red", markup=False, soft_wrap=True)
    for note in settings["notes"]:
        console.print(note, highlight=False, markup=False, soft_wrap=True)
    console.print(f"decision logs: {folder.path}", markup=False, highlight=False, soft_wrap=True)
    if options.json is not None:
        write_atomically(options.json, json.dumps(result, indent=2) + "\n")
    return int(any(episode["crashed"] for episode in result["episodes"]))


def _without_models(missing: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Returns the part of the result that names the presets that could not run. missing: roles without a model, by
    preset."""
    roles = {preset: list(names) for preset, names in missing.items() if names}
    return {NEEDS_MODEL: roles} if roles else {}


def _assignments(options: argparse.Namespace) -> Sequence[str]:
    """Returns the assignments of `--set`, and that of `--problems`."""
    given: Sequence[str] = options.assignments or ()
    return given if options.problems is None else (*given, f"problems={options.problems}")


def _fitting(settings: Mapping[str, Mapping[str, Any]], agent: MatchedAgent) -> Overrides:
    """Returns those of a suite's settings that the components of an agent have; agents of a suite have other parts."""
    components = agent.wiring.components
    known = {
        name: {item.name for item in settings_of(components[name].config)}
        for name in settings
        if name in components
    }
    return {
        name: {key: value for key, value in settings[name].items() if key in known[name]} for name in known
    }


def _merged(
    suite: Mapping[str, Mapping[str, Any]], user: Mapping[str, Mapping[str, Any]]
) -> dict[str, dict[str, Any]]:
    """Merges settings; the user's override the suite's."""
    names = dict.fromkeys((*suite, *user))
    return {name: {**suite.get(name, {}), **user.get(name, {})} for name in names}


def _line(record: EpisodeRecord, count: int, total: int) -> str:
    verdict = "[green]solved[/]" if record.success else f"[red]{record.failure.value}[/]"
    budget = f" of {record.max_commands}" if record.max_commands else ""
    steps = f"{record.steps}{budget} commands, {record.run_time:.1f} s"
    return f"{count:4d}/{total}  {record.name}  {verdict}  [dim]{escape(record.task)}: {steps}[/]"
