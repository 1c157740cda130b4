"""Observation summariser: sums up what a closed subgoal and those before it came to (HiAgent, section 3.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from stma_ros.memory.working.chunk_text import closed_lines, pair_text
from stma_ros.roles.action_model_text import action_model_text
from stma_ros.roles.corruption import Corrupted, CorruptionInput, FaultKind
from stma_ros.roles.rendering import headed, sections
from stma_ros.roles.spec import Role, RoleSpec, UnusableReplyError, Wait
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SubgoalChunk, SubgoalState
from stma_ros.types.planning import Outcome
from stma_ros.types.sensing import Observation

StateName: TypeAlias = Literal["met", "not_met", "unknown"]

STATES: Mapping[StateName, SubgoalState] = {
    "met": SubgoalState.MET,
    "not_met": SubgoalState.NOT_MET,
    "unknown": SubgoalState.UNKNOWN,
}
"""What came of a subgoal, by the names in replies."""

_MAX_COMPLETED = 1000  # outcomes that go from one summary to the next, which bounds beliefs of long tasks
_OPPOSITE = {SubgoalState.MET: SubgoalState.NOT_MET, SubgoalState.NOT_MET: SubgoalState.MET}


@dataclass(frozen=True)
class ChunkQuery:
    """The question to the observation summariser.

    Attributes:
        task: text of the task.
        subgoal: the subgoal that is closed.
        records: all records of the subgoal, oldest first; each observation holds the outcome of the action before it.
        previous: the subgoal before with its summary, which the new summary goes on from; without an observation if
            there is none.
        first: the first look around of the task.
    """

    task: str
    subgoal: str
    records: tuple[Observation, ...]
    previous: SubgoalChunk = SubgoalChunk()
    first: Observation = Observation()

    @property
    def completed(self) -> tuple[Outcome, ...]:
        """The outcomes of this subgoal and of those before, oldest first, at most _MAX_COMPLETED of them."""
        outcomes = (record.last_outcome for record in self.records)
        done = (each for each in outcomes if each.request_id and each.action.skill != words.SKILL_OBSERVE)
        return (*self.previous.completed, *done)[-_MAX_COMPLETED:]


ObservationSummariserRole: TypeAlias = Role[ChunkQuery, SubgoalChunk]
"""Returns observation, state, reason and outcomes of the subgoal; id, subgoal and `whole` are left to the memory.

Outcomes are taken from the question, never from what a model writes.
"""


def _text(query: ChunkQuery) -> str:
    # Observations need not say what an action changed: its effects do.
    return sections(
        f"Task: {query.task}",
        headed("Actions", action_model_text(query.records[-1].action_model)),
        headed("At first", pair_text(query.first)),
        headed("So far", "\n".join(closed_lines(query.previous)) if query.previous.observation else ""),
        f"Subgoal: {query.subgoal}",
        headed("Actions and observations", "\n".join(map(pair_text, query.records))),
    )


@dataclass(frozen=True)
class ChunkReply:
    """reason: why the subgoal is met or not; may be empty."""

    observation: str
    state: StateName
    reason: str


def _read(reply: ChunkReply, query: ChunkQuery) -> SubgoalChunk:
    observation = " ".join(reply.observation.split())
    if not observation:
        raise UnusableReplyError("the observation is empty; say what the subgoal came to")
    return SubgoalChunk(
        observation=observation,
        state=STATES[reply.state],
        reason=" ".join(reply.reason.split()),
        completed=query.completed,
    )


def _corrupt(target: CorruptionInput[ChunkQuery, SubgoalChunk]) -> Corrupted[SubgoalChunk] | None:
    answer = target.answer
    state = _OPPOSITE.get(answer.state)
    if state is None:
        return None
    wrong = replace(answer, state=state, reason="")
    return Corrupted(wrong, FaultKind.FLIPPED, state.name)


OBSERVATION_SUMMARISER = RoleSpec(
    name="observation_summariser",
    question=ChunkQuery,
    answer=SubgoalChunk,
    reply=ChunkReply,
    text=_text,
    read=_read,
    wait=Wait.BELIEFS,
    faults=(FaultKind.FLIPPED,),
    corrupt=_corrupt,
)
