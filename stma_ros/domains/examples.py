"""One small question for every prompt, by which it can be seen whether a model gives answers that can be used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from stma_ros.domains.cooking.relation_aggregator import TextRelationAggregator
from stma_ros.domains.cooking.relation_retriever import TextRelationRetriever
from stma_ros.domains.cooking.summariser import TextSummariser
from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.relation_aggregator import SymbolicRelationAggregator
from stma_ros.domains.household.summariser import SymbolicSummariser
from stma_ros.memory.knowledge_graph import KnowledgeGraph
from stma_ros.models.images import Picture, picture
from stma_ros.roles.contracts import (
    AggregateQuery,
    CritiqueQuery,
    PlanQuery,
    ReflectQuery,
    RelationQuery,
    SummariseQuery,
)
from stma_ros.roles.prompted.asking import Line
from stma_ros.roles.prompted.critic import PromptedCritic
from stma_ros.roles.prompted.planner import PromptedPlanner
from stma_ros.roles.prompted.reflector import PromptedReflector
from stma_ros.roles.prompted.relation_aggregator import PromptedRelationAggregator
from stma_ros.roles.prompted.relation_retriever import PromptedRelationRetriever
from stma_ros.roles.prompted.scene_graph import PromptedSceneGraph
from stma_ros.roles.prompted.summariser import PromptedSummariser
from stma_ros.roles.scene_contract import SceneQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, Summary, TemporalBelief
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Action, Outcome, Result, TaskStatus
from stma_ros.types.scene_graph import Route, Triple
from stma_ros.types.sensing import Observation
from stma_ros.types.standard import Header, Time
from stma_ros.types.telemetry import (
    CRITIC,
    PLANNER,
    REFLECTOR,
    RELATION_AGGREGATOR,
    RELATION_RETRIEVER,
    SCENE_GRAPH,
    SUMMARISER,
)


@dataclass(frozen=True)
class Example:
    """ask: puts the question through a line and returns the answer; raises RoleError. where: tells examples of one role
    apart; empty = the role has one."""

    role: str
    ask: Callable[[Line], object]
    where: str = ""

    @property
    def name(self) -> str:
        """For people: "planner (household)"."""
        return self.role.replace("_", " ") + (f" ({self.where})" if self.where else "")


# -- a text game

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

# -- a household

_ERRAND = "Put the green book into the cupboard."
_DONE = (
    (6, Action(words.SKILL_LOOK_AROUND)),
    (15, Action(words.SKILL_NAVIGATE, ("table_1",))),
)
_SEEN = (
    ("room_1", words.IS_A, "living room"),
    ("table_1", words.IS_A, "coffee table"),
    ("table_1", words.COLOUR, "brown"),
    ("table_1", words.IN_ROOM, "room_1"),
    ("book_1", words.IS_A, "book"),
    ("book_1", words.COLOUR, "red"),
    ("book_1", words.SIZE, "0.21"),
    ("book_1", words.ON, "table_1"),
    ("book_2", words.IS_A, "book"),
    ("book_2", words.COLOUR, "green"),
    ("book_2", words.SIZE, "0.18"),
    ("book_2", words.ON, "table_1"),
    ("cupboard_1", words.IS_A, "cupboard"),
    ("cupboard_1", words.COLOUR, "white"),
    ("cupboard_1", words.STATE, words.STATE_OPEN),
    ("cupboard_1", words.IN_ROOM, "room_1"),
    ("frontier_1", words.IS_A, words.FRONTIER),
    ("frontier_1", words.UNKNOWN_AREA, "7.5"),
    ("frontier_1", words.IN_ROOM, "room_1"),
    *((words.ROBOT, words.NEAR, name) for name in ("table_1", "book_1", "book_2")),
)
_AWAY = {"table_1": 0.0, "book_1": 0.1, "book_2": 0.1, "cupboard_1": 3.4, "frontier_1": 5.2}  # [m]

_HISTORY = SymbolicSummariser().summarise(
    SummariseQuery(
        _ERRAND,
        Summary(),
        tuple(
            Observation(
                step=step,
                last_outcome=Outcome(
                    Header(Time(second)), f"example/{step}", step=step, action=done, result=Result.SUCCEEDED
                ),
            )
            for step, (second, done) in enumerate(_DONE, start=1)
        ),
        len(_DONE),
    )
)
_PLACES = AggregateQuery(
    "room_1",
    tuple(Triple(*fact, first_seen=Time(6), last_seen=Time(15)) for fact in _SEEN),
    tuple(Route(name, length=length) for name, length in _AWAY.items()),
)
_DONE_SO_FAR = TemporalBelief(step=2, completed=_HISTORY.completed, text=_HISTORY.text)
_AROUND = SpatialBelief(
    step=2,
    room=_PLACES.room,
    facts=_PLACES.facts,
    routes=_PLACES.routes,
    text=SymbolicRelationAggregator(household_categories()).aggregate_relations(_PLACES).text,
)
_POSSIBLE = (
    *(Action(words.SKILL_NAVIGATE, (name,)) for name in ("table_1", "book_1", "book_2", "cupboard_1")),
    Action(words.SKILL_EXPLORE, ("frontier_1",)),
    Action(words.SKILL_LOOK_AROUND),
    Action(words.SKILL_OPEN, ("cupboard_1",)),
    Action(words.SKILL_CLOSE, ("cupboard_1",)),
    *(Action(words.SKILL_PICK, (name,)) for name in ("book_1", "book_2")),
    Action(words.SKILL_PLACE_ON, ("table_1",)),
    Action(words.SKILL_PLACE_IN, ("cupboard_1",)),
    Action(words.SKILL_FINISH),
    Action(words.SKILL_GIVE_UP),
)
_PLAN_ERRAND = PlanQuery(_ERRAND, _DONE_SO_FAR, _AROUND, _POSSIBLE)
_WRONG_BOOK = CritiqueQuery(
    _ERRAND,
    "put the green book into cupboard_1",
    Action(words.SKILL_PICK, ("book_1",)),
    _POSSIBLE,
    _DONE_SO_FAR,
    _AROUND,
)


def _table_top() -> Picture:
    """A red block on a brown table, before a wall."""
    pixels = np.full((224, 308, 3), (215, 212, 205), np.uint8)
    pixels[140:] = (120, 86, 56)
    pixels[98:154, 126:182] = (200, 28, 32)
    return picture(pixels)


_LOOK = SceneQuery("", _table_top())

# -- what is asked

_TEXT_GAME, _HOUSEHOLD = "text game", "household"

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
    Example(PLANNER, lambda line: PromptedPlanner(line).plan(_PLAN), _TEXT_GAME),
    Example(
        PLANNER,
        lambda line: PromptedPlanner(line, prompt="household/planner").plan(_PLAN_ERRAND),
        _HOUSEHOLD,
    ),
    Example(CRITIC, lambda line: PromptedCritic(line).criticise(_CRITICISE), _TEXT_GAME),
    Example(
        CRITIC,
        lambda line: PromptedCritic(line, prompt="household/critic").criticise(_WRONG_BOOK),
        _HOUSEHOLD,
    ),
    Example(REFLECTOR, lambda line: PromptedReflector(line).reflect(_REFLECT)),
    Example(SCENE_GRAPH, lambda line: PromptedSceneGraph(line).build(_LOOK)),
)
