"""The part of PDDL that this world simulates, and the checks that files keep to it.

Their content is passed on in the order and the form that the strict grammar of unified-planning demands: constants that
a problem declares once more, and costs, are left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from stma_ros.worlds.pddl.formulas import ACCEPTED, RESERVED, TOTAL_COST, Vocabulary, unsupported
from stma_ros.worlds.pddl.s_expressions import Form, Node, Place, Symbol
from stma_ros.worlds.pddl.typed_lists import OBJECT, check_type_tree, checked_name, typed_names

_DOMAIN_SECTIONS = (":requirements", ":types", ":constants", ":predicates", ":functions", ":action")
_PROBLEM_SECTIONS = (":domain", ":requirements", ":objects", ":init", ":goal", ":metric")
_KNOWN_ELSEWHERE = frozenset({*_DOMAIN_SECTIONS, *_PROBLEM_SECTIONS})
_ACTION_PARTS = (":parameters", ":precondition", ":effect")


@dataclass(frozen=True)
class Domain:
    """A checked domain.

    Attributes:
        name: Its name.
        types: The types, the one of everything included.
        constants: Type of each constant.
        predicates: Number of arguments of each predicate.
        costs: Whether total-cost is declared.
        form: The domain for unified-planning.
    """

    name: str
    types: Collection[str]
    constants: Mapping[str, str]
    predicates: Mapping[str, int]
    costs: bool
    form: Form


def checked_domain(nodes: Sequence[Node], file: str) -> Domain:
    """Checks the content of a domain's file. Raises ConfigurationError."""
    name, place, sections = _definition(nodes, file, "domain", _DOMAIN_SECTIONS)
    actions = sections.pop(":action", [])
    single = {keyword: _single(forms) for keyword, forms in sections.items()}
    _check_requirements(single)
    above = _types(single.get(":types", ()))
    constants = list(typed_names(single.get(":constants", ()), above))
    predicates, declared = _predicates(single.get(":predicates", ()), above)
    functions = single.get(":functions", ())
    costs = any(isinstance(item, Form) and item.head == TOTAL_COST for item in functions)
    if functions and not costs:
        raise unsupported(":functions, numbers that change (:numeric-fluents),", functions[0].place)
    typed = {symbol.text: kind.text for symbol, kind in constants}
    vocabulary = Vocabulary(predicates, typed, costs)
    checked = [_action(form, above, vocabulary) for form in actions]
    _check_unique(checked)
    root = (Symbol(OBJECT, place),)
    kinds = ((Symbol(kind, place), Symbol(upper, place)) for kind, upper in above.items() if kind != OBJECT)
    parts = [
        _section(":types", place, (*_typed(kinds), *root)),
        _section(":constants", place, _typed(constants)),
        _section(":predicates", place, declared),
        *checked,
    ]
    form = _define("domain", name, place, [part for part in parts if len(part.items) > 1])
    return Domain(name.text, above, typed, predicates, costs, form)


def checked_problem(nodes: Sequence[Node], file: str, domain: Domain) -> Form:
    """Checks the content of a problem's file, and returns the problem for unified-planning. Raises
    ConfigurationError."""
    name, place, sections = _definition(nodes, file, "problem", _PROBLEM_SECTIONS)
    single = {keyword: _single(forms) for keyword, forms in sections.items()}
    _check_requirements(single)
    for keyword in (":domain", ":init", ":goal"):
        if keyword not in single:
            raise place.error(f"the problem has no ({keyword} ...)")
    _check_domain_name(single[":domain"], place, domain.name)
    objects = list(_without_constants(single.get(":objects", ()), domain))
    known = {*domain.constants, *(symbol.text for symbol, _ in objects)}
    vocabulary = Vocabulary(domain.predicates, known, domain.costs)
    return _define(
        "problem",
        name,
        place,
        [
            _section(":domain", place, (Symbol(domain.name, place),)),
            _section(":objects", place, _typed(objects)),
            _section(":init", place, vocabulary.initial(single[":init"])),
            _section(":goal", place, (_goal(single[":goal"], place, vocabulary),)),
        ],
    )


def _definition(
    nodes: Sequence[Node], file: str, kind: str, keywords: Sequence[str]
) -> tuple[Symbol, Place, dict[str, list[Form]]]:
    """Returns the name of a definition, its place, and its sections by their keywords."""
    place = nodes[0].place if nodes else Place(file, 1, 1)
    whole = nodes[0] if len(nodes) == 1 else None
    title = (
        whole.items[1]
        if isinstance(whole, Form) and whole.head == "define" and len(whole.items) > 1
        else None
    )
    if not (
        isinstance(whole, Form) and isinstance(title, Form) and title.head == kind and len(title.items) == 2
    ):
        raise place.error(f"the file has to consist of one (define ({kind} NAME) ...)")
    sections: dict[str, list[Form]] = {}
    for node in whole.items[2:]:
        if not isinstance(node, Form) or not node.head.startswith(":"):
            raise node.place.error(f"a section such as ({keywords[-2]} ...) is expected here")
        if node.head not in keywords:
            if node.head in _KNOWN_ELSEWHERE:
                raise node.place.error(f"{node.head} does not belong into a {kind}")
            raise unsupported(f"the construct {node.head}", node.place)
        sections.setdefault(node.head, []).append(node)
    return checked_name(title.items[1]), whole.place, sections


