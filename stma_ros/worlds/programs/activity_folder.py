"""A folder of people's activities: a program and the scene graphs of each.

    programs/NAME.txt   title, description and steps
    graphs/NAME.json    {"init_graph": ..., "final_graph": ...}

Only who scores reads the final graph.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from stma_ros.types.errors import ConfigurationError, StorageError
from stma_ros.worlds.programs.home_graph import HomeGraph, read_graph
from stma_ros.worlds.programs.program import Program, read_program

_PROGRAMS, _GRAPHS = "programs", "graphs"
_INITIAL, _FINAL = "init_graph", "final_graph"


class ActivityFolder:
    """Reads the activities of a folder one by one, however many there are."""

    def __init__(self, path: Path) -> None:
        """Raises ConfigurationError for a folder without activities."""
        self._path = path
        self.names = tuple(sorted(self._names()))
        """The names of the activities that have a program and graphs."""
        if not self.names:
            raise ConfigurationError(
                f"{path} has no activities: they are pairs {_PROGRAMS}/NAME.txt and {_GRAPHS}/NAME.json"
            )

    def _names(self) -> Iterator[str]:
        for file in (self._path / _PROGRAMS).glob("*.txt"):
            if self._graphs_of(file.stem).is_file():
                yield file.stem

    def _graphs_of(self, name: str) -> Path:
        return self._path / _GRAPHS / f"{name}.json"

    def program(self, name: str) -> Program:
        """Raises StorageError for a file that cannot be read or is no program."""
        file = self._path / _PROGRAMS / f"{name}.txt"
        with _naming(file):
            return read_program(file.read_text(encoding="utf-8"))

    def initial_graph(self, name: str) -> HomeGraph:
        """Raises StorageError for a file that cannot be read or has no such graph."""
        return self._graph(name, _INITIAL)

    def final_graph(self, name: str) -> HomeGraph:
        """Returns the home after the program; for scoring alone. Raises as initial_graph does."""
        return self._graph(name, _FINAL)

    def both_graphs(self, name: str) -> tuple[HomeGraph, HomeGraph]:
        """Returns the homes before and after the program; for scoring alone.

        Raises:
            StorageError: One cannot be read, or they have different nodes.
        """
        before, after = self.initial_graph(name), self.final_graph(name)
        with _naming(self._graphs_of(name)):
            if others := before.nodes.keys() ^ after.nodes.keys():
                raise StorageError(f"{len(others)} nodes, as {min(others)}, are in one of its graphs alone")
        return before, after

    def _graph(self, name: str, which: str) -> HomeGraph:
        file = self._graphs_of(name)
        with _naming(file):
            document: Any = json.loads(file.read_text(encoding="utf-8"))
            if not isinstance(document, dict) or which not in document:
                raise StorageError(f"it has no {which!r}")
            return read_graph(document[which])


@contextmanager
def _naming(file: Path) -> Iterator[None]:
    """Turns what goes wrong with a file into a StorageError that names it."""
    try:
        yield
    except (OSError, ValueError, StorageError) as error:
        raise StorageError(f"{file} cannot be read: {error}") from error
