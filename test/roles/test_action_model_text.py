"""Tests of the text of an action model in prompts, and that all of it can be read back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from stma_ros.domains.pddl.examples import EXAMPLES
from stma_ros.roles.action_model_text import action_model_text
from stma_ros.roles.policy import POLICY
from stma_ros.testing.model_server.action_model_reader import read_action_model
from stma_ros.testing.model_server.sections import UnreadableQuestionError
from stma_ros.types.action_model import ActionModel, ActionSchema, Literal, PredicateSchema, TypedName
from stma_ros.types.sentences import generic_command, generic_sentence
from support.roles.generated_models import action_models


def _typed(text: str) -> tuple[TypedName, ...]:
    """Returns typed names from words: "?x:box ?y"."""
    return tuple(
        TypedName(name=name, type=kind) for name, _, kind in (word.partition(":") for word in text.split())
    )


def _literal(text: str) -> Literal:
    words = text.split()
    negated = words[0] == "not"
    return Literal(predicate=words[negated], arguments=tuple(words[negated + 1 :]), negated=negated)


def _predicate(name: str, parameters: str, sentence: str = "", *seen_when: str) -> PredicateSchema:
    items = _typed(parameters)
    return PredicateSchema(
        name=name,
        parameters=items,
        sentence=sentence or generic_sentence(name, items),
        negation=f"not: {sentence}" if sentence else generic_sentence(name, items, negated=True),
        seen_when=tuple(map(_literal, seen_when)),
    )


def _action(name: str, parameters: str, needs: tuple[str, ...], then: tuple[str, ...]) -> ActionSchema:
    items = _typed(parameters)
    return ActionSchema(
        name=name,
        parameters=items,
        preconditions=tuple(map(_literal, needs)),
        effects=tuple(map(_literal, then)),
        command=generic_command(name, items),
    )


BOXES = ActionModel(
    name="boxes",
    types=_typed("box tool key:tool"),
    objects=_typed("b1:box b2:box k:key hammer:tool b3:box"),
    predicates=(
        _predicate("open", "?box:box"),
        _predicate("in", "?tool:tool ?box:box", "{box} holds {tool}", "open ?box", "not near ?who ?box"),
        _predicate("near", "?a ?box:box"),
        _predicate("free", "?box"),
    ),
    actions=(
        _action("unlock", "?box:box ?key:key", ("not open ?box", "near ?key ?box"), ("open ?box",)),
        _action(
            "swap", "?box1:box ?box2:box", ("not = ?box1 ?box2", "in hammer ?box1"), ("in hammer ?box2",)
        ),
        _action("wait", "", (), ()),
    ),
)

BOXES_TEXT = """\
- unlock ?box ?key
  Needs: ?box is not open; ?key near ?box
  Then: ?box is open
- swap ?box1 ?box2
  Needs: ?box1 != ?box2; ?box1 holds hammer
  Then: ?box2 holds hammer
- wait
Facts, each with its opposite:
- ?box is free (?box: any object); ?box is not free
- ?box holds ?tool (?tool, ?box); not: ?box holds ?tool; seen while ?box is open; not ?who near ?box
- ?a near ?box; not ?a near ?box
- ?box is open; ?box is not open
Types: box, tool; key: tool
Objects: b1, b2: box; k: key; hammer: tool; b3: box"""


def test_text_shows_actions_facts_types_and_objects() -> None:
    assert action_model_text(BOXES) == BOXES_TEXT


def test_worlds_without_a_model_have_no_text() -> None:
    assert action_model_text(ActionModel()) == ""
    assert read_action_model("") == ActionModel()


def test_a_model_without_types_has_neither_types_nor_declarations() -> None:
    model = ActionModel(name="m", objects=_typed("a b"), predicates=(_predicate("on", "?x ?y"),))

    assert action_model_text(model).splitlines()[1:] == ["- ?x on ?y; not ?x on ?y", "Objects: a, b"]


def as_read(model: ActionModel) -> ActionModel:
    """Returns a model without what its text does not hold: names of actions and predicates, the order of the parameters
    of an action, and that of the predicates, which are sorted by their names."""
    in_order = sorted(model.predicates, key=lambda each: each.name)
    names = {each.name: f"{number:06}" for number, each in enumerate(in_order)}

    def renamed(literals: tuple[Literal, ...]) -> tuple[Literal, ...]:
        return tuple(replace(each, predicate=names.get(each.predicate, each.predicate)) for each in literals)

    return replace(
        model,
        name="world",
        predicates=tuple(
            replace(each, name=names[each.name], seen_when=renamed(each.seen_when)) for each in in_order
        ),
        actions=tuple(
            replace(
                each,
                name=str(number),
                parameters=tuple(
                    sorted(each.parameters, key=lambda item: each.command.index(f"{{{item.name[1:]}}}"))
                ),
                preconditions=renamed(each.preconditions),
                effects=renamed(each.effects),
            )
            for number, each in enumerate(model.actions)
        ),
    )


@pytest.mark.parametrize("model", [BOXES, EXAMPLES[POLICY.name].model], ids=["boxes", "lamps"])
def test_text_of_a_model_is_read_back(model: ActionModel) -> None:
    assert read_action_model(action_model_text(model)) == as_read(model)


@given(action_models())
def test_text_of_any_model_is_read_back(model: ActionModel) -> None:
    text = action_model_text(model)

    read = read_action_model(text)

    assert read == as_read(model)
    assert action_model_text(read) == text


@pytest.mark.parametrize("domain", ["blocksworld", "gripper", "barman", "tyreworld", "vault"])
def test_text_of_a_generated_task_is_read_back(domain: str) -> None:
    pytest.importorskip(
        "unified_planning", reason="PDDL needs unified-planning: pip install 'stma_ros[pddl]'"
    )
    from stma_ros.worlds.pddl.loaded_task import load_task

    model = load_task(domain, 1000).planning.model

    assert read_action_model(action_model_text(model)) == as_read(model)


@pytest.mark.parametrize(
    ("changed", "into"),
    [
        ("- wait", "wait"),
        ("?key near ?box", "?key is far from ?box"),
        ("?box is not open\n", "?box is not o.pen\n"),
        ("; ?box is not free", ""),
        ("- unlock ?box ?key\n", ""),
    ],
)
def test_text_in_another_format_is_refused(changed: str, into: str) -> None:
    with pytest.raises(UnreadableQuestionError):
        read_action_model(BOXES_TEXT.replace(changed, into, 1))
