"""The JSON object in what a model wrote: found in any prose, repaired where that can be done, and never an error."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stma_ros.models.json_text import read_json

NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.text(), VALUES, min_size=1, max_size=5)
PIECES = (
    st.sampled_from(list("{}[]\"':,.a1-e\\#()“”_\u2028\n \x00"))
    | st.sampled_from(
        ["key", "true", "null", "NaN", "\\u", "\\ud800", "//", "/*", "*/", "1e999", "...", "9" * 40]
    )
    | st.sampled_from(["```", "```json\n"])
)
PROSE = st.lists(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="{}`"))
    | st.sampled_from(
        [
            "A fact is {subject, predicate, object}.",
            "An empty one is {}.",
            "The form is {reasoning: ..., actions: [...]}, as you say.",
            "That was bad :-{ but now:",
            "So } there,",
            'He said "so", and it\'s true.',
            "```\nls\n```\n",
            "\u2028",
        ]
    ),
    max_size=4,
).map(" ".join)


@given(st.text() | st.text(st.characters()) | st.lists(PIECES, max_size=60).map("".join))
@example("}\n{1e999 \\ud800\\ukeyset\\ud800Infinity```1:{```json\nInfinitynull+“0xInfinity'0x\u2028:...“")
def test_no_text_is_an_error(text: str) -> None:
    found = read_json(text)
    assert found is None or isinstance(found, dict)


@given(OBJECTS, PROSE, PROSE, st.booleans(), st.sampled_from([None, 2]))
def test_an_object_survives_any_prose_around_it(
    told: dict[str, Any], before: str, after: str, ascii_only: bool, indent: int | None
) -> None:
    text = json.dumps(told, ensure_ascii=ascii_only, indent=indent)
    assert read_json(f"{before} {text} {after}") == told


@given(OBJECTS, PROSE, PROSE, st.sampled_from(["json", "JSON", "", "json  "]))
def test_an_object_survives_fences(told: dict[str, Any], before: str, after: str, mark: str) -> None:
    assert read_json(f"{before}\n```{mark}\n{json.dumps(told)}\n```\n{after}") == told


@given(OBJECTS, st.data())
def test_what_is_cut_off_is_no_error(told: dict[str, Any], data: st.DataObject) -> None:
    text = json.dumps(told)
    found = read_json(text[: data.draw(st.integers(0, len(text) - 1))])
    assert found is None or isinstance(found, dict)


def test_of_several_objects_the_fenced_one_counts() -> None:
    assert read_json('First {"a": 1}.\n```json\n{"a": 2}\n```\nNot {"a": 3}.') == {"a": 2}


def test_of_several_objects_the_first_with_anything_in_it_counts() -> None:
    assert read_json('Not {}, but {"a": 1}, or {"a": 2}.') == {"a": 1}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"reasoning": "I go", "actions": ["go east", "take kni', {"reasoning": "I go"}),
        ("{'subgoal': 'cook', 'actions': ['go east']}", {"subgoal": "cook", "actions": ["go east"]}),
        ('{"subgoal": "cook", "actions": ["go east",],}', {"subgoal": "cook", "actions": ["go east"]}),
        ('{subgoal: "cook"}', {"subgoal": "cook"}),
        ('{"subgoal": "cook" "actions": []}', {"subgoal": "cook", "actions": []}),
        ('Here:\n```json\n{"subgoal": "cook"', {"subgoal": "cook"}),
        ('[{"subgoal": "cook"}]', {"subgoal": "cook"}),
    ],
)
def test_what_is_nearly_an_object_is_repaired(text: str, told: Mapping[str, Any]) -> None:
    found = read_json(text)
    assert found is not None
    assert {key: found[key] for key in told} == told


@pytest.mark.parametrize(
    "text",
    [
        '{"facts": [{"subject": "knife", "step": 1}], "seen_whole": [{"room": "kitch',
        '{\'facts\': [{"subject": "knife", "step": 1}]}',
        '{facts: [{"subject": "knife", "step": 1}],}',
    ],
)
def test_a_part_of_a_broken_object_does_not_pass_for_the_whole(text: str) -> None:
    found = read_json(text)
    assert found is not None
    assert found["facts"] == [{"subject": "knife", "step": 1}]


@pytest.mark.parametrize("text", ["", "none", "17", "[1, 2]", '"{"', "true", "I would go east.", "{", "}{"])
def test_where_there_is_no_object_there_is_none(text: str) -> None:
    assert read_json(text) is None


def test_an_empty_object_is_one() -> None:
    assert read_json("```json\n{}\n```") == {}


def test_the_last_of_the_values_of_one_key_counts() -> None:
    assert read_json('{"a": 1, "a": 2}') == {"a": 2}


def test_what_is_no_number_stays_none() -> None:
    found = read_json('{"a": NaN, "b": Infinity, "c": -1e999}')
    assert found is not None
    assert math.isnan(found["a"])
    assert (found["b"], found["c"]) == (math.inf, -math.inf)


def test_separators_of_lines_are_letters_like_others() -> None:
    assert read_json('{"a": "one\u2028two\x85three"}') == {"a": "one\u2028two\x85three"}


@pytest.mark.parametrize(
    "text", ['{"a\\ud83d": "x\\udc00y"}', '{"a\ud83d": "x\udc00y"}', "{'a\ud83d': 'x\udc00y'}"]
)
def test_half_a_letter_is_a_question_mark_as_no_message_can_carry_it(text: str) -> None:
    assert read_json(text) == {"a?": "x?y"}


def test_two_halves_are_a_letter() -> None:
    assert read_json('{"a": "\\ud83d\\ude00"}') == {"a": "\U0001f600"}


HOSTILE = [
    "{",
    "[",
    '{"a":',
    "{a:",
    '{"',
    '{"}',
    "{'",
    '"',
    "\\",
    "\n",
    "a:",
    "word ",
    '"x"y ',
    "1,",
    "/*",
    "I {think} ",
]


@pytest.mark.timeout(60)
@pytest.mark.parametrize("length", [29_000, 1_000_000])
@pytest.mark.parametrize("start", ["", '{"a":', "{```json\n", '{"a": "', "{[{[{["])
@pytest.mark.parametrize("piece", HOSTILE)
def test_no_text_takes_long(piece: str, start: str, length: int) -> None:
    found = read_json(start + piece * (length // len(piece)))
    assert found is None or isinstance(found, dict)


def test_what_is_nested_deeper_than_any_reply_is_read_or_left() -> None:
    deep = '{"a":' * 500 + "1" + "}" * 500
    assert read_json(deep) == json.loads(deep)
    assert read_json('{"a":' * 50_000 + "1" + "}" * 50_000) is None
