"""Converts experiences to JSON values and back.

The scene graphs of the steps of a task have most facts in common: each fact is written once, and a step names its facts
by number.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

from stma_ros.storage.codec import CodecError
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.evidence import EvidenceSource
from stma_ros.types.experience import Experience, ReasonedStep
from stma_ros.types.planning import Action, Result, TaskStatus
from stma_ros.types.scene_graph import Relation
from stma_ros.types.standard import Time

FORMAT = 1
"""Version of the values below."""

_FORMAT = "stma_ros experience"

Document = dict[str, Any]


class Course(NamedTuple):
    """What was known and done in the course of a task."""

    steps: tuple[ReasonedStep, ...]
    surroundings: tuple[Relation, ...]


def encode_course(experience: Experience) -> Document:
    """Returns what was known and done as JSON values: {"facts": [...], "steps": [...], "surroundings": [...]}."""
    numbers: dict[tuple[Any, ...], int] = {}  # by the values, which are compared faster than messages

    def number(graph: tuple[Relation, ...]) -> list[int]:
        return [numbers.setdefault(_encode_fact(fact), len(numbers)) for fact in graph]

    encoded = [
        {
            "graph": number(step.graph),
            "rationale": step.rationale,
            "action": [step.action.skill, *step.action.arguments],
            "result": step.result.value,
            "error": [step.error.code.value, step.error.text],
            "score": None if math.isnan(step.score) else step.score,
            "justification": step.justification,
        }
        for step in experience.steps
    ]
    surroundings = number(experience.surroundings)
    return {"facts": [list(fact) for fact in numbers], "steps": encoded, "surroundings": surroundings}


def decode_course(document: Mapping[str, Any]) -> Course:
    """Returns what `encode_course` was given; documents of earlier releases have no surroundings.

    Raises:
        CodecError: The values are not those of steps.
    """
    try:
        time = cache(Time.from_nanoseconds)  # most facts are of the times of a few steps
        facts = [_decode_fact(fact, time) for fact in document["facts"]]
        return Course(
            tuple(_decode_step(step, facts) for step in document["steps"]),
            _chosen(facts, document.get("surroundings", [])),
        )
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise CodecError(f"these are no steps of a task: {type(error).__name__}: {error}") from error


def encode_experience(experience: Experience) -> Document:
    """Returns an experience as JSON values, with the version of their format."""
    return {
        _FORMAT: FORMAT,
        "id": experience.id,
        "domain": experience.domain,
        "task": experience.task,
        "robot": experience.robot,
        "home": experience.home,
        "stamp": experience.stamp.nanoseconds,
        "status": experience.status.value,
        "score": experience.score,
        "justification": experience.justification,
        "occurrences": experience.occurrences,
        **encode_course(experience),
    }


def decode_experience(document: Any) -> Experience:
    """Returns the experience that `encode_experience` was given.

    Raises:
        CodecError: The values are those of another version, or no experience.
    """
    if not isinstance(document, dict) or _FORMAT not in document:
        raise CodecError("this is no experience")
    if document[_FORMAT] != FORMAT:
        raise CodecError(
            f"this is an experience of version {document[_FORMAT]!r}; this release reads {FORMAT}"
        )
    try:
        course = decode_course(document)
        return Experience(
            id=document["id"],
            domain=document["domain"],
            task=document["task"],
            robot=document["robot"],
            home=document["home"],
            stamp=Time.from_nanoseconds(document["stamp"]),
            status=TaskStatus(document["status"]),
            score=float(document["score"]),
            justification=document["justification"],
            occurrences=document["occurrences"],
            steps=course.steps,
            surroundings=course.surroundings,
        )
    except CodecError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise CodecError(f"this is no experience: {type(error).__name__}: {error}") from error


def _encode_fact(fact: Relation) -> tuple[Any, ...]:
    return (
        fact.subject,
        fact.predicate,
        fact.object,
        fact.source.value,
        fact.confidence,
        fact.first_seen.nanoseconds,
        fact.last_seen.nanoseconds,
    )


def _decode_fact(fields: Any, time: Callable[[int], Time]) -> Relation:
    subject, predicate, item, source, confidence, first_seen, last_seen = fields
    return Relation(
        subject,
        predicate,
        item,
        source=EvidenceSource(source),
        confidence=float(confidence),
        first_seen=time(first_seen),
        last_seen=time(last_seen),
    )


def _chosen(facts: list[Relation], numbers: list[int]) -> tuple[Relation, ...]:
    if min(numbers, default=0) < 0:
        raise ValueError("a fact has a negative number")
    return tuple(facts[number] for number in numbers)


def _decode_step(step: Any, facts: list[Relation]) -> ReasonedStep:
    skill, *arguments = step["action"]
    code, text = step["error"]
    return ReasonedStep(
        graph=_chosen(facts, step["graph"]),
        rationale=step["rationale"],
        action=Action(skill, tuple(arguments)),
        result=Result(step["result"]),
        error=Error(ErrorCode(code), text),
        score=float("nan") if step["score"] is None else float(step["score"]),
        justification=step["justification"],
    )
