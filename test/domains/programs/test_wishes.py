"""Tests of reading tasks of activities: what the suite says is read back as the conditions that it says."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from stma_ros.domains.programs.observed_home import YOU
from stma_ros.domains.programs.wishes import HELD, IN, IS_STATE, ME, ON, Wanted, Wish, read_wishes
from stma_ros.evaluation.programs.conditions import (
    HOLDS,
    Condition,
    Goal,
    RelationCondition,
    Scope,
    StateCondition,
)
from stma_ros.evaluation.programs.sentences import goal_sentences, task_text
from stma_ros.types.errors import TaskNotUnderstoodError
from stma_ros.worlds.programs import home_graph
from stma_ros.worlds.programs.home_graph import CHARACTER, HomeGraph, Node
from stma_ros.worlds.programs.program import Program
from support.conditions_of_twins import HOME, conditions
from support.homes_of_twins import WHO

_RELATIONS = {HOLDS: HELD, home_graph.ON: ON, home_graph.INSIDE: IN}


def _parts(condition: Condition) -> tuple[int, str, int | None, str, bool]:
    """Returns subject, relation, object, state and whether it is negated, as wishes have them."""
    if isinstance(condition, StateCondition):
        return condition.node, IS_STATE, None, home_graph.state_word(condition.state), not condition.expected
    relation, ids = _RELATIONS[condition.relation], condition.nodes
    subject, item = reversed(ids) if relation == HELD else ids
    return subject, relation, item, "", not condition.expected


@given(
    st.lists(conditions, min_size=1, max_size=12, unique=True),
    st.text(max_size=30).map(lambda text: " ".join(text.split())),
)
def test_conditions_of_a_task_are_read_back(those: list[Condition], title: str) -> None:
    goal = Goal(tuple(those), Scope.OBJECTS)
    wishes = read_wishes(task_text(Program(title, "", ()), goal, HOME))
    said = goal_sentences(goal, HOME)
    assert [wish.text for wish in wishes] == list(said.values())
    meant: dict[Wanted, int] = {}
    for condition, wish in zip(said, wishes, strict=True):
        subject, relation, item, state, negated = _parts(condition)
        assert (wish.relation, wish.state, wish.negated) == (relation, state, negated)
        for thing, id in ((wish.subject, subject), (wish.object, item)):
            if id is None:
                assert thing is None
                continue
            assert thing is not None
            assert meant.setdefault(thing, id) == id
            assert thing == ME if id == WHO else thing.kind == HOME.nodes[id].name
    assert len(set(meant.values())) == len(meant)


@pytest.mark.parametrize(
    "title", ["", "Tidy up. ", "In the end: nothing. ", "Wait; then go. In the end: so. "]
)
def test_only_the_last_end_of_a_task_is_read(title: str) -> None:
    assert read_wishes(f"{title}In the end: you hold the novel.") == (
        Wish(Wanted("novel"), HELD, ME, "", False, "you hold the novel"),
    )


def test_task_of_sentences_alone_is_read_in_either_case() -> None:
    lamp, sitting = read_wishes("The second Lamp is Switched On; You are not sitting.")
    assert (lamp.subject, lamp.state, lamp.negated) == (Wanted("lamp", "second"), "on", False)
    assert (sitting.subject, sitting.state, sitting.negated) == (ME, "sitting", True)


@pytest.mark.parametrize(
    "text",
    [
        "",
        ".",
        "put the cup on the table",
        "the lamp is switched on;",
        "the lamp is switched on, you hold the novel",
        "the lamp is switched on and you hold the novel",
        "the cup is under the table",
        "the cup is near you",
        "the red big cup is clean",
        "a cup is on the table",
        "you hold you",
        "you are on you",
        "you are not in you",
        "you hold the",
    ],
)
def test_sentence_of_another_form_is_refused_with_the_forms(text: str) -> None:
    with pytest.raises(TaskNotUnderstoodError, match=r"'the lamp is switched on'.*'you hold the novel'"):
        read_wishes(text)


@pytest.mark.parametrize(
    ("text", "state", "negated"),
    [
        ("the lamp is turned on", "on", False),
        ("the lamp is not turned off", "off", True),
        ("the lamp is off", "off", False),
        ("the lamp is not unplugged", "plugged out", True),
        ("the cupboard is not shut", "closed", True),
        ("the cup is washed", "clean", False),
        ("the cup is not unwashed", "dirty", True),
        ("you are seated", "sitting", False),
        ("you are not lying down", "lying", True),
    ],
)
def test_other_words_for_a_state_are_read_as_that_state(text: str, state: str, negated: bool) -> None:
    [wish] = read_wishes(text)
    assert (wish.relation, wish.state, wish.negated) == (IS_STATE, state, negated)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("the cup is not on table", "on table"),
        ("the lamp is not dark", "dark"),
        ("the lamp is broken", "broken"),
        ("the cat is not sitting", "sitting"),
        ("you are not standing", "standing"),
        ("you are not dirty", "dirty"),
    ],
)
def test_state_of_an_unknown_word_is_refused_with_the_known_ones(text: str, word: str) -> None:
    known = "sitting" if text.startswith("you") else "switched on"
    with pytest.raises(TaskNotUnderstoodError, match=rf"'{word}' is not known.*{known}"):
        read_wishes(text)


def test_state_of_an_unknown_word_is_read_where_things_were_seen_to_have_it() -> None:
    [wish] = read_wishes("the cup is not broken", shown={"broken", "clean"})
    assert (wish.state, wish.negated) == ("broken", True)


def test_name_of_two_words_is_a_kind() -> None:
    assert read_wishes("you hold the Coffee Pot; the second coffee pot is on the 13th coffee table") == (
        Wish(Wanted("coffee_pot"), HELD, ME, "", False, "you hold the Coffee Pot"),
        Wish(
            Wanted("coffee_pot", "second"),
            ON,
            Wanted("coffee_table", "13th"),
            "",
            False,
            "the second coffee pot is on the 13th coffee table",
        ),
    )


@pytest.mark.parametrize("text", ["you hold the dirty cup", "the lamp is on the closed cupboard"])
def test_state_before_a_name_is_refused_as_it_says_which_one_is_meant(text: str) -> None:
    with pytest.raises(TaskNotUnderstoodError, match="Say it in a sentence of its own"):
        read_wishes(text)


@pytest.mark.parametrize("text", ["you hold the you", "the ... is clean"])
def test_thing_without_a_name_is_refused(text: str) -> None:
    with pytest.raises(TaskNotUnderstoodError, match="no name of a thing"):
        read_wishes(text)


@given(st.text(min_size=1), st.booleans(), st.booleans())
def test_thing_of_any_class_is_read_back_by_its_kind(name: str, many: bool, held: bool) -> None:
    kind = Node(1, name, "", frozenset()).kind
    assume(kind not in ("", YOU))
    nodes = [Node(1, CHARACTER, "", frozenset()), *(Node(id, name, "", frozenset()) for id in (2, 3))]
    graph = HomeGraph(nodes, {}, [])
    ids = (2, 3) if many else (2,)
    said: list[Condition] = [
        RelationCondition(1, HOLDS, id) if held else StateCondition(id, "OPEN") for id in ids
    ]
    wishes = read_wishes(task_text(Program(name, "", ()), Goal(tuple(said), Scope.OBJECTS), graph))
    assert [wish.subject.kind for wish in wishes] == [kind] * len(ids)
    assert len({wish.subject for wish in wishes}) == len(ids)
