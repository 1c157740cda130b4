"""Tests of experiences as JSON values."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.storage.codec import CodecError
from stma_ros.storage.experiences.document import FORMAT, decode_experience, encode_experience
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.evidence import EvidenceSource
from stma_ros.types.experience import Experience, ReasonedStep
from stma_ros.types.planning import Action, Result, TaskStatus
from stma_ros.types.scene_graph import Relation
from stma_ros.types.standard import Time
from support.experiences.made import made

_texts = st.text(max_size=12)
_shares = st.floats(0, 1, width=32)
_times = st.integers(0, (2**31 - 1) * 10**9).map(Time.from_nanoseconds)
_facts = st.builds(
    Relation,
    _texts,
    _texts,
    _texts,
    source=st.sampled_from(EvidenceSource),
    confidence=_shares,
    first_seen=_times,
    last_seen=_times,
)
_steps = st.builds(
    ReasonedStep,
    graph=st.lists(_facts, max_size=4).map(tuple),
    rationale=_texts,
    action=st.builds(Action, _texts, st.lists(_texts, max_size=2).map(tuple)),
    result=st.sampled_from(Result),
    error=st.builds(Error, st.sampled_from(ErrorCode), _texts),
    score=_shares | st.just(math.nan),
    justification=_texts,
)
_experiences = st.builds(
    Experience,
    id=_texts,
    domain=_texts,
    task=_texts,
    robot=_texts,
    home=_texts,
    stamp=_times,
    status=st.sampled_from(TaskStatus),
    steps=st.lists(_steps, max_size=3).map(tuple),
    surroundings=st.lists(_facts, max_size=3).map(tuple),
    score=_shares,
    justification=_texts,
    occurrences=st.integers(1, 2**32 - 1),
)


@given(_experiences)
def test_experience_is_the_same_after_its_way_through_json(experience: Experience) -> None:
    text = json.dumps(encode_experience(experience), allow_nan=False)
    assert decode_experience(json.loads(text)) == experience


def test_fact_that_several_steps_know_is_written_once() -> None:
    step = made().steps[0]
    document = encode_experience(made(steps=(step, replace(step, rationale="Again."))))
    assert len(document["facts"]) == 3
    assert [each["graph"] for each in document["steps"]] == [[0, 1, 2], [0, 1, 2]]


def test_document_without_surroundings_is_that_of_an_earlier_release() -> None:
    document = encode_experience(made())
    del document["surroundings"]
    assert decode_experience(document) == made()


def test_document_of_another_version_is_refused_by_its_number() -> None:
    document = encode_experience(made())
    newer = {
        name: FORMAT + 1 if value == FORMAT and "experience" in name else value
        for name, value in document.items()
    }
    with pytest.raises(CodecError, match=f"version {FORMAT + 1}"):
        decode_experience(newer)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("task", 3),
        ("score", "high"),
        ("status", 99),
        ("occurrences", -1),
        ("stamp", "now"),
        ("steps", [{}]),
        ("steps", None),
        ("facts", [["mug"]]),
        ("facts", []),
    ],
)
def test_document_with_an_impossible_value_is_refused(name: str, value: object) -> None:
    with pytest.raises(CodecError):
        decode_experience({**encode_experience(made()), name: value})


@pytest.mark.parametrize("document", [None, [], "experience", {}, {"task": "put the mug away"}])
def test_other_values_are_no_experience(document: object) -> None:
    with pytest.raises(CodecError, match="no experience"):
        decode_experience(document)
