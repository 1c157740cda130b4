"""`stma bench` for measurements, for which no agent is chosen: runs one and prints its table."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from stma_ros.apps.console import figure, make_console, make_progress
from stma_ros.apps.folders import check_output, output_folder
from stma_ros.apps.measurements import MEASUREMENTS
from stma_ros.apps.session.session import LOCAL
from stma_ros.apps.settings import Assignments, read_assignments
from stma_ros.evaluation.measurement import Measurement
from stma_ros.storage.files import write_atomically
from stma_ros.types.errors import ConfigurationError

_SEED = 0
_WHOSE = ("preset", "group")  # keys of the measured subject and its data; all other keys are figures


def measure(options: argparse.Namespace) -> int:
    """Runs the subcommand; returns the exit status. Raises ConfigurationError for an option about agents."""
    console = make_console()
    values = read_assignments(options.assignments)
    measurement = MEASUREMENTS[options.suite](values.plain)
    _refuse(measurement.name, [*_given(options), *_addressed(values)])
    check_output("--json", options.json)
    seed = _SEED if options.seed is None else options.seed
    settings = {"seed": seed, "suite": measurement.settings}
    folder = output_folder(options.out, f"bench-{measurement.name}")
    folder.write_config({"command": "bench", **settings}, seed=seed)
    rows = list(_shown(measurement, seed, console))
    result = {"suite": measurement.name, "settings": settings, "rows": rows, "episodes": []}
    folder.write_metrics(result)
    console.print(measurement_table(f"{measurement.name}, seed {seed}", measurement.columns, rows))
    console.print(f"results: {folder.metrics}", markup=False, highlight=False, soft_wrap=True)
    if options.json is not None:
        write_atomically(options.json, json.dumps(result, indent=2) + "\n")
    return 0


def _given(options: argparse.Namespace) -> Iterator[str]:
    """Yields the options of a suite that were given."""
    given = {
        "--preset": bool(options.preset),
        "--registry": bool(options.registry),
        "--world": bool(options.world),
        "--problems": options.problems is not None,
        "--episodes": options.episodes is not None,
        "--runtime": options.runtime != LOCAL,
        "--jobs": options.jobs > 1,
        "--record": options.record,
    }
    return (option for option, is_given in given.items() if is_given)


def _addressed(values: Assignments) -> Iterator[str]:
    """Yields assignments of `--set` for anything but the measurement itself."""
    others = {"world": values.world, "model": values.models, "recorder": values.recording}
    for owner, those in (*values.components.items(), *others.items()):
        yield from (f"--set {owner}.{name}" for name in those)


def _refuse(name: str, given: Iterable[str]) -> None:
    unwanted = ", ".join(given)
    if unwanted:
        raise ConfigurationError(f"{name} is measured without these options; leave {unwanted} out")


def _shown(measurement: Measurement, seed: int, console: Console) -> Iterator[dict[str, Any]]:
    """Yields the rows, each printed as soon as it is measured."""
    with make_progress(console) as progress:
        bar = progress.add_task("", total=measurement.total, rate="")
        for number, row in enumerate(measurement.rows(seed), start=1):
            progress.update(bar, advance=1)
            line = f"{number:4d}/{measurement.total}  {escape(_line(row, measurement.columns))}"
            progress.console.print(line, highlight=False, soft_wrap=True)
            yield row


def _line(row: Mapping[str, Any], columns: Mapping[str, str]) -> str:
    measured = (key for key in columns if key not in _WHOSE and row[key] is not None)
    figures = (f"{columns[key]} {_cell(row[key])}" for key in measured)
    return f"{row['group']}, {row['preset']}: {', '.join(figures)}"


def measurement_table(title: str, columns: Mapping[str, str], rows: Iterable[Mapping[str, Any]]) -> Table:
    """Returns the rows of a result as a table. columns: the measurement's own, see measurement.Measurement."""
    table = Table(title=title)
    for key, heading in columns.items():
        table.add_column(escape(heading), justify="left" if key in _WHOSE else "right")
    for row in rows:
        table.add_row(*(escape(_cell(row[key])) for key in columns))
    return table


def _cell(value: Any) -> str:
    return figure(value) if isinstance(value, float) else "" if value is None else str(value)