def _single(forms: Sequence[Form]) -> tuple[Node, ...]:
    """Returns the content of a section that a file may have once."""
    if len(forms) > 1:
        raise forms[1].place.error(f"{forms[1].head} is given twice")
    return forms[0].items[1:]


def _check_requirements(sections: Mapping[str, Sequence[Node]]) -> None:
    for node in sections.get(":requirements", ()):
        text = node.text if isinstance(node, Symbol) else ""
        if text not in ACCEPTED:
            raise unsupported(f"the requirement {text or 'in brackets'}", node.place)


def _types(items: Sequence[Node]) -> dict[str, str]:
    """Returns the type above each type."""
    above = {OBJECT: OBJECT}
    places: dict[str, Symbol] = {}
    for name, upper in typed_names(items, None):
        if name.text != OBJECT:
            above[name.text] = upper.text
            places[name.text] = name
    check_type_tree(above, places)
    return above | {upper: OBJECT for upper in above.values() if upper not in above}


def _predicates(items: Sequence[Node], types: Collection[str]) -> tuple[dict[str, int], list[Form]]:
    """Returns the number of arguments of each predicate, and the declarations."""
    counts: dict[str, int] = {}
    for item in items:
        if not isinstance(item, Form) or not item.items:
            raise item.place.error("a predicate is expected here, such as (on ?x ?y)")
        name = checked_name(item.items[0])
        if name.text in RESERVED:
            raise name.place.error(f"no predicate can be called {name.text!r}, a word of PDDL's formulas")
        if name.text in counts:
            raise name.place.error(f"the predicate {name.text!r} is declared twice")
        counts[name.text] = len(list(typed_names(item.items[1:], types, variables=True)))
    return counts, [item for item in items if isinstance(item, Form)]


def _action(form: Form, types: Collection[str], vocabulary: Vocabulary) -> Form:
    """Returns an action with all its parts."""
    if len(form.items) < 2:
        raise form.place.error("this action has no name")
    name = checked_name(form.items[1])
    parts: dict[str, Node] = {}
    rest = form.items[2:]
    for key, value in zip(rest[::2], (*rest[1::2], None), strict=False):
        word = key.text if isinstance(key, Symbol) else ""
        if not word.startswith(":") or value is None:
            raise key.place.error(f"the action {name.text} needs pairs such as :effect (...) here")
        if word not in _ACTION_PARTS:
            raise unsupported(f"the construct {word} of an action", key.place)
        if word in parts:
            raise key.place.error(f"{word} is given twice")
        parts[word] = value
    empty = Form((), form.place)
    written = parts.get(":parameters", empty)
    if isinstance(written, Symbol):
        raise written.place.error("a list of parameters is expected here, such as (?x ?y)")
    parameters = {symbol.text for symbol, _ in typed_names(written.items, types, variables=True)}
    condition = vocabulary.condition(parts.get(":precondition", empty), parameters)
    effect = vocabulary.effect(parts.get(":effect", empty), parameters)
    words = [Symbol(word, form.place) for word in (":action", *_ACTION_PARTS)]
    return Form((words[0], name, words[1], written, words[2], condition, words[3], effect), form.place)


def _check_unique(actions: Sequence[Form]) -> None:
    seen: set[str] = set()
    for action in actions:
        name = checked_name(action.items[1])
        if name.text in seen:
            raise name.place.error(f"the action {name.text!r} is declared twice")
        seen.add(name.text)


def _check_domain_name(items: Sequence[Node], place: Place, expected: str) -> None:
    if len(items) != 1:
        raise place.error("(:domain ...) takes one name")
    name = checked_name(items[0])
    if name.text != expected:
        raise name.place.error(
            f"the problem belongs to the domain {name.text!r}, but the domain.pddl that was found for it is that of "
            f"{expected!r}"
        )


def _without_constants(items: Sequence[Node], domain: Domain) -> Iterator[tuple[Symbol, Symbol]]:
    """Yields the objects of a problem, except constants that it declares once more."""
    for name, kind in typed_names(items, domain.types):
        former = domain.constants.get(name.text)
        if former is None:
            yield name, kind
        elif former != kind.text:
            raise name.place.error(
                f"{name.text} is a {kind.text} here, and the constant of the domain a {former}"
            )


def _goal(items: Sequence[Node], place: Place, vocabulary: Vocabulary) -> Form:
    goal = vocabulary.goal(items[0]) if len(items) == 1 else Form((), place)
    if len(goal.items) < 2:
        raise (items[0].place if items else place).error(
            "the goal is empty: (:goal ...) takes one atom or one (and ...)"
        )
    return goal


def _typed(names: Iterator[tuple[Symbol, Symbol]] | Sequence[tuple[Symbol, Symbol]]) -> Iterator[Symbol]:
    for name, kind in names:
        yield from (name, Symbol("-", name.place), kind)


def _section(keyword: str, place: Place, content: Iterator[Node] | Sequence[Node]) -> Form:
    return Form((Symbol(keyword, place), *content), place)


def _define(kind: str, name: Symbol, place: Place, sections: Sequence[Form]) -> Form:
    title = Form((Symbol(kind, place), name), place)
    return Form((Symbol("define", place), title, *sections), place)
