"""Stand-ins for models in the roles of text games.

Each parses the text of its question, lets the rules decide, and returns the reply of a model. It raises
UnreadableQuestionError for a question in another format.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from stma_ros.domains.cooking.critic import TextCritic
from stma_ros.domains.cooking.planner import TextPlanner
from stma_ros.domains.cooking.reflector import TextReflector
from stma_ros.domains.cooking.relation_aggregator import TextRelationAggregator
from stma_ros.domains.cooking.relation_retriever import TextRelationRetriever
from stma_ros.domains.cooking.summariser import TextSummariser, note_from_record
from stma_ros.roles.critic import CritiqueReply
from stma_ros.roles.facts import Fact
from stma_ros.roles.planner import PlanReply
from stma_ros.roles.reflector import ReflectionReply, ReflectQuery
from stma_ros.roles.relation_aggregator import AggregateQuery, DescriptionReply, RelationAggregatorRole, Way
from stma_ros.roles.relation_retriever import (
    DatedFact,
    FactsReply,
    Look,
    RelationQuery,
    RelationRetrieverRole,
)
from stma_ros.roles.summariser import Note, SummariseQuery, SummaryReply, fresh_records
from stma_ros.testing.model_server.decision_prompts import (
    Parsers,
    critique_query,
    critique_reply,
    plan_query,
    plan_reply,
)
from stma_ros.testing.model_server.history_reader import read_records, read_summary, read_temporal
from stma_ros.testing.model_server.places_reader import read_fact, read_spatial
from stma_ros.testing.model_server.sections import (
    UnreadableQuestionError,
    read_action,
    required,
    sections,
)
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import TaskStatus
from stma_ros.types.sensing import Observation

_PARSERS = Parsers(read_temporal, read_spatial, read_action)
_SINCE = re.compile(r"(?:\A|\n\n)Report: what was seen at step (\d+) or later\.\s*\Z")
_LESSON = re.compile(r"^(?=I failed: )", re.MULTILINE)

_ENDS: Final[Mapping[str, ErrorCode]] = {
    "the world ended the episode": ErrorCode.EPISODE_LOST,
    "commands is spent": ErrorCode.OUT_OF_COMMANDS,
}
"""Error codes by phrases of the executor's messages; prompts do not contain the codes."""


def summarise(question: str) -> SummaryReply:
    """Returns the reply of the summariser."""
    query = summarise_query(question)
    summary = TextSummariser().answer(query)
    return SummaryReply(
        goals=list(summary.active_goals),
        notes=[Note(step=record.step, note=str(note_from_record(record))) for record in fresh_records(query)],
        instructions=[text for text in summary.instructions if text not in query.previous.instructions],
        progress=summary.progress,
        suggestions=list(summary.suggestions),
    )


def summarise_query(question: str) -> SummariseQuery:
    """Parses a question to the summariser."""
    parts = sections(question, ("Task: ", "So far:\n", "Since then:\n"))
    task = required(parts, "Task")
    previous = read_summary(parts.get("So far", ""))
    new = read_records(required(parts, "Since then"))
    if not new:
        raise UnreadableQuestionError("the question has no new records")
    oldest = Observation(step=_oldest(previous.observations, new))
    return SummariseQuery(task, previous, (oldest, *new), len(new))


def _oldest(notes: tuple[str, ...], new: tuple[Observation, ...]) -> int:
    """Returns the step of the oldest record in the history buffer, which the question does not contain.

    If the note of step 0 is missing, the buffer is full, and each new record removes the oldest one.
    """
    steps = [int(step) for step in re.findall(r"^Step (\d+)", "\n".join(notes), re.MULTILINE)]
    first = min(steps, default=new[0].step)
    return first + len(new) if first and steps else first


def retrieve(question: str, rules: RelationRetrieverRole = TextRelationRetriever()) -> FactsReply:
    """Returns the reply of the relation retriever. rules: of the domain."""
    report = _SINCE.search(question)
    text, since = (question[: report.start()], int(report[1])) if report else (question, 0)
    found = rules.answer(RelationQuery(read_temporal(text), since))
    dated = zip(found.triples, found.steps, strict=True)
    return FactsReply(
        facts=[
            DatedFact(subject=fact.subject, predicate=fact.predicate, object=fact.object, step=step)
            for fact, step in dated
            if step >= since and fact.subject != fact.object
        ],
        seen_whole=[Look(room=room, step=step) for room, step in found.complete.items() if step >= since],
    )


def aggregate(question: str, rules: RelationAggregatorRole = TextRelationAggregator()) -> DescriptionReply:
    """Returns the reply of the relation aggregator. rules: of the domain."""
    parts = sections(question, ("Room:\n", "Facts:\n", "Routes:\n"))
    if question and not parts:
        raise UnreadableQuestionError("the question has neither a room nor facts")
    facts = filter(None, map(read_fact, parts.get("Facts", "").split("\n")))
    query = AggregateQuery(parts.get("Room", ""), tuple(facts), ())
    answer = rules.answer(query)
    return DescriptionReply(
        description=answer.text,
        facts=[
            Fact(subject=fact.subject, predicate=fact.predicate, object=fact.object) for fact in answer.facts
        ],
        ways=[Way(to=route.target, commands=list(route.moves)) for route in answer.routes],
    )


def plan(question: str) -> PlanReply:
    """Returns the reply of the planner."""
    return plan_reply(TextPlanner().answer(plan_query(question, _PARSERS)))


def criticise(question: str) -> CritiqueReply:
    """Returns the reply of the critic."""
    return critique_reply(TextCritic().answer(critique_query(question, _PARSERS)))


def reflect(question: str) -> ReflectionReply:
    """Returns the reply of the reflector."""
    parts = sections(question, ("Task: ", "What happened:\n", "How it ended:\n", "Learnt before:\n"))
    task = required(parts, "Task")
    status, _, reason = required(parts, "How it ended").partition(" ")
    if status not in TaskStatus.__members__:
        raise UnreadableQuestionError(f"{status!r} is not a status of a task")
    code = next((code for phrase, code in _ENDS.items() if phrase in reason), ErrorCode.NONE)
    earlier = tuple(filter(None, _LESSON.split(parts.get("Learnt before", ""))))
    history = read_summary(parts.get("What happened", ""))
    query = ReflectQuery(task, history, TaskStatus[status], Error(code, reason), earlier)
    return ReflectionReply(lesson=TextReflector().answer(query).text)
