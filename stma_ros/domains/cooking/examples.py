"""One short question for each role, with which `stma doctor --model` checks that a model gives usable answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from stma_ros.domains.cooking.relation_aggregator import TextRelationAggregator
from stma_ros.domains.cooking.relation_retriever import TextRelationRetriever
from stma_ros.domains.cooking.summariser import TextSummariser
from stma_ros.memory.knowledge_graph import KnowledgeGraph
from stma_ros.roles.critic import CRITIC, CritiqueQuery
from stma_ros.roles.planner import PLANNER, PlanQuery
from stma_ros.roles.reflector import REFLECTOR, ReflectQuery
from stma_ros.roles.relation_aggregator import RELATION_AGGREGATOR, AggregateQuery
from stma_ros.roles.relation_retriever import RELATION_RETRIEVER, RelationQuery
from stma_ros.roles.summariser import SUMMARISER, SummariseQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, Summary, TemporalBelief
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Action, Outcome, Result, TaskStatus
from stma_ros.types.sensing import Observation
from stma_ros.types.standard import Time
from stma_ros.types.stepped import StepStamp

_TASK = "Read the cookbook in the kitchen, cook the meal and eat it."
_RECIPE = "Ingredients:\ncarrot\n\nDirections:\nslice the carrot\nroast the carrot\nprepare meal"


def _command(text: str) -> Action:
    return Action(words.SKILL_COMMAND, (text,))


def _record(
    step: int, done: str, feedback: str, description: str, carried: str, commands: str
) -> Observation:
    """Returns the record of a step. `commands` holds one command per line."""
    outcome = Outcome(request_id=f"example/{step}", step=step, action=_command(done), result=Result.SUCCEEDED)
    return Observation(
        step=step,
        last_outcome=outcome if done else Outcome(),
        feedback=feedback,
        description=description,
        inventory=f"You are carrying: {carried}.",
        admissible_commands=tuple(commands.splitlines()),
    )


_PANTRY = _record(
    0,
    "",
    "",
    "-= Pantry =-\nYou are in a pantry. You see a shelf. On the shelf is a carrot. There is an exit to the south.",
    "nothing",
    "examine shelf\ngo south\ntake carrot from shelf",
)
_CARROT = _record(
    1,
    "take carrot from shelf",
    "You take the carrot from the shelf.",
    "-= Pantry =-\nYou are in a pantry. You see a shelf. The shelf is empty. There is an exit to the south.",
    "a raw carrot",
    "drop carrot\neat carrot\nexamine shelf\ngo south",
)
_KITCHEN = _record(
    2,
    "go south",
    "You enter the kitchen.",
    "-= Kitchen =-\nYou are in a kitchen. You see an oven and a closed fridge. There is a table, and on it "
    "are a knife and a cookbook. There is an exit to the north. A closed glass door leads east.",
    "a raw carrot",
    "cook carrot with oven\ndrop carrot\neat carrot\nexamine cookbook\nexamine oven\ngo north\nopen fridge\n"
    "open glass door\ntake cookbook from table\ntake knife from table",
)
_READ = replace(
    _KITCHEN,
    step=3,
    last_outcome=replace(
        _KITCHEN.last_outcome, request_id="example/3", step=3, action=_command("examine cookbook")
    ),
    feedback=f"You open the cookbook and read:\n\n{_RECIPE}",
)

_BEFORE = TextSummariser().answer(SummariseQuery(_TASK, Summary(), (_PANTRY, _CARROT), 2))
_SUMMARISE = SummariseQuery(_TASK, _BEFORE, (_PANTRY, _CARROT, _KITCHEN, _READ), 2)
_SUMMARY = TextSummariser().answer(_SUMMARISE)
_TEMPORAL = TemporalBelief(
    at=StepStamp(step=_READ.step),
    active_goals=_SUMMARY.active_goals,
    completed=_SUMMARY.completed,
    observations=_SUMMARY.observations,
    instructions=_SUMMARY.instructions,
    progress=_SUMMARY.progress,
    text=_SUMMARY.text,
)
_RELATIONS = TextRelationRetriever().answer(RelationQuery(_TEMPORAL))
_GRAPH = KnowledgeGraph()
_GRAPH.update(
    replace(fact, first_seen=Time(step), last_seen=Time(step))
    for fact, step in zip(_RELATIONS.triples, _RELATIONS.steps, strict=True)
)
_AGGREGATE = AggregateQuery("kitchen", _GRAPH.facts, ())
_DESCRIPTION = TextRelationAggregator().answer(_AGGREGATE)
_SPATIAL = SpatialBelief(
    at=StepStamp(step=_READ.step),
    room=_AGGREGATE.room,
    facts=(*_AGGREGATE.facts, *_DESCRIPTION.facts),
    routes=_DESCRIPTION.routes,
    text=_DESCRIPTION.text,
)
_ALLOWED = (*map(_command, _READ.admissible_commands), Action(words.SKILL_GIVE_UP))
_NOW = "\n".join((_READ.feedback, _READ.description, _READ.inventory))
_PLAN = PlanQuery(_TASK, _TEMPORAL, _SPATIAL, _ALLOWED, observation=_NOW)
_CRITICISE = CritiqueQuery(
    _TASK, "slice the carrot", _command("take knife from table"), _ALLOWED, _TEMPORAL, _SPATIAL, _NOW
)
_REFLECT = ReflectQuery(
    _TASK, _SUMMARY, TaskStatus.FAILED, Error(ErrorCode.OUT_OF_COMMANDS, "the budget of 3 commands is spent")
)

EXAMPLES: Mapping[str, Any] = {
    SUMMARISER.name: _SUMMARISE,
    RELATION_RETRIEVER.name: RelationQuery(_TEMPORAL, _KITCHEN.step),
    RELATION_AGGREGATOR.name: _AGGREGATE,
    PLANNER.name: _PLAN,
    CRITIC.name: _CRITICISE,
    REFLECTOR.name: _REFLECT,
}
"""Questions of one game by the name of the role."""
