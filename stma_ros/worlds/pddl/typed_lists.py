"""Lists of names with types, as in `b1 b2 - block table`, which PDDL uses for all declarations."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from stma_ros.types.errors import ConfigurationError
from stma_ros.worlds.pddl.formulas import unsupported
from stma_ros.worlds.pddl.s_expressions import Form, Node, Symbol

OBJECT = "object"
"""The type of everything."""

_NAME = re.compile(r"[a-z0-9_][a-z0-9_-]*")


def checked_name(node: Node) -> Symbol:
    """Returns a node that is a name. Raises ConfigurationError for others."""
    if isinstance(node, Form):
        raise node.place.error("a name is expected here, not a list")
    if _NAME.fullmatch(node.text) is None:
        raise node.place.error(
            f"{node.text!r} is no name: names are made of the letters a to z, digits, - and _, and do not begin with -"
        )
    return node


def typed_names(
    items: Sequence[Node], types: Collection[str] | None, *, variables: bool = False
) -> Iterator[tuple[Symbol, Symbol]]:
    """Yields names with their types.

    Args:
        items: The list.
        types: The types that are declared; None if the list declares them.
        variables: Whether the names are those of parameters, with a question mark.

    Raises:
        ConfigurationError: The list is malformed, a name occurs twice, or a type is not declared.
    """
    waiting: list[Symbol] = []
    seen: set[str] = set()
    position = 0
    while position < len(items):
        item = items[position]
        position += 1
        if not (isinstance(item, Symbol) and item.text == "-"):
            name = _variable(item) if variables else checked_name(item)
            if name.text in seen:
                raise name.place.error(f"{name.text} is declared twice")
            seen.add(name.text)
            waiting.append(name)
            continue
        if not waiting or position == len(items):
            raise item.place.error("this - needs names before it and a type after it")
        kind = _type(items[position], types)
        position += 1
        yield from ((name, kind) for name in waiting)
        waiting = []
    yield from ((name, Symbol(OBJECT, name.place)) for name in waiting)


def check_type_tree(above: Mapping[str, str], places: Mapping[str, Symbol]) -> None:
    """Raises ConfigurationError for a type that is above itself. above: the type above each one."""
    for name, symbol in places.items():
        kind = above[name]
        for _ in above:
            if kind == name:
                raise symbol.place.error(f"the type {name} is a type of itself")
            kind = above.get(kind, OBJECT)


def _variable(node: Node) -> Symbol:
    if isinstance(node, Symbol) and node.text.startswith("?") and _NAME.fullmatch(node.text[1:]):
        return node
    raise _unexpected(node, "a parameter such as ?x")


def _type(node: Node, types: Collection[str] | None) -> Symbol:
    if isinstance(node, Form) and node.head == "either":
        raise unsupported("the construct either, a choice of types,", node.place)
    name = checked_name(node)
    if types is not None and name.text not in types:
        raise name.place.error(f"the type {name.text!r} is not declared")
    return name


def _unexpected(node: Node, expected: str) -> ConfigurationError:
    found = repr(node.text) if isinstance(node, Symbol) else "a list"
    return node.place.error(f"{expected} is expected here, not {found}")
