"""Tests of the building blocks for roles that use what is sound of a reply, with a role made for these tests."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.models.chat import ChatReply, Finish
from stma_ros.roles.prompt import Prompt
from stma_ros.roles.runner import PromptedRole
from stma_ros.roles.spec import RoleSpec, UnusableReplyError, Wait
from stma_ros.roles.tolerance import (
    CUT_OFF,
    FURTHER,
    REPAIRED,
    REPEATED,
    BadItemError,
    Counts,
    Faults,
    Tolerance,
    faults_in,
    faults_text,
)
from support.roles.scripted_client import ScriptedClient

REASONS = st.text(st.characters(categories=["L", "Zs"]), min_size=1).map(str.strip).filter(bool)


@dataclass(frozen=True)
class Numbers:
    values: tuple[int, ...]
    faults: Counts = ()


@dataclass(frozen=True)
class NumbersReply:
    values: list[int]


def _number(item: object) -> int:
    if not isinstance(item, int):
        raise BadItemError("no number")
    return item


def _mend(reply: dict[str, Any], question: str, faults: Faults) -> object:
    values = list(faults.sift(reply.get("values"), "values", _number))
    if not values:
        raise UnusableReplyError("has no number")
    return {"values": values}


def _noted(answer: Numbers, faults: Counts) -> Numbers:
    return replace(answer, faults=faults)


STRICT: RoleSpec[str, Numbers, NumbersReply] = RoleSpec(
    name="counter",
    question=str,
    answer=Numbers,
    reply=NumbersReply,
    text=str,
    read=lambda reply, _: Numbers(tuple(reply.values)),
    wait=Wait.PLAN,
)
TOLERANT = replace(STRICT, tolerance=Tolerance(_mend, _noted))


def asking(role: RoleSpec[str, Numbers, NumbersReply], client: ScriptedClient) -> Numbers:
    return PromptedRole(role, client, Prompt(1, 100, 100, 100, "Count.")).answer("how many?")


def test_tolerant_role_uses_sound_items_and_counts_the_others() -> None:
    client = ScriptedClient('{"values": [1, "two", 3, null]}')
    assert asking(TOLERANT, client) == Numbers((1, 3), (("no number", 2),))
    assert client.noted == ["the counter's reply was used in part: 2x no number"]
    assert (len(client.cached), client.rejected) == (1, [])


def test_role_without_tolerance_sends_the_same_reply_back() -> None:
    client = ScriptedClient('{"values": [1, "two"]}', '{"values": [1]}')
    assert asking(STRICT, client) == Numbers((1,))
    assert (len(client.rejected), client.noted) == (1, [])


def test_tolerant_role_takes_a_sound_reply_without_a_note() -> None:
    client = ScriptedClient('{"values": [1]}')
    assert asking(TOLERANT, client) == Numbers((1,))
    assert client.noted == []


def test_tolerant_role_uses_a_cut_off_reply_up_to_the_last_whole_item() -> None:
    client = ScriptedClient(ChatReply('{"values": [1, 2, 34', Finish.LENGTH))
    assert asking(TOLERANT, client) == Numbers((1, 2), ((CUT_OFF, 1),))


@pytest.mark.parametrize(
    ("text", "values", "faults"),
    [
        ('The form is {"values": []}. Now: {"values": [1, 2, 34', (1, 2), ((CUT_OFF, 1), (FURTHER, 1))),
        ('Draft: {"values": [7]}. Final: {"values": [1, 2]}', (1, 2), ((FURTHER, 1),)),
        ('[{"values": [7]}, {"values": [8]}, {"values": [1]}]', (1,), ((FURTHER, 2),)),
        ('```json\n{"values": [1]}\n```\nNot {"values": [7]}.', (1,), ((FURTHER, 1),)),
        ("{\"values\": [1]}\n{'values': [7]}", (1,), ((FURTHER, 1),)),
        ('{"values": [1]}\n{"values": [1]}', (1,), ()),
        ('{"values": [1]}. If there are none: {"values": []}', (1,), ((FURTHER, 1),)),
        ('{"thought": "I count"}\n{"values": [1]}', (1,), ()),
        ('{"values": [1]}. I counted {"from": 1, "to": "the le', (1,), ((FURTHER, 1),)),
        ('{"values": [7], "values": [1]}', (1,), ((REPEATED, 1),)),
        ("{'values': [1]}", (1,), ((REPAIRED, 1),)),
    ],
)
def test_tolerant_role_uses_the_last_reply_of_a_text_and_counts_what_else_it_holds(
    text: str, values: tuple[int, ...], faults: Counts
) -> None:
    assert asking(TOLERANT, ScriptedClient(text)) == Numbers(values, faults)


def test_tolerant_role_sends_a_reply_back_that_is_cut_off_after_a_template() -> None:
    client = ScriptedClient(
        ChatReply('The form is {"values": [7]}. Now: {"val', Finish.LENGTH), '{"values": [1]}'
    )
    assert asking(TOLERANT, client) == Numbers((1,))


@pytest.mark.parametrize(
    ("first", "refused"), [("I count", {}), ('{"values": ["one"]}', {"values": ["one"]})]
)
def test_refused_reply_is_known_to_the_next_one_which_is_not_cached(
    first: str, refused: dict[str, Any]
) -> None:
    seen = []

    def mend(reply: dict[str, Any], question: str, faults: Faults) -> object:
        seen.append(faults.refused)
        return _mend(reply, question, faults)

    client = ScriptedClient(first, '{"values": [1]}')
    asking(replace(STRICT, tolerance=Tolerance(mend, _noted)), client)
    assert seen[-1] == refused
    assert seen[:-1] == [None] * bool(refused)
    assert client.cached == []


def test_tolerant_role_takes_a_whole_reply_at_the_limit_of_tokens() -> None:
    client = ScriptedClient(ChatReply('{"values": [1, 2]} and so on', Finish.LENGTH))
    assert asking(TOLERANT, client) == Numbers((1, 2))


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (ChatReply('{"values": [', Finish.LENGTH), "was cut off after 100 tokens, and .* has no number"),
        (ChatReply("I count", Finish.LENGTH), "was cut off after 100 tokens"),
        (ChatReply("I count"), "holds no JSON object"),
        (ChatReply('{"values": ["one"]}'), "the counter's reply has no number"),
    ],
)
def test_tolerant_role_sends_a_useless_reply_back_once(reply: ChatReply, problem: str) -> None:
    client = ScriptedClient(reply, reply)
    with pytest.raises(UnusableReplyError, match=problem):
        asking(TOLERANT, client)
    assert len(client.requests) == len(client.rejected) == 2


def test_mended_reply_is_still_validated_against_the_form() -> None:
    def unsound(reply: dict[str, Any], question: str, faults: Faults) -> object:
        return {"values": "one"}

    client = ScriptedClient('{"values": [1]}', '{"values": [1]}')
    with pytest.raises(UnusableReplyError, match="is not as asked for: values"):
        asking(replace(STRICT, tolerance=Tolerance(unsound, _noted)), client)


@pytest.mark.parametrize(("items", "counts"), [(None, ()), ({}, (("values: not a list", 1),))])
def test_missing_list_is_no_fault_and_another_value_is_one(items: object, counts: Counts) -> None:
    faults = Faults()
    assert list(faults.sift(items, "values", _number)) == []
    assert faults.counts == counts


@given(st.dictionaries(REASONS, st.integers(1, 10**6), min_size=1))
def test_counts_of_faults_can_be_read_from_their_text(counts: dict[str, int]) -> None:
    assert faults_in(faults_text(tuple(counts.items()))) == Counter(counts)


@pytest.mark.parametrize("text", ["", "the model did not answer; no server listens", "2 things", "x", "2x "])
def test_other_texts_hold_no_counts_of_faults(text: str) -> None:
    assert faults_in(text) == Counter()
