"""The roles of text games as a model would play them: each reads its question's text, lets the rules decide, and words
the reply. Each raises UnreadableQuestionError for a question that is not laid out as its questions are."""

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
from stma_ros.roles.relation_aggregator import AggregateQuery, DescriptionReply, Way
from stma_ros.roles.relation_retriever import DatedFact, FactsReply, Look, RelationQuery
from stma_ros.roles.summariser import Note, SummariseQuery, SummaryReply
from stma_ros.testing.model_server.decision_prompts import (
    Reading,
    critique_query,
    critique_reply,
    plan_query,
    plan_reply,
)
from stma_ros.testing.model_server.history_reader import read_records, read_summary, read_temporal
from stma_ros.testing.model_server.places_reader import read_fact, read_spatial
from stma_ros.testing.model_server.sections import (
    UnreadableQuestionError,
    needed,
    read_action,
    sections,
)
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import TaskStatus
from stma_ros.types.sensing import Observation

_READING = Reading(read_temporal, read_spatial, read_action)
_SINCE = re.compile(r"(?:\A|\n\n)Report: what was seen at step (\d+) or later\.\s*\Z")
_LESSON = re.compile(r"^(?=I failed: )", re.MULTILINE)

_ENDS: Final[Mapping[str, ErrorCode]] = {
    "the world ended the episode": ErrorCode.EPISODE_LOST,
    "commands is spent": ErrorCode.OUT_OF_COMMANDS,
}
"""What the executor's words for an end mean; the code itself is in no prompt."""


def summarise(question: str) -> SummaryReply:
    told = sections(question, ("Task: ", "So far:\n", "Since then:\n"))
    task = needed(told, "Task")
    previous = read_summary(told.get("So far", ""))
    fresh = read_records(needed(told, "Since then"))
    if not fresh:
        raise UnreadableQuestionError("nothing is told of what happened since")
    oldest = Observation(step=_oldest(previous.observations, fresh))
    summary = TextSummariser().answer(SummariseQuery(task, previous, (oldest, *fresh), len(fresh)))
    return SummaryReply(
        goals=list(summary.active_goals),
        notes=[Note(step=record.step, note=str(note_from_record(record))) for record in fresh],
        instructions=[text for text in summary.instructions if text not in previous.instructions],
        progress=summary.progress,
        suggestions=list(summary.suggestions),
    )


def _oldest(notes: tuple[str, ...], fresh: tuple[Observation, ...]) -> int:
    """The step of the oldest record in the history buffer, of which nobody tells: where the first note is gone, the
    buffer is full, and what comes in drives as much out."""
    steps = [int(step) for step in re.findall(r"^Step (\d+)", "\n".join(notes), re.MULTILINE)]
    first = min(steps, default=fresh[0].step)
    return first + len(fresh) if first and steps else first


def retrieve(question: str) -> FactsReply:
    asked = _SINCE.search(question)
    text, since = (question[: asked.start()], int(asked[1])) if asked else (question, 0)
    found = TextRelationRetriever().answer(RelationQuery(read_temporal(text), since))
    dated = zip(found.triples, found.steps, strict=True)
    return FactsReply(
        facts=[
            DatedFact(subject=fact.subject, predicate=fact.predicate, object=fact.object, step=step)
            for fact, step in dated
            if step >= since and fact.subject != fact.object
        ],
        seen_whole=[Look(room=room, step=step) for room, step in found.complete.items() if step >= since],
    )


def aggregate(question: str) -> DescriptionReply:
    told = sections(question, ("Room:\n", "Facts:\n", "Routes:\n"))
    if question and not told:
        raise UnreadableQuestionError("neither a room nor facts are told")
    facts = filter(None, map(read_fact, told.get("Facts", "").split("\n")))
    query = AggregateQuery(told.get("Room", ""), tuple(facts), ())
    answer = TextRelationAggregator().answer(query)
    return DescriptionReply(
        description=answer.text,
        facts=[
            Fact(subject=fact.subject, predicate=fact.predicate, object=fact.object) for fact in answer.facts
        ],
        ways=[Way(to=route.target, commands=list(route.moves)) for route in answer.routes],
    )


def plan(question: str) -> PlanReply:
    return plan_reply(TextPlanner().answer(plan_query(question, _READING)))


def criticise(question: str) -> CritiqueReply:
    return critique_reply(TextCritic().answer(critique_query(question, _READING)))


def reflect(question: str) -> ReflectionReply:
    told = sections(question, ("Task: ", "What happened:\n", "How it ended:\n", "Learnt before:\n"))
    task = needed(told, "Task")
    status, _, why = needed(told, "How it ended").partition(" ")
    if status not in TaskStatus.__members__:
        raise UnreadableQuestionError(f"nobody knows how a task ends {status!r}")
    code = next((code for said, code in _ENDS.items() if said in why), ErrorCode.NONE)
    earlier = tuple(filter(None, _LESSON.split(told.get("Learnt before", ""))))
    history = read_summary(told.get("What happened", ""))
    query = ReflectQuery(task, history, TaskStatus[status], Error(code, why), earlier)
    return ReflectionReply(lesson=TextReflector().answer(query).text)
