"""One short question for each role, with which `stma doctor --model` checks that a model gives usable answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stma_ros.domains.adventure.observation_summariser import AdventureObservationSummariser
from stma_ros.memory.working.subgoal_chunks import SubgoalChunks
from stma_ros.roles.observation_summariser import OBSERVATION_SUMMARISER, ChunkQuery
from stma_ros.roles.policy import POLICY, PolicyQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, Summary, TemporalBelief
from stma_ros.types.planning import Action, Outcome, Result
from stma_ros.types.sensing import Observation
from stma_ros.types.stepped import StepStamp

_TASK = "Explore the world of this text adventure, and score as many points as you can."
_HALL = "Great Hall\nA staircase leads up, and an archway opens to the east. A lantern hangs from a hook."
_LIBRARY = "Library\nShelves line the walls. The only exit is west. There is a diary here."
_NOTHING, _DIARY = "You are empty-handed.", "You have a diary."


def _record(step: int, done: str, feedback: str, description: str, carried: str) -> Observation:
    outcome = Outcome(
        request_id=f"example/{step}",
        step=step,
        action=Action(words.SKILL_COMMAND, (done,)),
        result=Result.SUCCEEDED,
    )
    return Observation(
        step=step,
        last_outcome=outcome if done else Outcome(),
        feedback=feedback,
        description=description,
        inventory=carried,
        any_command=True,
    )


_FIRST, _SECOND = "explore east of Great Hall", "explore up from Great Hall"
_LOOK = _record(0, "", f"Welcome to the castle.\n\n{_HALL}", _HALL, _NOTHING)
_CLOSED = (
    _record(1, "east", _LIBRARY, _LIBRARY, _NOTHING),
    _record(2, "take diary", "Taken.", _LIBRARY.rpartition(" There")[0], _DIARY),
)
_PRESENT = (
    _record(3, "west", "Great Hall", _HALL, _DIARY),
    _record(4, "up", "The staircase ends at a locked hatch.", _HALL, _DIARY),
)
_BEFORE = AdventureObservationSummariser().answer(ChunkQuery(_TASK, _FIRST, _CLOSED, first=_LOOK))


def _temporal() -> TemporalBelief:
    memory = SubgoalChunks(size=100)
    memory.add(_LOOK, "")
    for record in _CLOSED:
        memory.add(record, _FIRST)
    for record in _PRESENT:
        memory.add(record, _SECOND)
    memory.condense(Summary(chunks=(_BEFORE,)))
    content = memory.content
    return TemporalBelief(
        at=StepStamp(step=_PRESENT[-1].step),
        subgoal=_SECOND,
        active_goals=(_TASK,),
        completed=content.completed,
        chunks=content.chunks,
        text=content.text,
    )


_NOW = "\n".join((_PRESENT[-1].feedback, _HALL, _DIARY))
_BELIEF = _temporal()
_CHOOSE = PolicyQuery(
    _TASK,
    _BELIEF,
    SpatialBelief(),
    (Action(words.SKILL_GIVE_UP), Action(words.SKILL_RETRIEVE, ("1",))),
    observation=_NOW,
    any_command=True,
)
_SUM_UP = ChunkQuery(_TASK, _SECOND, _PRESENT, _BELIEF.chunks[0], _LOOK)

EXAMPLES: Mapping[str, Any] = {POLICY.name: _CHOOSE, OBSERVATION_SUMMARISER.name: _SUM_UP}
"""Questions of one story by the name of the role."""
