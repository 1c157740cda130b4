"""One small question to every prompted role, by which it can be seen whether a model gives answers that can be used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from stma_ros.memory.knowledge_graph import KnowledgeGraph
from stma_ros.roles.contracts import (
    AggregateQuery,
    CritiqueQuery,
    PlanQuery,
    ReflectQuery,
    RelationQuery,
    SummariseQuery,
    Summary,
)
from stma_ros.roles.prompted.asking import Line
from stma_ros.roles.prompted.critic import PromptedCritic
from stma_ros.roles.prompted.planner import PromptedPlanner
from stma_ros.roles.prompted.reflector import PromptedReflector
from stma_ros.roles.prompted.relation_aggregator import PromptedRelationAggregator
from stma_ros.roles.prompted.relation_retriever import PromptedRelationRetriever
from stma_ros.roles.prompted.summariser import PromptedSummariser
from stma_ros.roles.symbolic.text.relation_aggregator import TextRelationAggregator
from stma_ros.roles.symbolic.text.relation_retriever import TextRelationRetriever
from stma_ros.roles.symbolic.text.summariser import TextSummariser
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Action, Outcome, Result, TaskStatus
from stma_ros.types.sensing import Observation
from stma_ros.types.standard import Time
from stma_ros.types.telemetry import (
    CRITIC,
    PLANNER,
    REFLECTOR,
    RELATION_AGGREGATOR,
    RELATION_RETRIEVER,
    SUMMARISER,
)


@dataclass(frozen=True)
class Example:
    """ask: puts the question through a line and returns the answer; raises RoleError."""

    role: str
    ask: Callable[[Line], object]


_TASK = "Read the cookbook in the kitchen, cook the meal and eat it."
_RECIPE = "Ingredients:\ncarrot\n\nDirections:\nslice the carrot\nroast the carrot\nprepare meal"


def _command(text: str) -> Action:
    return Action(words.SKILL_COMMAND, (text,))


def _record(
    step: int, done: str, feedback: str, description: str, carried: str, commands: str
) -> Observation:
    """commands: one a line."""
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

_BEFORE = TextSummariser().summarise(SummariseQuery(_TASK, Summary(), (_PANTRY, _CARROT), 2))
_SUMMARISE = SummariseQuery(_TASK, _BEFORE, (_PANTRY, _CARROT, _KITCHEN, _READ), 2)
_SUMMARY = TextSummariser().summarise(_SUMMARISE)
_TEMPORAL = TemporalBelief(
    step=_READ.step,
    active_goals=_SUMMARY.active_goals,
    completed=_SUMMARY.completed,
    observations=_SUMMARY.observations,
    instructions=_SUMMARY.instructions,
    progress=_SUMMARY.progress,
    text=_SUMMARY.text,
)
_RELATIONS = TextRelationRetriever().retrieve_relations(RelationQuery(_TEMPORAL))
_GRAPH = KnowledgeGraph()
_GRAPH.update(
    replace(fact, first_seen=Time(step), last_seen=Time(step))
    for fact, step in zip(_RELATIONS.triples, _RELATIONS.steps, strict=True)
)
_AGGREGATE = AggregateQuery("kitchen", _GRAPH.facts, ())
_DESCRIPTION = TextRelationAggregator().aggregate_relations(_AGGREGATE)
_SPATIAL = SpatialBelief(
    step=_READ.step,
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

EXAMPLES: tuple[Example, ...] = (
    Example(SUMMARISER, lambda line: PromptedSummariser(line).summarise(_SUMMARISE)),
    Example(
        RELATION_RETRIEVER,
        lambda line: PromptedRelationRetriever(line).retrieve_relations(
            RelationQuery(_TEMPORAL, _KITCHEN.step)
        ),
    ),
    Example(
        RELATION_AGGREGATOR, lambda line: PromptedRelationAggregator(line).aggregate_relations(_AGGREGATE)
    ),
    Example(PLANNER, lambda line: PromptedPlanner(line).plan(_PLAN)),
    Example(CRITIC, lambda line: PromptedCritic(line).criticise(_CRITICISE)),
    Example(REFLECTOR, lambda line: PromptedReflector(line).reflect(_REFLECT)),
)
