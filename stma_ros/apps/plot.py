"""`stma plot`: draws figures of benchmark results."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from stma_ros.apps.console import make_console
from stma_ros.apps.folders import make_folder
from stma_ros.evaluation.figures import SERIES, SWEEPS, series_over_commands, success_over_setting
from stma_ros.types.errors import ConfigurationError


def plot(files: Sequence[Path], out: Path, form: str) -> int:
    """Draws the figures that the results allow; returns the exit status. Raises ConfigurationError for a file that is
    no result, files whose figures would have the same names, or a folder that cannot be made."""
    results = [_read(file) for file in files]
    names = _names(files)
    make_folder("--out", out)
    drawn = []
    for of, result in zip(names, results, strict=True):
        for name, series in SERIES.items():
            figure = out / f"{of}-{name}.{form}"
            if series_over_commands(result, series, figure):
                drawn.append(figure)
    for name, sweep in SWEEPS.items():
        figure = out / f"{results[0]['suite']}-{name}.{form}"
        if success_over_setting(results, sweep, figure):
            drawn.append(figure)
    if not drawn:
        raise ConfigurationError(
            "there is nothing to draw: give results of `stma bench cooking --json FILE` or `stma bench pddl --json "
            "FILE`; those that differ in --set noise=... or --set window=... together, for success against that"
        )
    console = make_console()
    for figure in drawn:
        console.print(f"drew {figure}", markup=False, highlight=False, soft_wrap=True)
    return 0


def _names(files: Sequence[Path]) -> list[str]:
    """Returns the begin of the names of each file's figures: its own name, after that of its folder where another file
    has the same."""
    counts = Counter(file.stem for file in files)
    names = [
        file.stem if counts[file.stem] == 1 else f"{file.absolute().parent.name}-{file.stem}"
        for file in files
    ]
    for name, count in Counter(names).items():
        if count > 1:
            raise ConfigurationError(
                f"the figures of {count} files would be called {name}-...; draw them one by one, or rename a file"
            )
    return names


def _read(file: Path) -> dict[str, Any]:
    try:
        result = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigurationError(
            f"{file} cannot be read as a result ({error}); give what `stma bench --json` wrote"
        ) from error
    if not isinstance(result, dict) or not {"suite", "settings", "rows", "episodes"} <= set(result):
        raise ConfigurationError(f"{file} is no result: `stma bench SUITE --json FILE` writes one")
    return result
