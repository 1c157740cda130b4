"""Tests of finding and repairing the JSON object in the text of a model."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stma_ros.models.json_text import JsonObjects, read_all_json, read_json, read_unfinished_json

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
def test_read_json_never_raises_for_any_text(text: str) -> None:
    found = read_json(text)
    assert found is None or isinstance(found, dict)


@given(OBJECTS, PROSE, PROSE, st.booleans(), st.sampled_from([None, 2]))
def test_read_json_finds_an_object_within_any_prose(
    value: dict[str, Any], before: str, after: str, ascii_only: bool, indent: int | None
) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    assert read_json(f"{before} {text} {after}") == value


@given(OBJECTS, PROSE, PROSE, st.sampled_from(["json", "JSON", "", "json  "]))
def test_read_json_finds_an_object_within_fences(
    value: dict[str, Any], before: str, after: str, mark: str
) -> None:
    assert read_json(f"{before}\n```{mark}\n{json.dumps(value)}\n```\n{after}") == value


@given(OBJECTS, st.data())
def test_read_json_never_raises_for_a_truncated_object(value: dict[str, Any], data: st.DataObject) -> None:
    text = json.dumps(value)
    found = read_json(text[: data.draw(st.integers(0, len(text) - 1))])
    assert found is None or isinstance(found, dict)


def test_read_json_prefers_a_fenced_object() -> None:
    assert read_json('First {"a": 1}.\n```json\n{"a": 2}\n```\nNot {"a": 3}.') == {"a": 2}


def test_read_json_prefers_the_first_object_that_is_not_empty() -> None:
    assert read_json('Not {}, but {"a": 1}, or {"a": 2}.') == {"a": 1}


@pytest.mark.parametrize(
    ("text", "value"),
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
def test_read_json_repairs_a_nearly_valid_object(text: str, value: Mapping[str, Any]) -> None:
    found = read_json(text)
    assert found is not None
    assert {key: found[key] for key in value} == value


@pytest.mark.parametrize(
    "text",
    [
        '{"facts": [{"subject": "knife", "step": 1}], "seen_whole": [{"room": "kitch',
        '{\'facts\': [{"subject": "knife", "step": 1}]}',
        '{facts: [{"subject": "knife", "step": 1}],}',
    ],
)
def test_read_json_does_not_take_a_part_of_a_broken_object_for_the_whole(text: str) -> None:
    found = read_json(text)
    assert found is not None
    assert found["facts"] == [{"subject": "knife", "step": 1}]


@pytest.mark.parametrize("text", ["", "none", "17", "[1, 2]", '"{"', "true", "I would go east.", "{", "}{"])
def test_read_json_returns_none_when_there_is_no_object(text: str) -> None:
    assert read_json(text) is None


def test_read_json_returns_an_empty_object() -> None:
    assert read_json("```json\n{}\n```") == {}


def test_read_json_takes_the_last_value_of_a_repeated_key() -> None:
    assert read_json('{"a": 1, "a": 2}') == {"a": 2}


def test_read_json_reads_nan_and_infinity() -> None:
    found = read_json('{"a": NaN, "b": Infinity, "c": -1e999}')
    assert found is not None
    assert math.isnan(found["a"])
    assert (found["b"], found["c"]) == (math.inf, -math.inf)


def test_read_json_preserves_unicode_line_separators() -> None:
    assert read_json('{"a": "one\u2028two\x85three"}') == {"a": "one\u2028two\x85three"}


@pytest.mark.parametrize(
    "text", ['{"a\\ud83d": "x\\udc00y"}', '{"a\ud83d": "x\udc00y"}', "{'a\ud83d': 'x\udc00y'}"]
)
def test_read_json_replaces_a_lone_surrogate_by_a_question_mark(text: str) -> None:
    assert read_json(text) == {"a?": "x?y"}


def test_read_json_joins_a_surrogate_pair() -> None:
    assert read_json('{"a": "\\ud83d\\ude00"}') == {"a": "\U0001f600"}


@pytest.mark.parametrize(
    ("text", "complete"),
    [
        ('{"things": [{"box": [1, 20]}, {"box": [3, 4', {"things": [{"box": [1, 20]}]}),
        ('{"things": [{"box": [1, 20]}, {"box": [3, 40], "states": [', {"things": [{"box": [1, 20]}]}),
        ('{"things": [{"box": [1, 20]}', {"things": [{"box": [1, 20]}]}),
        ('{"things": [{"name": "a \\"}, b"}, {"na', {"things": [{"name": 'a "}, b'}]}),
        ('{"things": [], "rooms": ["kitchen", "ha', {"things": [], "rooms": ["kitchen"]}),
        ('{"at": {"room": "kitchen", "near": ["so', {"at": {"room": "kitchen", "near": []}}),
        ('Here:\n```json\n{"a": 1, "b": 2', {"a": 1}),
        ("{'a': 1, 'b': [1, 2], 'c': 'x", {"a": 1, "b": [1, 2]}),
        ('{"a": 1', {}),
        ('{"a": 1} and {"b": 2, "c": 3', {"b": 2}),
        ('```json\n{"a": 1}\n```\nand {"b": 2', {}),
        ('The form is {"a": []}. Now:\n```json\n{"a": [1, 2', {"a": [1]}),
    ],
)
def test_read_unfinished_json_leaves_out_what_lacks_its_end(text: str, complete: Mapping[str, Any]) -> None:
    assert read_unfinished_json(text) == complete


@pytest.mark.parametrize(
    "text",
    [
        "",
        "none",
        "[1, 2",
        '{"a": 1}',
        '{"a": 1} and {b, c',
        '{"a": 1} and {"b": 2}',
        "{'a': 1}",
        '{"a": [1, 2}',
        '{"a": [1], "b": 2]',
    ],
)
def test_read_unfinished_json_returns_none_when_no_object_is_unfinished(text: str) -> None:
    assert read_unfinished_json(text) is None


@given(OBJECTS, st.floats(0, 1, exclude_max=True))
@example({"said": [{":}": 1}], "next": {"a": {"b": 1}}}, 0.99)
@example({"a𧀂": 1, "said": {"to": "[,\\"}}, 0.91)  # ends after a backslash
def test_read_unfinished_json_gives_values_of_the_whole_object(value: dict[str, Any], share: float) -> None:
    text = json.dumps(value)
    found = read_unfinished_json(text[: int(share * len(text))])
    complete = [name for name in found or {} if not isinstance(value[name], list | dict)]
    assert {name: (found or {})[name] for name in complete} == {name: value[name] for name in complete}


@given(st.text() | st.text(st.characters()) | st.lists(PIECES, max_size=60).map("".join))
def test_read_unfinished_json_never_raises_for_any_text(text: str) -> None:
    found = read_unfinished_json(text)
    assert found is None or isinstance(found, dict)


@given(OBJECTS, PROSE, PROSE)
def test_read_all_json_finds_nothing_else_in_prose_around_an_object(
    value: dict[str, Any], before: str, after: str
) -> None:
    found = read_all_json(f"{before} {json.dumps(value)} {after}")
    assert [item for item in found.whole if item] == [value]
    assert found.unfinished is None
    assert not found.repeats_keys
    assert found.has_more == ("{reasoning:" in before + after)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("none", JsonObjects()),
        ('{"a": 1} {"b": 2}', JsonObjects(({"a": 1}, {"b": 2}))),
        ('[{"a": 1}, {"b": 2}]', JsonObjects(({"a": 1}, {"b": 2}))),
        ('```json\n{"b": 2}\n```\n{"a": 1}', JsonObjects(({"a": 1}, {"b": 2}))),
        ('{"a": 1} {"b": [2, 3', JsonObjects(({"a": 1},), {"b": [2]}, has_more=True)),
        ("{\"a\": 1} {'b': 2}", JsonObjects(({"a": 1},), has_more=True)),
        ("{'b': 2} {\"a\": 1}", JsonObjects(({"a": 1},), has_more=True)),
        ("{'b': 2}", JsonObjects(repaired={"b": 2})),
        ('{"a": 1, "a": 2}', JsonObjects(({"a": 2},), repeats_keys=True)),
        ('{"a": [{"b": 1, "b": 1}]}', JsonObjects(({"a": [{"b": 1}]},), repeats_keys=True)),
        ('{"a": 1}' + " " * 100_000, JsonObjects(({"a": 1},), has_more=True)),
    ],
)
def test_read_all_json_tells_whole_unfinished_and_malformed_objects(text: str, found: JsonObjects) -> None:
    assert read_all_json(text) == found


@given(st.text() | st.text(st.characters()) | st.lists(PIECES, max_size=60).map("".join))
def test_read_all_json_never_raises_for_any_text(text: str) -> None:
    assert isinstance(read_all_json(text), JsonObjects)


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
def test_read_json_is_fast_for_hostile_texts(piece: str, start: str, length: int) -> None:
    text = start + piece * (length // len(piece))
    for read in (read_json, read_unfinished_json):
        found = read(text)
        assert found is None or isinstance(found, dict)
    assert isinstance(read_all_json(text), JsonObjects)


def test_read_json_reads_deep_nesting_up_to_a_limit() -> None:
    deep = '{"a":' * 500 + "1" + "}" * 500
    assert read_json(deep) == json.loads(deep)
    assert read_json('{"a":' * 50_000 + "1" + "}" * 50_000) is None
