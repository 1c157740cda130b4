"""One short question for each role, with which `stma doctor --model` checks that a model gives usable answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stma_ros.memory.working.subgoal_chunks import SubgoalChunks
from stma_ros.roles.observation_summariser import OBSERVATION_SUMMARISER, ChunkQuery
from stma_ros.roles.policy import POLICY, PolicyQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.action_model import ActionModel, ActionSchema, Literal, PredicateSchema, TypedName
from stma_ros.types.belief import SpatialBelief, SubgoalChunk, SubgoalState, Summary, TemporalBelief
from stma_ros.types.planning import Action, Outcome, Result
from stma_ros.types.sensing import Observation

_TASK = "Make this true: lamp1 is lit; lamp2 is lit."
_LAMP, _ROOM = TypedName(name="?lamp", type="lamp"), TypedName(name="?room", type="room")
_FROM, _TO = TypedName(name="?from", type="room"), TypedName(name="?to", type="room")
_HERE, _NOT_HERE, _LIT = "you are in {room}", "you are not in {room}", "{lamp} is lit"


def _literal(predicate: str, *arguments: str, negated: bool = False) -> Literal:
    return Literal(predicate=predicate, arguments=arguments, negated=negated)


_MODEL = ActionModel(
    name="lamps",
    types=(TypedName(name="lamp"), TypedName(name="room")),
    objects=(
        *(TypedName(name=name, type="lamp") for name in ("lamp1", "lamp2")),
        *(TypedName(name=name, type="room") for name in ("hall", "attic")),
    ),
    predicates=(
        PredicateSchema(name="here", parameters=(_ROOM,), sentence=_HERE, negation=_NOT_HERE),
        PredicateSchema(
            name="in",
            parameters=(_LAMP, _ROOM),
            sentence="{lamp} is in {room}",
            negation="{lamp} is not in {room}",
        ),
        PredicateSchema(name="lit", parameters=(_LAMP,), sentence=_LIT, negation="{lamp} is dark"),
    ),
    actions=(
        ActionSchema(
            name="walk",
            parameters=(_FROM, _TO),
            preconditions=(_literal("here", "?from"),),
            effects=(_literal("here", "?to"), _literal("here", "?from", negated=True)),
            command="walk from {from} to {to}",
        ),
        ActionSchema(
            name="light",
            parameters=(_LAMP, _ROOM),
            preconditions=(_literal("in", "?lamp", "?room"), _literal("here", "?room")),
            effects=(_literal("lit", "?lamp"),),
            command="light {lamp} in {room}",
        ),
    ),
)


def _record(step: int, command: str, feedback: str) -> Observation:
    outcome = Outcome(
        request_id=f"example/{step}",
        step=step,
        action=Action(words.SKILL_COMMAND, (command,)),
        result=Result.SUCCEEDED,
    )
    return Observation(
        step=step, last_outcome=outcome if command else Outcome(), feedback=feedback, action_model=_MODEL
    )


_FIRST, _SECOND = "lamp1 is lit", "lamp2 is lit"
_LOOK = _record(0, "", "lamp1 is in hall. lamp2 is in attic. you are in hall.")
_CLOSED = (_record(1, "light lamp1 in hall", "lamp1 is lit."),)
_NOW = _record(2, "walk from hall to attic", "you are in attic. you are not in hall.")


def _temporal() -> TemporalBelief:
    """Returns the belief after a closed subgoal and an action of the next one."""
    memory = SubgoalChunks(size=10)
    memory.add(_LOOK, "")
    for record in _CLOSED:
        memory.add(record, _FIRST)
    memory.add(_NOW, _SECOND)
    closed = SubgoalChunk(observation="Nothing else changed.", state=SubgoalState.MET)
    memory.condense(Summary(chunks=(closed,)))
    content = memory.content
    return TemporalBelief(subgoal=_SECOND, chunks=content.chunks, text=content.text)


_ALLOWED = (
    *(Action(words.SKILL_COMMAND, (text,)) for text in ("look around", "check valid actions")),
    Action(words.SKILL_GIVE_UP),
    Action(words.SKILL_RETRIEVE, ("1",)),
)

EXAMPLES: Mapping[str, Any] = {
    POLICY.name: PolicyQuery(_TASK, _temporal(), SpatialBelief(), _ALLOWED, model=_MODEL),
    OBSERVATION_SUMMARISER.name: ChunkQuery(_TASK, _FIRST, _CLOSED, first=_LOOK),
}
"""Questions of one task by the name of the role."""
