"""One short question for each role, with which `stma doctor --model` checks that a model gives usable answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.example_pictures import table_top
from stma_ros.domains.household.exploration_examples import EXPLORATION_EXAMPLES
from stma_ros.domains.household.observation_summariser import HouseholdObservationSummariser
from stma_ros.domains.household.relation_aggregator import SymbolicRelationAggregator
from stma_ros.domains.household.summariser import SymbolicSummariser
from stma_ros.memory.task_graph import task_graph
from stma_ros.memory.working.subgoal_chunks import SubgoalChunks
from stma_ros.roles.critic import CRITIC, CritiqueQuery
from stma_ros.roles.judge import JUDGE, JudgedStep, JudgeQuery
from stma_ros.roles.observation_summariser import OBSERVATION_SUMMARISER, ChunkQuery
from stma_ros.roles.planner import PLANNER, PlanQuery
from stma_ros.roles.policy import POLICY, PolicyQuery
from stma_ros.roles.relation_aggregator import AggregateQuery
from stma_ros.roles.scene_graph import SCENE_GRAPH, SceneQuery
from stma_ros.roles.summariser import SummariseQuery
from stma_ros.roles.task_parser import TASK_PARSER, TaskQuery
from stma_ros.roles.thinker import THINKER, ThinkQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, Summary, TemporalBelief
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.experience import Experience, ReasonedStep, RetrievedExperience, RuleOfThumb
from stma_ros.types.planning import Action, Outcome, Result, TaskStatus
from stma_ros.types.scene_graph import Relation, Route
from stma_ros.types.sensing import Observation
from stma_ros.types.standard import Header, Time
from stma_ros.types.stepped import StepStamp

_TASK = "Put the green book into the cupboard."
_COMMANDS = (
    (6, Action(words.SKILL_LOOK_AROUND)),
    (15, Action(words.SKILL_NAVIGATE, ("table_1",))),
)
_FACTS = (
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
_LENGTHS = {"table_1": 0.0, "book_1": 0.1, "book_2": 0.1, "cupboard_1": 3.4, "frontier_1": 5.2}  # [m]


def _record(step: int, second: int, done: Action, error: Error = Error()) -> Observation:
    outcome = Outcome(
        header=Header(Time(second)),
        request_id=f"example/{step}",
        step=step,
        action=done,
        result=Result.FAILED if error else Result.SUCCEEDED,
        error=error,
    )
    return Observation(step=step, last_outcome=outcome)


_RECORDS = tuple(_record(step, second, done) for step, (second, done) in enumerate(_COMMANDS, start=1))
_SLIPPED = _record(3, 18, Action(words.SKILL_PICK, ("book_2",)), Error(ErrorCode.GRASP_FAILED, ""))
_SUMMARY = SymbolicSummariser().answer(SummariseQuery(_TASK, Summary(), _RECORDS, len(_RECORDS)))
_AGGREGATE = AggregateQuery(
    "room_1",
    tuple(Relation(*fact, first_seen=Time(6), last_seen=Time(15)) for fact in _FACTS),
    tuple(Route(target=name, length=length) for name, length in _LENGTHS.items()),
)
_TEMPORAL = TemporalBelief(at=StepStamp(step=2), completed=_SUMMARY.completed, text=_SUMMARY.text)
_SPATIAL = SpatialBelief(
    at=StepStamp(step=2),
    room=_AGGREGATE.room,
    facts=_AGGREGATE.facts,
    routes=_AGGREGATE.routes,
    text=SymbolicRelationAggregator(household_categories()).answer(_AGGREGATE).text,
)
_ALLOWED = (
    *(Action(words.SKILL_NAVIGATE, (name,)) for name in ("table_1", "book_1", "book_2", "cupboard_1")),
    Action(words.SKILL_EXPLORE, ("frontier_1",)),
    Action(words.SKILL_LOOK_AROUND),
    Action(words.SKILL_OPEN, ("cupboard_1",)),
    Action(words.SKILL_CLOSE, ("cupboard_1",)),
    *(Action(words.SKILL_PICK, (name,)) for name in ("book_1", "book_2")),
    Action(words.SKILL_PLACE_ON, ("table_1",)),
    Action(words.SKILL_PLACE_IN, ("cupboard_1",)),
    Action(words.SKILL_FINISH),
    Action(words.SKILL_FINISH_UNVERIFIED),
    Action(words.SKILL_GIVE_UP),
)
_PLAN = PlanQuery(_TASK, _TEMPORAL, _SPATIAL, _ALLOWED)
_BEFORE, _PRESENT = "look around", "put book_2 into cupboard_1"


def _temporal_in_chunks() -> TemporalBelief:
    """Returns the history with its first action as a closed subgoal."""
    memory = SubgoalChunks(size=100)
    memory.add(Observation(), "")
    memory.add(_RECORDS[0], _BEFORE)
    memory.add(_RECORDS[1], _PRESENT)
    closed = HouseholdObservationSummariser().answer(ChunkQuery(_TASK, _BEFORE, _RECORDS[:1]))
    memory.condense(Summary(chunks=(closed,)))
    content = memory.content
    return TemporalBelief(
        at=StepStamp(step=2),
        subgoal=_PRESENT,
        completed=content.completed,
        chunks=content.chunks,
        text=content.text,
    )


_IN_CHUNKS = _temporal_in_chunks()
_CHOOSE = PolicyQuery(_TASK, _IN_CHUNKS, _SPATIAL, (*_ALLOWED, Action(words.SKILL_RETRIEVE, ("1",))))
_SUM_UP = ChunkQuery(_TASK, _PRESENT, (_RECORDS[1], _SLIPPED), _IN_CHUNKS.chunks[0])
_CRITICISE = CritiqueQuery(
    _TASK,
    "put the green book into cupboard_1",
    Action(words.SKILL_PICK, ("book_1",)),
    _ALLOWED,
    _TEMPORAL,
    _SPATIAL,
)


_THINK = ThinkQuery(
    _TASK,
    _TEMPORAL,
    _SPATIAL,
    _ALLOWED,
    graph=task_graph(_SPATIAL.facts, _TASK),
    experiences=(
        RetrievedExperience(
            experience=Experience(
                task="Take the book to the cupboard.",
                status=TaskStatus.SUCCEEDED,
                steps=(
                    ReasonedStep(
                        rationale="book_4 lies on table_2.", action=Action(words.SKILL_PICK, ("book_4",))
                    ),
                    ReasonedStep(rationale="book_4 is in cupboard_2.", action=Action(words.SKILL_FINISH)),
                ),
                score=0.75,
            ),
            similarity=0.625,
        ),
    ),
    rules=(RuleOfThumb(thing="book", place="coffee table", room="living room", found=3, looked=4),),
)
_JUDGE = JudgeQuery(
    _TASK,
    (
        JudgedStep("The green book, book_2, is on table_1.", Action(words.SKILL_NAVIGATE, ("table_1",))),
        JudgedStep("book_2 is green and within reach.", Action(words.SKILL_PICK, ("book_2",))),
        JudgedStep("book_2 belongs into cupboard_1.", Action(words.SKILL_NAVIGATE, ("cupboard_1",))),
        JudgedStep("cupboard_1 is open, book_2 in the hand.", Action(words.SKILL_PLACE_IN, ("cupboard_1",))),
        JudgedStep("The green book is in the cupboard.", Action(words.SKILL_FINISH)),
    ),
)

_SCENE = SceneQuery("", table_top())

EXAMPLES: Mapping[str, Any] = {
    TASK_PARSER.name: TaskQuery(_TASK),
    PLANNER.name: _PLAN,
    CRITIC.name: _CRITICISE,
    POLICY.name: _CHOOSE,
    OBSERVATION_SUMMARISER.name: _SUM_UP,
    THINKER.name: _THINK,
    JUDGE.name: _JUDGE,
    SCENE_GRAPH.name: _SCENE,
    **EXPLORATION_EXAMPLES,
}
"""Questions by the name of the role."""
