"""Nested lists of symbols, the notation of PDDL, with the position of each in its file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from stma_ros.types.errors import ConfigurationError

_DEEPEST = 100  # brackets in one another; the deepest that tasks need is about 10
_TOKEN = re.compile(r";[^\n]*|[()]|[^\s();]+")


@dataclass(frozen=True)
class Place:
    """A position in a file. line, column: counted from 1."""

    file: str
    line: int
    column: int

    def error(self, reason: str) -> ConfigurationError:
        """Returns an error that names the position."""
        return ConfigurationError(f"{self.file}, line {self.line}, column {self.column}: {reason}")


@dataclass(frozen=True)
class Symbol:
    text: str
    place: Place


@dataclass(frozen=True)
class Form:
    """A list in brackets. place: of the opening bracket."""

    items: tuple[Node, ...]
    place: Place

    @property
    def head(self) -> str:
        """The first symbol of the list; empty if there is none."""
        first = self.items[0] if self.items else None
        return first.text if isinstance(first, Symbol) else ""


Node: TypeAlias = "Symbol | Form"


def read_forms(text: str, file: str) -> tuple[Node, ...]:
    """Reads a file's text. Letters become small ones, as PDDL does not distinguish them.

    Raises:
        ConfigurationError: The brackets are not balanced, or nested too deeply, or it is more than one list.
    """
    levels: list[list[Node]] = [[]]
    opened: list[Place] = []
    for token, place in _tokens(text, file):
        if levels[0] and not opened:
            raise place.error("the file goes on here after its last bracket was closed")
        if token == "(":
            if len(opened) == _DEEPEST:
                raise place.error(f"more than {_DEEPEST} brackets are open here")
            levels.append([])
            opened.append(place)
        elif token != ")":
            levels[-1].append(Symbol(token.lower(), place))
        elif not opened:
            raise place.error("this ) closes nothing")
        else:
            items = levels.pop()
            levels[-1].append(Form(tuple(items), opened.pop()))
    if opened:
        raise opened[-1].error("this ( is never closed")
    return tuple(levels[0])


def _tokens(text: str, file: str) -> Iterator[tuple[str, Place]]:
    for number, line in enumerate(text.split("\n"), start=1):
        for match in _TOKEN.finditer(line):
            if not match[0].startswith(";"):
                yield match[0], Place(file, number, match.start() + 1)
