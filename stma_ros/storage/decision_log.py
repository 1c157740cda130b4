"""Logs of decisions in a canonical form, in which two runs can be compared."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from stma_ros.storage.files import write_atomically
from stma_ros.types import topics
from stma_ros.types.message import Message
from stma_ros.types.planning import (
    Action,
    ActionProposal,
    Critique,
    Outcome,
    Plan,
    PlanRequest,
    RecallRequest,
    TaskResult,
)

Record: TypeAlias = Mapping[str, Any]


class DecisionLog:
    """Collects the decisions among the messages of a runtime or a bag.

    Records contain no times, and tasks are numbered within the log, so that a run can be compared with its repetition
    on another runtime or at another time. Records are ordered by task, step, kind and revision; they do not depend on
    the order in which messages of different topics arrived, nor on repeated messages.
    """

    def __init__(self) -> None:
        self._lines: dict[str, Record] = {}

    def __call__(self, topic: str, message: Message) -> None:
        """Takes a message of any topic; messages that are not decisions are ignored."""
        describe = _DESCRIBE.get(topic)
        if describe is not None:
            self._add(
                {
                    "task": message.task_id,  # type: ignore[attr-defined]
                    "step": getattr(message, "step", None),
                    "kind": topic,
                    "revision": getattr(message, "revision", 0),
                    **describe(message),
                }
            )

    @property
    def records(self) -> tuple[Record, ...]:
        """The decisions in canonical order, ready for JSON."""
        return tuple(record for _, record in self._ordered())

    def __len__(self) -> int:
        return len(self._lines)

    def digest(self) -> str:
        """Returns the SHA-256 of the canonical text, which is equal for two logs if all decisions are."""
        return hashlib.sha256(self._text().encode()).hexdigest()

    def first_difference(self, other: DecisionLog) -> str:
        """Describes the first difference between two logs for users; empty if they are equal."""
        ours, theirs = self._ordered(), other._ordered()
        for (mine, our_record), (yours, their_record) in zip(ours, theirs, strict=False):
            if mine != yours:
                return _difference(our_record, their_record)
        if len(ours) == len(theirs):
            return ""
        if len(ours) > len(theirs):
            return f"only the first log goes on, with {_place(ours[len(theirs)][1])}"
        return f"only the second log goes on, with {_place(theirs[len(ours)][1])}"

    def write(self, path: Path) -> None:
        """Writes the log with one JSON object per line.

        Raises:
            StorageError: The file cannot be written.
        """
        write_atomically(path, self._text())

    def _add(self, record: Record) -> None:
        self._lines[_line(record)] = record

    def _ordered(self) -> list[tuple[str, Record]]:
        """Returns the records in canonical order, each with its line of text."""
        ids = sorted({record["task"] for record in self._lines.values()}, key=lambda name: (len(name), name))
        names = {name: f"task_{number}" for number, name in enumerate(ids, start=1)}
        records = [{**record, "task": names[record["task"]]} for record in self._lines.values()]
        return sorted(
            ((_line(record), record) for record in records), key=lambda entry: (_order(entry[1]), entry[0])
        )

    def _text(self) -> str:
        return "".join(f"{line}\n" for line, _ in self._ordered())


def _line(record: Record) -> str:
    return json.dumps(record, sort_keys=True, allow_nan=False)


def _plan_request(message: PlanRequest) -> Record:
    return {
        "text": message.task,
        "feedback": message.feedback,
        "rejected": _actions(message.rejected),
        "allowed": _actions(message.allowed_actions),
    }


def _plan(message: Plan) -> Record:
    actions = _actions(message.actions)
    return {"subgoal": message.subgoal, "actions": actions, "error": message.error.code.name}


def _action_proposal(message: ActionProposal) -> Record:
    return {"subgoal": message.subgoal, "action": str(message.action)}


def _recall_request(message: RecallRequest) -> Record:
    return {"subgoal": message.subgoal, "action": str(message.action)}


def _critique(message: Critique) -> Record:
    return {"verdict": message.verdict.name, "criterion": message.criterion.name, "reason": message.reason}


def _outcome(message: Outcome) -> Record:
    return {
        "action": str(message.action),
        "result": message.result.name,
        "error": message.error.code.name,
        "distance": _number(message.distance),
    }


def _task_result(message: TaskResult) -> Record:
    place = message.target.pose.position
    return {
        "status": message.status.name,
        "error": message.error.code.name,
        "text": message.text,
        "target": message.target.id,
        "place": [_number(place.x), _number(place.y), _number(place.z)],
        "commands": message.commands,
        **({"memory_actions": message.memory_actions} if message.memory_actions else {}),
    }


# In the order of a step, which begins with the outcome of the previous action.
_DESCRIBE: Mapping[str, Callable[[Any], Record]] = {
    topics.OUTCOME: _outcome,
    topics.PLAN_REQUEST: _plan_request,
    topics.PLAN: _plan,
    topics.ACTION_PROPOSAL: _action_proposal,
    topics.CRITIQUE: _critique,
    topics.RECALL_REQUEST: _recall_request,
    topics.TASK_RESULT: _task_result,
}
_KINDS = tuple(_DESCRIBE)


def _actions(actions: Iterable[Action]) -> list[str]:
    return [str(action) for action in actions]


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _order(record: Record) -> tuple[str, bool, int, int, int]:
    step = record["step"]
    return record["task"], step is None, step or 0, _KINDS.index(record["kind"]), record["revision"]


def _place(record: Record) -> str:
    step = "" if record["step"] is None else f", step {record['step']}"
    return f"task {record['task']!r}{step}: {record['kind']}, revision {record['revision']}"


def _difference(first: Record, second: Record) -> str:
    if _order(first) != _order(second):
        return f"the first log has {_place(first)}\nthe second log has {_place(second)}"
    changed = [key for key in {**first, **second} if first.get(key) != second.get(key)]
    lines = [f"  {key}\n    first:  {first.get(key)!r}\n    second: {second.get(key)!r}" for key in changed]
    return "\n".join([_place(first), *lines])
