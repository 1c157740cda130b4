"""`stma compare-engines`: compares the worlds `habitat` and `house` as the robot perceives them, in the same flats."""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections.abc import Mapping
from contextlib import closing
from typing import Any

import numpy as np
from rich.table import Table

from stma_ros.apps.console import figure, make_console, make_progress
from stma_ros.apps.folders import check_output
from stma_ros.apps.settings import Assignments, read_assignments
from stma_ros.evaluation.engine_comparison.comparison import Findings, Line, compare, lines, states_of
from stma_ros.evaluation.engine_comparison.figure import View, draw_views
from stma_ros.evaluation.engine_comparison.views import best_view
from stma_ros.evaluation.flats import ENGINE_COMPARISON
from stma_ros.storage.files import write_atomically
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import configure, settings_of
from stma_ros.worlds.habitat.config import HabitatConfig
from stma_ros.worlds.habitat.habitat import Habitat
from stma_ros.worlds.house.config import HouseConfig
from stma_ros.worlds.house.house import House
from stma_ros.worlds.house.place import FlatPlace, scene_of

_MOST_VIEWS = 3  # in the picture


def compare_engines(options: argparse.Namespace) -> int:
    """Runs the subcommand; returns the exit status: 1 when a bar is missed.

    Raises:
        ConfigurationError: settings that a world cannot have, or a missing folder to write into.
        MissingDependencyError: habitat-sim, Open3D, or matplotlib for the figure is not installed.
        WorldError: a world failed.
    """
    console = make_console()
    check_output("--json", options.json)
    check_output("--picture", options.picture)
    settings = _world_settings(read_assignments(options.assignments))
    flats = [ENGINE_COMPARISON.of(options.seed, index)[0] for index in range(options.flats)]
    house, habitat = _worlds(settings)
    by_flat: dict[str, dict[str, Findings]] = {}
    views: list[View] = []
    with closing(house), closing(habitat), make_progress(console) as progress:
        bar = progress.add_task("", total=len(flats), rate="")
        for number in flats:
            scene = scene_of(number)
            one, two = house.load(scene), habitat.load(scene)
            assert isinstance(two, FlatPlace)  # a flat's name loads a FlatPlace
            rng = np.random.default_rng((options.seed, number))
            found = {name: compare(one, two, state, rng) for name, state in states_of(one.flat).items()}
            by_flat[scene] = found
            if options.picture is not None and len(views) < _MOST_VIEWS:
                views.append(best_view(one, two, rng, len(views)))
            progress.update(bar, advance=1)
            progress.console.print(_summary_line(scene, _sum(found)), highlight=False, soft_wrap=True)
    total = lines(_sum({name: _sum(found) for name, found in by_flat.items()}))
    console.print(_table(f"house and habitat, {len(flats)} flats, seed {options.seed}", total))
    if options.picture is not None:
        draw_views(views, options.picture)
    if options.json is not None:
        result = {
            "settings": {"seed": options.seed, "flats": flats, "world": dict(settings)},
            "total": _figures(total),
            "flats": {
                scene: {name: _figures(lines(each)) for name, each in found.items()}
                for scene, found in by_flat.items()
            },
        }
        write_atomically(options.json, json.dumps(result, indent=2) + "\n")
    for path in (options.json, options.picture):
        if path is not None:
            console.print(f"written: {path}", highlight=False, markup=False, soft_wrap=True)
    return int(any(line.is_missed for line in total))


def _world_settings(values: Assignments) -> Mapping[str, str]:
    values.refuse_all_but_world("compare-engines")
    return values.world


def _worlds(settings: Mapping[str, str]) -> tuple[House, Habitat]:
    """Makes both worlds with the same settings, as far as the house has them."""
    known = {item.name for item in settings_of(HouseConfig)}
    config = configure(HabitatConfig, settings, "habitat")
    if config.dataset:
        raise ConfigurationError("the house has no scenes of data sets: leave world.dataset out")
    own = {name: value for name, value in dataclasses.asdict(config).items() if name in known}
    return House(HouseConfig(**own)), Habitat(config)


def _sum(found: Mapping[str, Findings]) -> Findings:
    return sum(found.values(), Findings())


def _summary_line(scene: str, found: Findings) -> str:
    return f"{scene}: " + ", ".join(f"{line.key} {_shown(line)}" for line in lines(found))


def _figures(shown: tuple[Line, ...]) -> dict[str, Any]:
    return {line.key: None if np.isnan(line.value) else line.value for line in shown}


def _table(title: str, shown: tuple[Line, ...]) -> Table:
    table = Table(title=title, title_justify="left")
    for heading in ("the same", "measured", "bar", ""):
        table.add_column(heading, justify="left" if heading in ("the same", "") else "right")
    for line in shown:
        has_bar = not np.isnan(line.bar)
        bar = f"{'at most' if line.at_most else 'at least'} {line.bar:g} {line.unit}" if has_bar else ""
        verdict = ("missed" if line.is_missed else "passed") if has_bar else ""
        table.add_row(line.text, _shown(line), bar, verdict)
    return table


def _shown(line: Line) -> str:
    """Formats a line; shares close to 100 % get more digits."""
    if np.isnan(line.value):
        return "-"
    value = f"{line.value:.3f}".rstrip("0").rstrip(".") if line.unit in ("%", "m") else figure(line.value)
    return f"{value} {line.unit}"
