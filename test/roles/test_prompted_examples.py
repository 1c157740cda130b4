"""Tests of the example questions with which a model is checked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

import pytest

from stma_ros.domains.examples import Example, examples
from stma_ros.models.chat import ChatRequest
from stma_ros.roles.registry import ROLE_NAMES
from stma_ros.roles.spec import UnusableReplyError
from stma_ros.types.prompt_length import count_tokens
from support.roles.scripted_client import ScriptedClient

EXAMPLES = tuple(examples())

REPLIES: Mapping[str, object] = {
    "# Summariser": {
        "goals": ["slice the carrot"],
        "notes": [{"step": 2, "note": "It is a kitchen."}, {"step": 3, "note": "The recipe was read."}],
        "instructions": [],
        "progress": "",
        "suggestions": [],
    },
    "# Relation retriever": {"facts": [], "seen_whole": [{"room": "kitchen", "step": 3}]},
    "# Relation aggregator": {
        "description": "x",
        "facts": [],
        "ways": [{"to": "pantry", "commands": ["go north"]}],
    },
    "# Task parser of a household robot": {
        "reasoning": "",
        "problem": "none",
        "goals": [
            {
                "kind": "place",
                "what": [{"category": "book", "colours": ["green"], "size": "", "relation": "", "id": ""}],
                "count": 1,
                "another": False,
                "together": 0,
                "apart": [],
                "each": False,
                "beside": False,
                "relation": "in",
                "destination": [
                    {"category": "cupboard", "colours": [], "size": "", "relation": "", "id": ""}
                ],
                "state": "",
                "question": "",
            }
        ],
    },
    "# Planner of a text game": {
        "reasoning": "",
        "subgoal": "take the knife",
        "actions": ["take knife from table", "slice carrot with knife"],
        "failure": "none",
    },
    "# Planner of a household robot": {
        "reasoning": "",
        "subgoal": "take the book",
        "actions": ["pick(book_2)", "navigate(cupboard_1)"],
        "failure": "none",
    },
    "# Policy of a household robot": {
        "reasoning": "book_2 is green and within reach.",
        "subgoal": "",
        "action": "pick(book_2)",
        "failure": "none",
    },
    "# Thinker of a household robot": {
        "rationale": "book_2 is green and within reach.",
        "justification": "It has to be in the hand before it can be put into cupboard_1.",
        "subgoal": "put book_2 into cupboard_1",
        "action": "pick(book_2)",
        "failure": "none",
    },
    "# Judge of a household robot": {
        "steps": [{"justification": "It serves the task.", "score": 10}] * 5,
        "whole": {"justification": "The book is in the cupboard.", "score": 10},
    },
    "# Observation summariser of a household robot": {
        "observation": "The robot is at table_1. pick(book_2) failed: the grip slipped.",
        "state": "not_met",
        "reason": "pick(book_2) failed.",
    },
    "# Critic of a text game": {"reason": "", "criterion": "none", "verdict": "accept"},
    "# Critic of a household robot": {"reason": "It is red.", "criterion": "alignment", "verdict": "reject"},
    "# Summariser of household activities": {
        "goals": ["drink"],
        "notes": [{"step": 1, "note": "Step 1, kitchen_1: glass_1 (clean) on table_1; table_1"}],
        "instructions": [],
        "progress": "",
        "suggestions": [],
    },
    "# Relation retriever of household activities": {"facts": [], "seen_whole": []},
    "# Relation aggregator of household activities": {
        "description": "x",
        "facts": [{"subject": "glass_1", "predicate": "is a", "object": "glass"}],
        "ways": [],
    },
    "# Thinker of household activities": {
        "rationale": "No milk was seen so far.",
        "justification": "fridge_1 may hold it.",
        "subgoal": "find milk",
        "action": "walk to fridge_1",
        "failure": "none",
    },
    "# Judge of household activities": {
        "steps": [{"justification": "It serves the task.", "score": 10}] * 3,
        "whole": {"justification": "Nothing was poured.", "score": 3},
    },
    "# Reflector": {"lesson": "Be quick."},
    "# Policy of a text adventure": {
        "reasoning": "The hatch is locked.",
        "subgoal": "search the library",
        "action": "east",
        "failure": "none",
    },
    "# Observation summariser of a text adventure": {
        "observation": "East of the Great Hall is the Library. The diary was taken.",
        "state": "met",
        "reason": "",
    },
    "# Policy of a planning task": {
        "reasoning": "lamp2 is here.",
        "subgoal": "",
        "action": "light lamp2 in attic",
        "failure": "none",
    },
    "# Observation summariser of a planning task": {
        "observation": "Nothing else changed.",
        "state": "met",
        "reason": "",
    },
    "# Scene graph expert": {
        "position": {"room": "", "near": []},
        "objects": [{"label": "block 1", "name": "block", "box": [409, 437, 591, 688], "states": []}],
        "rooms": [],
        "relationships": [],
    },
    "# Snapshot manager": {
        "reasoning": "The wall tells nothing.",
        "seen": "On the brown table is a red block.",
        "keep": [1, 2],
    },
    "# Category filter": {"reasoning": "The block lies on a table.", "categories": ["block", "table"]},
    "# Frontier manager": {"reasoning": "Frontier 1 is a bare wall.", "keep": [0]},
    "# Answerer": {
        "reasoning": "The block is red.",
        "answer": "red",
        "evidence": [1],
        "sure": True,
        "closer": [],
    },
    "# Exploration planner": {
        "reasoning": "The block was found.",
        "checklist": "<update-checklist>\n<branches>\n[x] Find the block <!-- it is on the table -->\n"
        "</branches>\n</update-checklist>",
    },
    "# Frontier chooser": {"reasoning": "The table is there.", "frontier": 1},
    "# Recorder": {"entry": "A block is on the brown table. The dark room is still open."},
}
"""Good replies by the title of the prompt."""


def test_every_role_has_an_example() -> None:
    assert {example.role.name for example in EXAMPLES} == {*ROLE_NAMES}


def test_every_prompt_has_an_example() -> None:
    titles = []
    for example in EXAMPLES:
        client = ScriptedClient(answer=_good)
        example.ask(client)
        titles.append(_title(client.requests[0]))
    assert sorted(titles) == sorted(REPLIES)
    package = Path(str(files("stma_ros")))
    # The prompt of the judge, in evaluation, is no role's of an agent.
    prompts = [path for part in ("roles", "domains") for path in (package / part).glob("**/prompts/*.md")]
    assert len(REPLIES) == len(prompts)


def test_examples_of_one_role_have_different_names() -> None:
    names = [example.name for example in EXAMPLES]
    assert len(set(names)) == len(names)
    assert {"relation retriever (programs)", "planner (household)", "planner (cooking)"} <= set(names)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_good_reply_to_an_example_is_an_answer(example: Example) -> None:
    client = ScriptedClient(answer=_good)

    assert example.ask(client) is not None
    assert len(client.requests) == 1


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_example_is_short_and_not_part_of_the_prompt(example: Example) -> None:
    client = ScriptedClient(answer=_good)

    example.ask(client)

    instructions, question = (message.text for message in client.requests[0].messages)
    assert count_tokens(question) < 1000
    assert not set(question.split("\n\n")) & set(instructions.split("\n\n"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_example_is_not_answered_by_rules(example: Example) -> None:
    with pytest.raises(UnusableReplyError):
        example.ask(ScriptedClient("no", "no"))


def _good(request: ChatRequest) -> str:
    return json.dumps(REPLIES[_title(request)])


def _title(request: ChatRequest) -> str:
    """Returns the title of the prompt in a request."""
    return request.messages[0].text.splitlines()[0]
