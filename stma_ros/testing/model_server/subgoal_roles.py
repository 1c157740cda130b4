"""Stand-ins for models in the roles of agents with subgoals in worlds of text: policy and observation summariser.

Each parses the text of its question, the action model included, lets the rules of a domain decide, and returns the
reply of a model. It raises UnreadableQuestionError for a question in another format. The parts of the questions that
do not differ by domain are parsed here for household robots as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TypeAlias

from stma_ros.domains.pddl.believed_state import is_no_effect
from stma_ros.memory.working.chunk_text import SUBGOAL_LINE, state_of
from stma_ros.roles.observation_summariser import STATES, ChunkQuery, ChunkReply, ObservationSummariserRole
from stma_ros.roles.planner import PlanAnswer
from stma_ros.roles.policy import ANY_COMMAND, INSTANCES, PolicyQuery, PolicyReply, PolicyRole
from stma_ros.testing.model_server.action_model_reader import read_action_model
from stma_ros.testing.model_server.decision_prompts import Parsers, failure_name
from stma_ros.testing.model_server.sections import UnreadableQuestionError, read_action, required, sections
from stma_ros.types import vocabulary as words
from stma_ros.types.action_model import ActionModel
from stma_ros.types.belief import SpatialBelief, SubgoalChunk, TemporalBelief
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode, TaskNotUnderstoodError
from stma_ros.types.planning import Action, Outcome, Result
from stma_ros.types.sensing import Observation

RecordReader: TypeAlias = Callable[[str, ActionModel], Iterable[Observation]]
"""Parses the records in a text, oldest first, of a world with this action model."""

_STATE_NAMES = {state: name for name, state in STATES.items()}
_GIVE_UP = Action(words.SKILL_GIVE_UP)
_POLICY_HEADINGS = (
    "Task: ",
    "Actions:\n",
    "What happened:\n",
    "Where things are:\n",
    "Allowed:\n",
    "Subgoals:\n",
    "The last action was dropped:\n",
    "Rejected:\n",
)
_CHUNK_HEADINGS = (
    "Task: ",
    "Actions:\n",
    "At first:\n",
    "So far:\n",
    "Subgoal: ",
    "Actions and observations:\n",
)
_RETRIEVAL = re.compile(rf"{words.SKILL_RETRIEVE}\((?P<ids>[^()]*)\)")
_SUBGOAL = re.compile(rf"^{SUBGOAL_LINE.pattern}$", re.MULTILINE)
_SUMMARY = re.compile(r"^Summary: (?P<text>.*)$", re.MULTILINE)
_REASON = re.compile(r"^Reason: (?P<text>.*)$", re.MULTILINE)
_ACTION = re.compile(r"^Action: ", re.MULTILINE)
_LINE = re.compile(r"^(?P<head>Action|Failed|Observation): (?P<text>.*)$", re.MULTILINE)
_NO_RECORD = Observation()


def choose(question: str, rules: PolicyRole) -> PolicyReply:
    """Returns the reply of the policy, which gives up a task that the rules cannot read.

    Args:
        question: Its text.
        rules: The policy by rules.

    Raises:
        TaskNotUnderstoodError: The task cannot be read, and giving up is not allowed.
        RoleError: The rules find no action.
    """
    query = policy_query(question)
    try:
        answer = rules.answer(query)
    except TaskNotUnderstoodError as problem:
        if _GIVE_UP not in query.allowed_actions:
            raise
        answer = PlanAnswer("end the task", (_GIVE_UP,), str(problem), ErrorCode.IMPOSSIBLE)
    return policy_reply(answer)


def policy_reply(answer: PlanAnswer) -> PolicyReply:
    """Returns the reply of a model that gives this answer."""
    return PolicyReply(answer.reasoning, answer.subgoal, str(answer.actions[0]), failure_name(answer))


def policy_query(question: str, parsers: Parsers | None = None) -> PolicyQuery:
    """Parses a question to the policy.

    Args:
        question: Its text.
        parsers: Parsers of a domain's beliefs and actions; None = those for worlds of text.

    Raises:
        UnreadableQuestionError: A required section is missing.
    """
    parsers = parsers or _TEXT_PARSERS
    parts = sections(question, _POLICY_HEADINGS)
    allowed = required(parts, "Allowed").split("\n")
    return PolicyQuery(
        required(parts, "Task"),
        parsers.temporal(parts.get("What happened", "")),
        parsers.spatial(parts.get("Where things are", "")),
        tuple(parsers.action(line) for line in allowed if line not in (ANY_COMMAND, INSTANCES)),
        parts.get("The last action was dropped", ""),
        parsers.actions(parts.get("Rejected", "")),
        model=read_action_model(parts.get("Actions", "")),
        any_command=ANY_COMMAND in allowed,
        subgoals="Subgoals" not in parts,
    )


def _read_action(text: str) -> Action:
    retrieval = _RETRIEVAL.fullmatch(text)
    if retrieval is None:
        return read_action(text)
    return Action(words.SKILL_RETRIEVE, tuple(each.strip() for each in retrieval["ids"].split(",")))


def _read_temporal(text: str) -> TemporalBelief:
    """Parses the history of a task (memory.working.chunk_text); the newest subgoal is the present one."""
    chunks = read_chunks(text)
    return TemporalBelief(subgoal=chunks[-1].subgoal if chunks else "", chunks=chunks, text=text)


def _no_spatial(text: str) -> SpatialBelief:
    """Returns an empty belief: in worlds of text the policy has only the history."""
    return SpatialBelief()


_TEXT_PARSERS = Parsers(_read_temporal, _no_spatial, _read_action)


def read_chunks(text: str) -> tuple[SubgoalChunk, ...]:
    """Parses the subgoals in the history of a task, without their records."""
    starts = list(_SUBGOAL.finditer(text))
    ends = [*(start.start() for start in starts[1:]), len(text)]
    return tuple(
        _read_chunk(start, text[start.end() : end]) for start, end in zip(starts, ends, strict=False)
    )


def _read_chunk(start: re.Match[str], text: str) -> SubgoalChunk:
    """Parses a subgoal. text: the lines after its first one."""
    summary, reason = _SUMMARY.search(text), _REASON.search(text)
    return SubgoalChunk(
        id=int(start["id"]),
        subgoal=start["subgoal"],
        state=state_of(start),
        observation=summary["text"] if summary is not None else "",
        reason=reason["text"] if reason is not None else "",
        whole=_ACTION.search(text) is not None,
    )


def sum_up(question: str, rules: ObservationSummariserRole) -> ChunkReply:
    """Returns the reply of the observation summariser.

    Args:
        question: Its text.
        rules: The summariser by rules.

    Raises:
        RoleError: The rules have no answer.
    """
    return chunk_reply(rules.answer(chunk_query(question)))


def chunk_reply(answer: SubgoalChunk) -> ChunkReply:
    """Returns the reply of a model that gives this answer."""
    return ChunkReply(answer.observation, _STATE_NAMES[answer.state], answer.reason)


def chunk_query(question: str, read_records: RecordReader | None = None) -> ChunkQuery:
    """Parses a question to the observation summariser.

    Args:
        question: Its text.
        read_records: Parses the records of a subgoal; None = those of worlds of text.

    Raises:
        UnreadableQuestionError: A required section is missing, or there are no records.
    """
    read_records = read_records or _read_records
    parts = sections(question, _CHUNK_HEADINGS)
    model = read_action_model(parts.get("Actions", ""))
    records = tuple(read_records(required(parts, "Actions and observations"), model))
    if not records:
        raise UnreadableQuestionError("the question has neither actions nor observations")
    first = next(iter(read_records(parts.get("At first", ""), model)), Observation())
    previous = next(iter(read_chunks(parts.get("So far", ""))), SubgoalChunk())
    return ChunkQuery(required(parts, "Task"), required(parts, "Subgoal"), records, previous, first)


def _read_records(text: str, model: ActionModel) -> Iterator[Observation]:
    """Yields the records of a subgoal."""
    record = _NO_RECORD
    for match in _LINE.finditer(text):
        head, said = match["head"], match["text"]
        is_said = bool(record.feedback or record.description)
        if head == "Action" or (head == "Observation" and (record is _NO_RECORD or is_said)):
            if record is not _NO_RECORD:
                yield record
            record = Observation(action_model=model)
        if head == "Action":
            outcome = Outcome(request_id="read", action=read_action(said), result=Result.SUCCEEDED)
            record = replace(record, last_outcome=outcome)
        elif head == "Failed":
            record = _failed(record, said)
        elif is_no_effect(said):  # feedback takes the place of the line that says why it failed
            record = replace(_failed(record, said), feedback=said)
        else:
            record = replace(record, description=said)
    if record is not _NO_RECORD:
        yield record


def _failed(record: Observation, why: str) -> Observation:
    error = Error(ErrorCode.NO_EFFECT, why)
    return replace(record, last_outcome=replace(record.last_outcome, result=Result.FAILED, error=error))
