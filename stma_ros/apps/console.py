"""The terminal, or the file that stands for it."""

from __future__ import annotations

from rich.console import Console

_WIDTH = 140  # of tables in files and pipes


def make_console() -> Console:
    """As wide as the terminal; wide enough for our tables where there is none."""
    console = Console()
    return console if console.is_terminal else Console(width=_WIDTH)
