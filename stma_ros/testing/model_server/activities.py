"""Stand-ins for models in the roles of household activities that are told in text.

Each parses the text of its question, lets the rules decide, and returns the reply of a model. It raises
UnreadableQuestionError for a question in another format.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from stma_ros.domains.programs.judge import ProgramsJudge
from stma_ros.domains.programs.observed_home import kind_of, place_of, read_thing
from stma_ros.domains.programs.relation_aggregator import ProgramsRelationAggregator
from stma_ros.domains.programs.relation_retriever import ProgramsRelationRetriever
from stma_ros.domains.programs.summariser import ProgramsSummariser, look_from_record
from stma_ros.domains.programs.thinker import ProgramsThinker
from stma_ros.roles.judge import JudgementReply
from stma_ros.roles.relation_aggregator import DescriptionReply
from stma_ros.roles.relation_retriever import FactsReply
from stma_ros.roles.summariser import Note, SummaryReply, fresh_records
from stma_ros.roles.thinker import ThoughtReply
from stma_ros.testing.model_server import text_roles
from stma_ros.testing.model_server.decision_prompts import Parsers
from stma_ros.testing.model_server.history_reader import read_temporal
from stma_ros.testing.model_server.sections import read_action
from stma_ros.testing.model_server.thinking import judge_query, judgement_reply, think_query, thought_reply
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief
from stma_ros.types.scene_graph import Relation

_ROOM = re.compile(r"^(\S+_\d+): (.*)\.$", re.MULTILINE)
_HERE = re.compile(r"^The robot is in (\S+)\.$", re.MULTILINE)


def summarise(question: str) -> SummaryReply:
    """Returns the reply of the summariser."""
    query = text_roles.summarise_query(question)
    summary = ProgramsSummariser().answer(query)
    return SummaryReply(
        goals=list(summary.active_goals),
        notes=[Note(step=record.step, note=str(look_from_record(record))) for record in fresh_records(query)],
        instructions=[],
        progress=summary.progress,
        suggestions=list(summary.suggestions),
    )


def retrieve(question: str) -> FactsReply:
    """Returns the reply of the relation retriever."""
    return text_roles.retrieve(question, ProgramsRelationRetriever())


def aggregate(question: str) -> DescriptionReply:
    """Returns the reply of the relation aggregator."""
    return text_roles.aggregate(question, ProgramsRelationAggregator())


def think(question: str) -> ThoughtReply:
    """Returns the reply of the thinker."""
    return thought_reply(ProgramsThinker().answer(think_query(question, _PARSERS)))


def judge(question: str) -> JudgementReply:
    """Returns the reply of the judge."""
    return judgement_reply(ProgramsJudge().answer(judge_query(question, _PARSERS)))


def read_spatial(text: str) -> SpatialBelief:
    """Parses the description of the relation aggregator."""
    here = _HERE.search(text)
    facts = [Relation(words.ROBOT, words.IN, here[1])] if here else []
    for room, told in _ROOM.findall(text):
        facts += _facts(room, told)
    return SpatialBelief(room=here[1] if here else "", facts=tuple(facts), text=text)


def _facts(room: str, told: str) -> Iterator[Relation]:
    yield Relation(room, words.IS_A, kind_of(room))
    for thing in filter(None, map(read_thing, told.split("; "))):
        yield Relation(thing.name, *place_of(thing, room))
        yield Relation(thing.name, words.IS_A, kind_of(thing.name))
        yield Relation(thing.name, words.IN_ROOM, room)
        for state in thing.states:
            yield Relation(thing.name, words.STATE, state)


_PARSERS = Parsers(read_temporal, read_spatial, read_action)
