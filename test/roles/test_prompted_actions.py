"""Actions as models write them."""

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
def test_an_allowed_command_is_known_however_it_is_dressed_up(text: str) -> None:
    assert read_action(text, GAME) == command("go north")


def test_a_command_comes_back_in_the_letters_of_the_world() -> None:
    assert read_action("cook ham with bbq", GAME) == command("cook ham with BBQ")


def test_of_two_commands_that_differ_in_their_case_the_one_that_was_meant_is_taken() -> None:
    both = (command("press A"), command("press a"))

    assert [read_action(str(action), both) for action in both] == list(both)


@pytest.mark.parametrize(
    "text", ["pick(mug_3)", "Pick(Mug_3)", "pick( 'mug_3' )", "`pick(mug_3)`.", 'pick("mug_3")']
)
def test_an_allowed_call_is_known_however_it_is_dressed_up(text: str) -> None:
    assert read_action(text, HOUSE) == Action("pick", ("mug_3",))


def test_a_call_without_arguments() -> None:
    assert read_action("look_around()", HOUSE) == Action("look_around")


def test_a_command_that_may_be_possible_later_is_read_as_it_is() -> None:
    assert read_action(" 'open oak door'. ", GAME) == command("open oak door")


def test_a_call_that_may_be_possible_later_is_read_as_it_is() -> None:
    assert read_action("hand_over(mug_3, the cook)", HOUSE) == Action("hand_over", ("mug_3", "the cook"))


@pytest.mark.parametrize("text", ["pick the mug", "", " . ", "pick(mug_3", "pick(a(b))"])
def test_what_is_no_call_is_unusable_where_actions_are_calls(text: str) -> None:
    with pytest.raises(UnusableReplyError, match="written"):
        read_action(text, HOUSE)


@pytest.mark.parametrize("text", ["", " ", "'.'"])
def test_an_empty_command_is_unusable(text: str) -> None:
    with pytest.raises(UnusableReplyError, match="no action"):
        read_action(text, GAME)


def test_a_refusal_names_what_is_most_like_it() -> None:
    assert similar("take the knife", GAME).startswith("take knife from table")
    assert "'fly' is not possible now; possible: " in not_allowed(command("fly"), GAME)


def test_a_refusal_names_eight_actions_at_most() -> None:
    many = tuple(command(f"go to room {number}") for number in range(40))

    assert similar("go to room", many).count(",") == 7


def test_nothing_is_like_anything_where_nothing_is_allowed() -> None:
    assert similar("go north", ()) == "nothing"


def test_a_refusal_of_an_endless_text_is_short() -> None:
    with pytest.raises(UnusableReplyError) as problem:
        read_action("pick " * 5000, HOUSE)
    assert len(str(problem.value)) < 400


@given(st.text(max_size=40), st.sampled_from([GAME, HOUSE]))
def test_any_text_is_an_action_or_unusable(text: str, allowed: tuple[Action, ...]) -> None:
    try:
        action = read_action(text, allowed)
    except UnusableReplyError:
        return
    assert str(action).strip()
    assert read_action(str(action), (action, *allowed)) == action
