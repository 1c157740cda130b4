"""Text for the parser of unified-planning, whose errors can be led back to the user's files.

Each symbol is a line of its own, so that a line in an error is a position in a file. Names that the parser would take
for something else are replaced.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from stma_ros.worlds.pddl.s_expressions import Form, Node, Place
from stma_ros.worlds.pddl.typed_lists import OBJECT

_NAME = re.compile(r"[a-z][a-z0-9_-]*")
_PARSER_WORDS: Final = frozenset(
    {
        *("assign", "decrease", "oneof", "unknown"),
        *("always", "sometime", "sometime-before", "sometime-after", "at-most-once"),
    }
)
"""Words that the parser does not take for predicates, even where they are declared as such."""
_POSITION = re.compile(r"line:? *(\d+),? *col(?:umn)?:? *(\d+)")


class ParserText:
    """A domain and a problem as texts."""

    def __init__(self, domain: Form, problem: Form, predicates: Iterable[str]) -> None:
        self._names = _SafeNames((domain, problem), frozenset(predicates))
        self._lines: list[str] = []
        self._places: list[Place] = []
        self.domain = self._write(domain)
        # The lines of both texts are numbered in one row, so that they can be told apart.
        self.problem = "\n" * len(self._places) + self._write(problem)

    def original(self, name: str) -> str:
        """Returns the name in the files for one of the parser's."""
        return self._names.original.get(name, name)

    def place(self, error: Exception) -> Place | None:
        """Returns the position in the files to which an error of the parser points; None if there is none."""
        line, column = getattr(error, "lineno", 0), getattr(error, "column", 0)
        found = _POSITION.search(str(error))
        if not line and found is not None:
            line, column = int(found[1]), int(found[2])
        if not line:
            return None
        # The parser points to the end of the line before, if it has not skipped the space.
        index = line - 1 + (column > len(self._lines[line - 1])) if line <= len(self._lines) else line
        return self._places[min(index, len(self._places) - 1)]

    def _write(self, form: Form) -> str:
        begin = len(self._lines)
        for text, place in _tokens(form, self._names):
            self._lines.append(text)
            self._places.append(place)
        return "\n".join(self._lines[begin:])


class _SafeNames:
    """Replacements of names: where the parser reads a formula, an argument that is called like a predicate would be
    that predicate, and names that begin with a digit would be numbers. The type of everything keeps its name."""

    def __init__(self, forms: Iterable[Form], predicates: frozenset[str]) -> None:
        used = {token for form in forms for token in _names_in(form)}
        self._heads: dict[str, str] = {}
        self._others: dict[str, str] = {}
        self.original: dict[str, str] = {}
        for name in sorted(used):
            if _NAME.fullmatch(name) is None:
                self._heads[name] = self._others[name] = self._new_name(name, used)
            elif name in predicates:
                if name != OBJECT:
                    self._others[name] = self._new_name(name, used)
                if name == OBJECT or name in _PARSER_WORDS:
                    self._heads[name] = self._new_name(name, used)

    def text(self, name: str, *, head: bool) -> str:
        if name.startswith("?"):
            return "?" + self._others.get(name[1:], name[1:])
        table: Mapping[str, str] = self._heads if head else self._others
        return table.get(name, name)

    def _new_name(self, name: str, used: set[str]) -> str:
        new = f"n-{name}"
        while new in used or new in self.original:
            new = f"n-{new}"
        self.original[new] = name
        return new


def _names_in(form: Form) -> Iterator[str]:
    for item in form.items:
        if isinstance(item, Form):
            yield from _names_in(item)
        elif item.text[0] not in ":-=":
            yield item.text.removeprefix("?")


def _tokens(node: Node, names: _SafeNames, *, head: bool = False) -> Iterator[tuple[str, Place]]:
    if not isinstance(node, Form):
        yield names.text(node.text, head=head), node.place
        return
    yield "(", node.place
    for position, item in enumerate(node.items):
        yield from _tokens(item, names, head=position == 0)
    yield ")", node.place
