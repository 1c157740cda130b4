"""Tests of reading tasks of activities: what the suite says is read back as the conditions that it says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.domains.programs.wishes import HELD, IN, IS_STATE, ME, ON, Wanted, Wish, read_wishes
from stma_ros.evaluation.programs.conditions import HOLDS, Condition, Goal, Scope, StateCondition
from stma_ros.evaluation.programs.sentences import goal_sentences, task_text
from stma_ros.types.errors import TaskNotUnderstoodError
from stma_ros.worlds.programs import home_graph
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
    ],
)
def test_sentence_of_another_form_is_refused_with_the_forms(text: str) -> None:
    with pytest.raises(TaskNotUnderstoodError, match=r"'the lamp is switched on'.*'you hold the novel'"):
        read_wishes(text)
