"""Tests of reading actions as models write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.roles.actions import not_allowed, read_action, similar
from stma_ros.roles.spec import UnusableReplyError
from stma_ros.types.planning import Action
from support.roles.text_player import GIVE_UP, command

GAME = (command("take knife from table"), command("go north"), command("cook ham with BBQ"), GIVE_UP)
HOUSE = (Action("pick", ("mug_3",)), Action("navigate", ("fridge_1",)), Action("look_around"), GIVE_UP)


@pytest.mark.parametrize(
    "text", ["go north", "Go North", " go  north. ", '"go north"', "`go north`", "'GO NORTH.'", "go\nnorth"]
)
def test_allowed_command_is_recognised_in_any_decoration(text: str) -> None:
    assert read_action(text, GAME) == command("go north")


def test_command_is_returned_in_the_spelling_of_the_world() -> None:
    assert read_action("cook ham with bbq", GAME) == command("cook ham with BBQ")


def test_commands_that_differ_in_case_are_distinguished() -> None:
    both = (command("press A"), command("press a"))

    assert [read_action(str(action), both) for action in both] == list(both)


@pytest.mark.parametrize(
    "text", ["pick(mug_3)", "Pick(Mug_3)", "pick( 'mug_3' )", "`pick(mug_3)`.", 'pick("mug_3")']
)
def test_allowed_call_is_recognised_in_any_decoration(text: str) -> None:
    assert read_action(text, HOUSE) == Action("pick", ("mug_3",))


def test_call_without_arguments_is_recognised() -> None:
    assert read_action("look_around()", HOUSE) == Action("look_around")


def test_later_command_is_read_unchanged() -> None:
    assert read_action(" 'open oak door'. ", GAME) == command("open oak door")


@pytest.mark.parametrize(
    "text",
    ['say "hello"', 'say "hello".', '`say "hello"`', "'say \"hello\".'", '"say "hello""', '"`say "hello"`".'],
)
def test_free_command_keeps_the_quotes_of_what_is_said_in_it(text: str) -> None:
    assert read_action(text, (), any_command=True) == command('say "hello"')


def test_later_call_is_read_unchanged() -> None:
    assert read_action("hand_over(mug_3, the cook)", HOUSE) == Action("hand_over", ("mug_3", "the cook"))


@pytest.mark.parametrize("text", ["pick the mug", "", " . ", "pick(mug_3", "pick(a(b))"])
def test_text_that_is_no_call_is_unusable_when_actions_are_calls(text: str) -> None:
    with pytest.raises(UnusableReplyError, match="written"):
        read_action(text, HOUSE)


@pytest.mark.parametrize("text", ["", " ", "'.'"])
def test_empty_command_is_unusable(text: str) -> None:
    with pytest.raises(UnusableReplyError, match="no action"):
        read_action(text, GAME)


def test_refusal_of_an_action_names_the_most_similar_ones() -> None:
    assert similar("take the knife", GAME).startswith("take knife from table")
    assert "'fly' is not possible now; possible: " in not_allowed(command("fly"), GAME)


def test_refusal_of_an_action_names_at_most_eight_others() -> None:
    many = tuple(command(f"go to room {number}") for number in range(40))

    assert similar("go to room", many).count(",") == 7


def test_refusal_of_an_action_names_none_when_none_is_allowed() -> None:
    assert similar("go north", ()) == "nothing"


def test_refusal_of_a_very_long_action_is_short() -> None:
    with pytest.raises(UnusableReplyError) as problem:
        read_action("pick " * 5000, HOUSE)
    assert len(str(problem.value)) < 400


@given(st.text(max_size=40), st.sampled_from([GAME, HOUSE]))
def test_arbitrary_text_is_an_action_or_unusable(text: str, allowed: tuple[Action, ...]) -> None:
    try:
        action = read_action(text, allowed)
    except UnusableReplyError:
        return
    assert str(action).strip()
    assert read_action(str(action), (action, *allowed)) == action
