"""The grammar of find tasks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.roles.symbolic.language import Goal, parse_goal
from stma_ros.types.errors import TaskNotUnderstoodError

MUG = Goal("mug")
PARAPHRASES = {
    "find mug": MUG,
    "find the mug": MUG,
    "Find the mug.": MUG,
    "FIND A MUG!": MUG,
    "  find   the  mug  ": MUG,
    "find me a mug": MUG,
    "please find my mug": MUG,
    "Please, find the mug, please.": MUG,
    "find the mug for me": MUG,
    "find the mug for me, thanks": MUG,
    "find some mugs": MUG,
    "find any of": None,
    "locate the mug": MUG,
    "search for the mug": MUG,
    "search the mug": None,
    "look for a mug": MUG,
    "look around for a mug": MUG,
    "go and look for the mug": MUG,
    "go find the mug": MUG,
    "hunt for the mug": MUG,
    "track down our mug": MUG,
    "where is the mug?": MUG,
    "Where's my mug": MUG,
    "where are the mugs?": MUG,
    "where\u2019s the mug?": MUG,
    "can you find the mug?": MUG,
    "Could you please find the mug for me?": MUG,
    "would you help me find the mug": MUG,
    "can you tell me where the mug is?": MUG,
    "do you know where my mug is": MUG,
    "tell me where the mug is": MUG,
    "show me where the mug is": MUG,
    "find out where the mug is": MUG,
    "I can't find my mug": MUG,
    "I cannot find the mug anywhere": MUG,
    "I have lost my mug": MUG,
    "I've lost my mug.": MUG,
    "I'm looking for the mug": MUG,
    "I need to find the mug": MUG,
    "I need you to find the mug": MUG,
    "where can I find a mug?": MUG,
    "where did I put my mug?": MUG,
    "where could the mug be?": MUG,
    "have you seen my mug?": MUG,
    "is there a mug somewhere?": MUG,
    "in which room is the mug?": MUG,
    "which room is the mug in?": MUG,
    "my mug is missing": MUG,
    "hey robot, where is the mug?": MUG,
    "find the mug in the flat": MUG,
    "find the mug that I left somewhere": MUG,
    "find the mug that I left in the kitchen": Goal("mug", (), "kitchen"),
    "find the book I was reading": Goal("book"),
    "find the mug because I need it": MUG,
    "find 1 mug": MUG,
    "find one of my mugs": MUG,
    "find any of my mugs": MUG,
    "find the mug that is missing": MUG,
    "find the red mug": Goal("mug", ("red",)),
    "find the mug that is red": Goal("mug", ("red",)),
    "find the mug that's red, please": Goal("mug", ("red",)),
    "find the mug in red": Goal("mug", ("red",)),
    "find a blue-coloured mug that is on the table": Goal("mug", ("blue",), "table"),
    "find the mug close to the sink": Goal("mug", (), "sink"),
    "where is the small dark blue mug": Goal("mug", ("blue",)),
    "find a gray mug": Goal("mug", ("grey",)),
    "find the mug in the kitchen": Goal("mug", (), "kitchen"),
    "is there a mug in the lounge?": Goal("mug", (), "living room"),
    "where is the green book on the coffee table?": Goal("book", ("green",), "coffee table"),
    "find the book that is on the bedside table please": Goal("book", (), "nightstand"),
    "find the orange": Goal("orange"),
    "find the orange bowl": Goal("bowl", ("orange",)),
    "find the TV remote": Goal("remote"),
    "where is the remote control?": Goal("remote"),
    "find the coffee mug": MUG,
    "find the cup": Goal("cup"),
    "find the couch": Goal("sofa"),
    "find the lighter": Goal("lighter"),
    "find the first aid kit": Goal("first aid kit"),
    "locate the refrigerator": Goal("fridge"),
    "look for the bottle of water": Goal("water bottle"),
    "find a pair of scissors": Goal("scissors"),
    "where are my keys?": Goal("key"),
    "where are the reading glasses": Goal("glasses"),
    "find the alarm clock": Goal("clock"),
    "find the washing machine": Goal("washing machine"),
    "find the tv_remote": Goal("remote"),
    "find the didgeridoo": Goal("didgeridoo"),
    "find the left-handed spirit level": Goal("left-handed spirit level"),
}


@pytest.mark.parametrize("text", [text for text, goal in PARAPHRASES.items() if goal is not None])
def test_paraphrases(text: str) -> None:
    assert parse_goal(text) == PARAPHRASES[text]


@pytest.mark.parametrize(
    "text",
    [
        *(text for text, goal in PARAPHRASES.items() if goal is None),
        "",
        "?",
        "mug",
        "find",
        "find the",
        "find it",
        "find something",
        "bring me the mug",
        "put the mug in the sink",
        "find the mug and bring it to me",
        "find the mug, then put it in the sink",
        "find the mug or the cup",
        "find all mugs",
        "how many mugs are there?",
        # Each is a request for one thing, with something in it that must not be passed over.
        "find the mug that is not red",
        "find the mug that isn\u2019t red",
        "find the non-red mug",
        "find the mug but not the red one",
        "find the mug, not the red one",
        "find the mug except the red one",
        "find a mug neither red nor blue",
        "find no mug",
        "find the mug that I did not wash",
        "find the mug with the blue handle",
        "find the mug without a handle",
        "find the mug that has a handle",
        "find the mug that I painted red",
        "find the mug painted red",
        "find the mug which was red",
        "find the toy that looks like a car",
        "find a book to read",
        "find 2 mugs",
        "find three mugs",
        "find the two red mugs",
        "find a dozen eggs",
        "find a couple of mugs",
        "find a few mugs",
        "find anything red",
        "find something red",
        "find everything red",
        "find a red thing",
        "find the red one",
        "find the red ones",
        "find the one that is red",
        "find the red",
        "find red",
        "find the sock on the red",
        "find the mug near the red one",
        "find the other mug",
        "find the biggest mug",
        "find the third mug",
        "find the mug on the left",
        "find a mug bigger than a cup",
        "find the red/blue mug",
        "find the mug that is red or blue",
        "where are you",
        "dance",
        "open the fridge",
        "find " + "very " * 30 + "long mug",
    ],
)
def test_what_is_not_understood_says_what_would_be(text: str) -> None:
    with pytest.raises(TaskNotUnderstoodError, match="find the red mug"):
        parse_goal(text)


@given(st.text(max_size=60) | st.builds("find the {}".format, st.text(max_size=30)))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        goal = parse_goal(text)
    except TaskNotUnderstoodError:
        return
    assert goal.category == goal.category.strip() != ""


@given(st.sampled_from(["mug", "remote", "water bottle", "didgeridoo"]), st.sampled_from(["", "red", "blue"]))
def test_a_goal_said_again_is_the_same_goal(noun: str, colour: str) -> None:
    goal = parse_goal(f"find the {colour} {noun}")
    assert parse_goal(f"where is the {goal}?") == goal
