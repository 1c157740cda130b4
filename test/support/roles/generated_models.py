"""Generated action models with awkward names, for property tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from stma_ros.types.action_model import (
    EQUALS,
    ActionModel,
    ActionSchema,
    Literal,
    PredicateSchema,
    TypedName,
)
from stma_ros.types.sentences import slot
from stma_ros.worlds.pddl.wording import Wording, worded

_TYPES = ("box", "thing", "room", "lamp-kind")
_OBJECTS = ("b1", "is", "not", "lit", "room", "x-1", "7", "look", "in", "box")
_PREDICATES = ("is", "in", "lit", "held", "at-end", "zz", "b1", "not")
_ACTIONS = ("walk", "look", "lit", "in")
_VARIABLES = ("?box", "?box2", "?x", "?room", "?lamp-kind", "?y1")


@st.composite
def action_models(draw: st.DrawFn) -> ActionModel:
    """Draws models with complete wording. Every type has an object."""
    kinds = draw(st.lists(st.sampled_from(_TYPES), unique=True, max_size=3))
    above = {kind: draw(st.sampled_from(("", *kinds[:at]))) for at, kind in enumerate(kinds)}
    names = draw(st.permutations(_OBJECTS))
    extra = draw(st.lists(st.sampled_from(("", *kinds)), max_size=3))
    objects = tuple(
        TypedName(name=name, type=kind) for name, kind in zip(names, (*kinds, *extra, ""), strict=False)
    )
    objects = tuple(draw(st.permutations(objects)))
    predicates = tuple(
        PredicateSchema(name=name, parameters=draw(_parameters(kinds)))
        for name in draw(st.lists(st.sampled_from(_PREDICATES), unique=True, min_size=1, max_size=4))
    )
    literals = _Literals(predicates, objects, above)
    actions = tuple(
        draw(_action(name, draw(_parameters(kinds)), literals))
        for name in draw(st.lists(st.sampled_from(_ACTIONS), unique=True, max_size=2))
    )
    model = ActionModel(
        name="generated",
        types=tuple(TypedName(name=kind, type=above[kind]) for kind in kinds),
        objects=objects,
        predicates=tuple(draw(_seen(each, literals)) for each in predicates),
        actions=actions,
    )
    return worded(model, Wording("", draw(_templates(model))))


def _parameters(kinds: Sequence[str]) -> st.SearchStrategy[tuple[TypedName, ...]]:
    typed = st.builds(TypedName, name=st.sampled_from(_VARIABLES), type=st.sampled_from(("", *kinds)))
    return st.lists(typed, max_size=3, unique_by=lambda item: item.name).map(tuple)


class _Literals:
    """Draws literals whose arguments have the right types."""

    def __init__(
        self,
        predicates: Sequence[PredicateSchema],
        objects: Sequence[TypedName],
        above: Mapping[str, str],
    ) -> None:
        self._predicates = predicates
        self._objects = objects
        self._above = above

    def over(self, names: Sequence[TypedName], *, equality: bool) -> st.SearchStrategy[Literal]:
        """Returns a strategy for literals over variables and objects; nothing to draw if there are none."""
        known = (*names, *self._objects)
        choices = [self._of(each, known) for each in self._predicates]
        if equality and len(known) > 1:
            any_name = st.sampled_from([item.name for item in known])
            choices.append(_literal(EQUALS, st.tuples(any_name, any_name)))
        return st.one_of(choices)

    def _of(self, predicate: PredicateSchema, known: Sequence[TypedName]) -> st.SearchStrategy[Literal]:
        fitting = [
            [other.name for other in known if self._is_a(other.type, item.type)]
            for item in predicate.parameters
        ]
        if not all(fitting):
            return st.nothing()
        return _literal(predicate.name, st.tuples(*map(st.sampled_from, fitting)))

    def _is_a(self, kind: str, other: str) -> bool:
        return other in ("", kind) or (kind != "" and self._is_a(self._above[kind], other))


def _literal(predicate: str, arguments: st.SearchStrategy[tuple[Any, ...]]) -> st.SearchStrategy[Literal]:
    return st.builds(Literal, predicate=st.just(predicate), arguments=arguments, negated=st.booleans())


@st.composite
def _action(
    draw: st.DrawFn, name: str, parameters: tuple[TypedName, ...], literals: _Literals
) -> ActionSchema:
    return ActionSchema(
        name=name,
        parameters=parameters,
        preconditions=tuple(draw(st.lists(literals.over(parameters, equality=True), max_size=3))),
        effects=tuple(draw(st.lists(literals.over(parameters, equality=False), max_size=3))),
    )


@st.composite
def _seen(draw: st.DrawFn, predicate: PredicateSchema, literals: _Literals) -> PredicateSchema:
    further = (TypedName(name="?further"),) if draw(st.booleans()) else ()
    names = (*predicate.parameters, *further)
    conditions = draw(st.lists(literals.over(names, equality=False), max_size=2))
    return PredicateSchema(name=predicate.name, parameters=predicate.parameters, seen_when=tuple(conditions))


@st.composite
def _templates(draw: st.DrawFn, model: ActionModel) -> dict[tuple[str, str], str]:
    """Draws wordings for some of the predicates and actions, with the parameters in any order."""
    sections = (
        ("predicates", model.predicates, "now"),
        ("negations", model.predicates, "no more"),
        ("commands", model.actions, "at once"),
    )
    drawn = {}
    for section, schemas, end in sections:
        for schema in schemas:
            if draw(st.booleans()):
                slots = draw(st.permutations([slot(item.name) for item in schema.parameters]))
                drawn[section, schema.name] = " ".join((f"the-{schema.name}", *slots, end))
    return drawn
