"""What a question to a role holds, as the text that a prompt would show of it, and how long that is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from stma_ros.memory.working.records import record_text
from stma_ros.roles.contracts import (
    AggregateQuery,
    CritiqueQuery,
    PlanQuery,
    ReflectQuery,
    RelationQuery,
    SummariseQuery,
)
from stma_ros.types.planning import Action
from stma_ros.types.scene_graph import Route, Triple

Query: TypeAlias = (
    "SummariseQuery | RelationQuery | AggregateQuery | PlanQuery | CritiqueQuery | ReflectQuery"
)

_TOKEN = re.compile(r"\w+|[^\w\s]")


def context_of(query: Query) -> str:
    """The question in plain text: everything that its answer may follow from, and nothing else."""
    return "\n\n".join(part for part in _parts(query) if part)


def count_tokens(text: str) -> int:
    """Words, numbers and marks: a measure of length that belongs to no model."""
    return sum(1 for _ in _TOKEN.finditer(text))


def fact_text(fact: Triple) -> str:
    """A fact that nobody has put into words."""
    return f"({fact.subject}, {fact.predicate}, {fact.object})"


def _parts(query: Query) -> Iterator[str]:
    match query:
        case SummariseQuery():
            yield f"Task: {query.task}"
            yield _headed("So far", query.previous.text)
            fresh = query.records[len(query.records) - query.fresh :]
            yield _headed("Since then", "\n\n".join(map(record_text, fresh)))
        case RelationQuery():
            yield query.temporal.text
        case AggregateQuery():
            yield _headed("Room", query.room)
            yield _headed("Facts", "\n".join(map(fact_text, query.facts)))
            yield _headed("Routes", "\n".join(map(_route, query.routes)))
        case PlanQuery():
            yield f"Task: {query.task}"
            yield _headed("What happened", query.temporal.text)
            yield _headed("Where things are", query.spatial.text)
            yield _headed("Now", query.observation)
            yield _headed("Allowed", _actions(query.allowed_actions))
            yield _headed("The last plan was dropped", query.feedback)
            yield _headed("Rejected", _actions(query.rejected))
        case CritiqueQuery():
            yield f"Task: {query.task}"
            yield _headed("What happened", query.temporal.text)
            yield _headed("Where things are", query.spatial.text)
            yield _headed("Now", query.observation)
            yield _headed("Allowed", _actions(query.allowed_actions))
            yield _headed("Subgoal", query.subgoal)
            yield f"Proposed: {query.action}"
        case ReflectQuery():
            yield f"Task: {query.task}"
            yield _headed("What happened", query.summary.text)
            yield _headed("How it ended", f"{query.status.name} {query.error.text}")
            yield _headed("Learnt before", "\n".join(query.earlier))


def _headed(heading: str, text: str) -> str:
    return f"{heading}:\n{text}" if text else ""


def _actions(actions: Iterable[Action]) -> str:
    return "\n".join(map(str, actions))


def _route(route: Route) -> str:
    return f"{route.target}: {', '.join(route.moves) or f'{route.length:.1f} m'}"
