"""A relation aggregator of text games that is a chat model (STMA, section 4.2)."""

from __future__ import annotations

from stma_ros.roles.contracts import AggregateQuery, Description, RelationAggregatorRole
from stma_ros.roles.prompted.answering import Answering
from stma_ros.roles.prompted.asking import Line, UnusableReplyError
from stma_ros.roles.prompted.facts import CONCLUDED, read_fact, read_name
from stma_ros.roles.prompted.replies import DescriptionReply, Way
from stma_ros.types.scene_graph import Route


class PromptedRelationAggregator:
    """A RelationAggregatorRole."""

    def __init__(self, line: Line, rules: RelationAggregatorRole | None = None) -> None:
        self._answering = Answering(
            line,
            "text/relation_aggregator",
            DescriptionReply,
            _description,
            rules.aggregate_relations if rules else None,
        )

    def aggregate_relations(self, query: AggregateQuery) -> Description:
        return self._answering.answer(query)


def _description(reply: DescriptionReply, query: AggregateQuery) -> Description:
    text = reply.description.strip()
    if not text:
        raise UnusableReplyError("the description is empty")
    known = {(fact.subject, fact.predicate, fact.object) for fact in query.facts}
    facts = (read_fact(fact, CONCLUDED) for fact in reply.facts)
    new = tuple(fact for fact in facts if (fact.subject, fact.predicate, fact.object) not in known)
    return Description(text, new, tuple(_route(way, query.room) for way in reply.ways))


def _route(way: Way, room: str) -> Route:
    target = read_name(way.to)
    moves = tuple(command.strip() for command in way.commands)
    if not all(moves) or (not moves and target != room):
        raise UnusableReplyError(f"the way to {target!r} lacks a command")
    return Route(target, length=len(moves), moves=moves)
