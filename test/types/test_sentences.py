"""Sentences and commands of an action model: what is written can be read back, and nothing else can."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.types.action_model import (
    EQUALS,
    ActionModel,
    ActionSchema,
    Literal,
    PredicateSchema,
    TypedName,
)
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.sentences import ObjectTypes, Sentences, generic_command, generic_sentence

BLOCK, BELOW = TypedName(name="?block", type="block"), TypedName(name="?below", type="block")
ON = PredicateSchema(
    name="on",
    parameters=(BLOCK, BELOW),
    sentence="{block} is on {below}",
    negation="{block} is not on {below}",
)
CLEAR = PredicateSchema(
    name="clear", parameters=(BLOCK,), sentence="{block} is clear", negation="{block} is not clear"
)
STACK = ActionSchema(name="stack", parameters=(BLOCK, BELOW), command="stack {block} on {below}")
MODEL = ActionModel(
    name="blocks",
    types=(TypedName(name="block", type="thing"),),
    objects=(
        TypedName(name="b1", type="block"),
        TypedName(name="b2", type="block"),
        TypedName(name="t", type="thing"),
    ),
    predicates=(ON, CLEAR),
    actions=(STACK,),
)

NAMES = st.from_regex(r"[a-z][a-z0-9_-]{0,5}", fullmatch=True)


@st.composite
def models(draw: st.DrawFn) -> ActionModel:
    """Models with generic wording and any names, also such as are words of sentences."""
    names = st.one_of(NAMES, st.sampled_from(("is", "not", "on", "clear")))
    objects = draw(st.lists(names, min_size=1, max_size=5, unique=True))
    predicates = draw(
        st.lists(st.tuples(names, st.integers(0, 3)), min_size=1, max_size=4, unique_by=lambda x: x[0])
    )
    schemas = []
    for name, arity in predicates:
        parameters = tuple(TypedName(name=f"?x{number}") for number in range(arity))
        schemas.append(
            PredicateSchema(
                name=name,
                parameters=parameters,
                sentence=generic_sentence(name, parameters),
                negation=generic_sentence(name, parameters, negated=True),
            )
        )
    return ActionModel(name="m", objects=tuple(TypedName(name=n) for n in objects), predicates=tuple(schemas))


@given(models(), st.data())
def test_every_sentence_is_read_back_unless_the_wording_is_ambiguous(
    model: ActionModel, data: st.DataObject
) -> None:
    sentences = Sentences(model)
    if any(sentences.ambiguities()):
        return
    predicate = data.draw(st.sampled_from(model.predicates))
    names = [item.name for item in model.objects]
    arguments = tuple(data.draw(st.sampled_from(names)) for _ in predicate.parameters)
    literal = Literal(predicate=predicate.name, arguments=arguments, negated=data.draw(st.booleans()))
    assert sentences.read_sentence(sentences.sentence(literal) + ".") == literal


def test_command_is_read_only_with_objects_of_the_right_types() -> None:
    sentences = Sentences(MODEL)
    assert sentences.read_command("stack b1 on b2") == (STACK, ("b1", "b2"))
    assert sentences.read_command("stack b1 on t") is None
    assert sentences.read_command("stack b1 on b9") is None
    assert sentences.read_command("stack b1") is None


def test_sentence_is_read_only_if_all_its_words_fit() -> None:
    sentences = Sentences(MODEL)
    assert sentences.read_sentence(" b1 is on b2. ") == Literal(predicate="on", arguments=("b1", "b2"))
    assert sentences.read_sentence("b1 is on the b2") is None
    assert sentences.read_sentence("") is None


def test_text_ends_each_sentence_with_a_full_stop() -> None:
    literals = (
        Literal(predicate="on", arguments=("b1", "b2")),
        Literal(predicate="clear", arguments=("b2",), negated=True),
    )
    assert Sentences(MODEL).text(literals) == "b1 is on b2. b2 is not clear."


def test_equality_of_parameters_can_be_written() -> None:
    different = Literal(predicate=EQUALS, arguments=("?block", "?below"), negated=True)
    assert Sentences(MODEL).sentence(different) == "?block is not ?below"


def test_templates_that_the_same_words_fit_are_named() -> None:
    holds = PredicateSchema(
        name="holds",
        parameters=(BLOCK, BELOW),
        sentence="{block} is on {below}",
        negation="{block} lacks {below}",
    )
    model = replace(MODEL, predicates=(ON, holds))
    assert list(Sentences(model).ambiguities()) == [("{block} is on {below}", "{block} is on {below}")]


@pytest.mark.parametrize(
    "sentence", ["{block} is on", "{block} is on {table} {below}", "{block} is on {below}.", ""]
)
def test_template_that_does_not_fit_its_parameters_is_refused(sentence: str) -> None:
    with pytest.raises(ConfigurationError, match="does not fit"):
        Sentences(replace(MODEL, predicates=(replace(ON, sentence=sentence),)))


def test_objects_belong_to_all_types_above_their_own() -> None:
    types = ObjectTypes(MODEL.types, MODEL.objects)
    assert types.members("block") == ["b1", "b2"]
    assert types.members("thing") == ["b1", "b2", "t"]
    assert types.members("") == ["b1", "b2", "t"]
    assert not types.has("t", "block")


def test_types_in_a_circle_do_not_hang() -> None:
    circle = (TypedName(name="a", type="b"), TypedName(name="b", type="a"))
    assert ObjectTypes(circle, (TypedName(name="x", type="a"),)).members("b") == ["x"]


def test_generic_wording_names_predicate_and_objects() -> None:
    assert generic_sentence("handempty", ()) == "handempty"
    assert generic_sentence("clear", (BLOCK,), negated=True) == "{block} is not clear"
    assert generic_sentence("on", (BLOCK, BELOW), negated=True) == "not {block} on {below}"
    assert generic_command("stack", (BLOCK, BELOW)) == "stack {block} {below}"
