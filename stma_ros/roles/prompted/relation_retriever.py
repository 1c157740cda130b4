"""A relation retriever of text games that is a chat model (STMA, section 4.2)."""

from __future__ import annotations

from stma_ros.roles.context import context_of
from stma_ros.roles.contracts import RelationQuery, RelationRetrieverRole, Relations
from stma_ros.roles.prompted.answering import Answering
from stma_ros.roles.prompted.asking import Line, UnusableReplyError
from stma_ros.roles.prompted.facts import SEEN, read_fact, read_name
from stma_ros.roles.prompted.replies import FactsReply


class PromptedRelationRetriever:
    """A RelationRetrieverRole."""

    def __init__(self, line: Line, rules: RelationRetrieverRole | None = None) -> None:
        self._answering = Answering(
            line,
            "text/relation_retriever",
            FactsReply,
            _relations,
            rules.retrieve_relations if rules else None,
            _question,
        )

    def retrieve_relations(self, query: RelationQuery) -> Relations:
        return self._answering.answer(query)


def _question(query: RelationQuery) -> str:
    return f"{context_of(query)}\n\nReport: what was seen at step {query.since} or later."


def _relations(reply: FactsReply, query: RelationQuery) -> Relations:
    facts = tuple(read_fact(fact, SEEN) for fact in reply.facts)
    steps = tuple(fact.step for fact in reply.facts)
    if any(step < 0 for step in (*steps, *(look.step for look in reply.seen_whole))):
        raise UnusableReplyError("a step is negative; the first one is step 0")
    looks: dict[str, int] = {}
    for look in reply.seen_whole:
        room = read_name(look.room)
        looks[room] = max(look.step, looks.get(room, 0))
    return Relations(facts, steps, looks)
