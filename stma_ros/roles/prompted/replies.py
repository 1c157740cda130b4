"""What a model replies, role by role: the form that a server is asked to hold it to, and that is checked in any case.

Nothing has a default: servers that hold replies to a schema want every field named.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict


class Reply(BaseModel):
    """Base: no field may be missing, and none may be there that nobody asked for."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Note(Reply):
    """What was done and seen at one step, condensed."""

    step: int
    note: str


class SummaryReply(Reply):
    """instructions: word for word, of those that were just found."""

    goals: list[str]
    notes: list[Note]
    instructions: list[str]
    progress: str
    suggestions: list[str]


class Fact(Reply):
    subject: str
    predicate: str
    object: str


class DatedFact(Fact):
    step: int


class Look(Reply):
    """A room that was seen whole at a step."""

    room: str
    step: int


class FactsReply(Reply):
    facts: list[DatedFact]
    seen_whole: list[Look]


class Way(Reply):
    to: str
    commands: list[str]


class DescriptionReply(Reply):
    """facts, ways: what follows from the facts that were given."""

    description: str
    facts: list[Fact]
    ways: list[Way]


class PlanReply(Reply):
    """failure: with giving up, why; otherwise none."""

    reasoning: str
    subgoal: str
    actions: list[str]
    failure: Literal["none", "not_found", "impossible", "contradiction"]


class CritiqueReply(Reply):
    """criterion: the first one that is not met; none where the action is accepted."""

    reason: str
    criterion: Literal["none", "temporal", "spatial", "validity", "safety", "alignment"]
    verdict: Literal["accept", "reject"]


class ReflectionReply(Reply):
    lesson: str
