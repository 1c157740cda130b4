"""The console for output, and the format of numbers on it."""

from __future__ import annotations

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

_WIDTH = 140  # of tables in files and pipes


def make_console() -> Console:
    """Returns a console as wide as the terminal, or wide enough for the tables where there is none."""
    console = Console()
    return console if console.is_terminal else Console(width=_WIDTH)


def make_progress(console: Console) -> Progress:
    """Returns a progress bar with the remaining time; it shows nothing without a terminal. Its tasks have a field
    `rate`, a text."""
    return Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TextColumn("elapsed,"),
        TimeRemainingColumn(),
        TextColumn("to go"),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


def figure(value: float | None) -> str:
    """Formats a number of any size with three digits."""
    return "-" if value is None else f"{value:.3g}" if abs(value) < 100 else f"{value:.0f}"
