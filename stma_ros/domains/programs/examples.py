"""One short question for each role, with which `stma doctor --model` checks that a model gives usable answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stma_ros.domains.programs.relation_aggregator import ProgramsRelationAggregator
from stma_ros.domains.programs.relation_retriever import ProgramsRelationRetriever
from stma_ros.domains.programs.summariser import ProgramsSummariser
from stma_ros.roles.judge import JUDGE, JudgedStep, JudgeQuery
from stma_ros.roles.relation_aggregator import RELATION_AGGREGATOR, AggregateQuery
from stma_ros.roles.relation_retriever import RELATION_RETRIEVER, RelationQuery
from stma_ros.roles.summariser import SUMMARISER, SummariseQuery
from stma_ros.roles.thinker import THINKER, ThinkQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, Summary, TemporalBelief
from stma_ros.types.planning import Action, Outcome, Result
from stma_ros.types.sensing import Observation
from stma_ros.types.stepped import StepStamp

_TASK = "Drink. I take a glass of milk. In the end: you hold the glass; the milk is in the glass."
_KITCHEN = """You are in kitchen_1.
The rooms are bedroom_1, kitchen_1.
You see:
fridge_1 (closed)
glass_1 (clean) on table_1
table_1"""
_BEDROOM = """You are in bedroom_1.
The rooms are bedroom_1, kitchen_1.
You see:
bed_1
novel_1 on bed_1"""


def _command(text: str) -> Action:
    return Action(words.SKILL_COMMAND, (text,))


def _record(step: int, done: str, description: str, commands: tuple[str, ...]) -> Observation:
    outcome = Outcome(request_id=f"example/{step}", step=step, action=_command(done), result=Result.SUCCEEDED)
    return Observation(
        step=step,
        last_outcome=outcome if done else Outcome(),
        description=description,
        inventory="You hold nothing.",
        admissible_commands=commands,
    )


_BEFORE = _record(0, "", _BEDROOM, ("walk to bed_1", "walk to kitchen_1", "walk to novel_1"))
_AFTER = _record(
    1,
    "walk to kitchen_1",
    _KITCHEN,
    ("walk to bedroom_1", "walk to fridge_1", "walk to glass_1", "walk to table_1"),
)
_PREVIOUS = ProgramsSummariser().answer(SummariseQuery(_TASK, Summary(), (_BEFORE,), 1))
_SUMMARISE = SummariseQuery(_TASK, _PREVIOUS, (_BEFORE, _AFTER), 1)
_SUMMARY = ProgramsSummariser().answer(_SUMMARISE)
_TEMPORAL = TemporalBelief(
    at=StepStamp(step=_AFTER.step),
    active_goals=_SUMMARY.active_goals,
    completed=_SUMMARY.completed,
    observations=_SUMMARY.observations,
    progress=_SUMMARY.progress,
    text=_SUMMARY.text,
)
_RELATIONS = ProgramsRelationRetriever().answer(RelationQuery(_TEMPORAL))
_FACTS = _RELATIONS.triples[1:]  # without where the robot was before
_AGGREGATE = AggregateQuery("kitchen_1", _FACTS, ())
_DESCRIPTION = ProgramsRelationAggregator().answer(_AGGREGATE)
_SPATIAL = SpatialBelief(
    at=StepStamp(step=_AFTER.step),
    room=_AGGREGATE.room,
    facts=(*_AGGREGATE.facts, *_DESCRIPTION.facts),
    text=_DESCRIPTION.text,
)
_ALLOWED = (
    *map(_command, _AFTER.admissible_commands),
    *map(Action, (words.SKILL_FINISH, words.SKILL_FINISH_UNVERIFIED, words.SKILL_GIVE_UP)),
)
_THINK = ThinkQuery(
    _TASK, _TEMPORAL, _SPATIAL, _ALLOWED, observation=f"{_AFTER.description}\n{_AFTER.inventory}"
)
_JUDGE = JudgeQuery(
    _TASK,
    (
        JudgedStep(
            "The glass was not seen yet, and kitchen_1 is a likely room.", _command("walk to kitchen_1")
        ),
        JudgedStep("glass_1 is to be held.", _command("walk to glass_1")),
        JudgedStep("All is done.", Action(words.SKILL_FINISH)),
    ),
)

EXAMPLES: Mapping[str, Any] = {
    SUMMARISER.name: _SUMMARISE,
    RELATION_RETRIEVER.name: RelationQuery(_TEMPORAL, _AFTER.step),
    RELATION_AGGREGATOR.name: _AGGREGATE,
    THINKER.name: _THINK,
    JUDGE.name: _JUDGE,
}
"""Questions of one activity by the name of the role."""
