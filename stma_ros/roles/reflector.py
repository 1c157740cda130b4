"""Reflector: draws a lesson from a task that did not succeed (Reflexion, Shinn 2023)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from stma_ros.roles.rendering import headed, sections
from stma_ros.roles.spec import Role, RoleSpec, UnusableReplyError, Wait
from stma_ros.types.belief import Summary
from stma_ros.types.common import Error
from stma_ros.types.planning import TaskStatus


@dataclass(frozen=True)
class ReflectQuery:
    """A failed task.

    Attributes:
        task: text of the task.
        summary: its condensed history.
        status: the status with which it ended.
        error: the error with which it ended.
        earlier: lessons of earlier attempts, oldest first.
    """

    task: str
    summary: Summary
    status: TaskStatus
    error: Error
    earlier: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reflection:
    """The lesson of a failed task.

    Attributes:
        text: advice for the next attempt, in plain English.
    """

    text: str


ReflectorRole: TypeAlias = Role[ReflectQuery, Reflection]
"""Returns the lesson of a failed task."""


def _text(query: ReflectQuery) -> str:
    return sections(
        f"Task: {query.task}",
        headed("What happened", query.summary.text),
        headed("How it ended", f"{query.status.name} {query.error.text}"),
        headed("Learnt before", "\n".join(query.earlier)),
    )


@dataclass(frozen=True)
class ReflectionReply:
    lesson: str


def _read(reply: ReflectionReply, query: ReflectQuery) -> Reflection:
    lesson = reply.lesson.strip()
    if not lesson:
        raise UnusableReplyError("the lesson is empty")
    return Reflection(lesson)


REFLECTOR = RoleSpec(
    name="reflector",
    question=ReflectQuery,
    answer=Reflection,
    reply=ReflectionReply,
    text=_text,
    read=_read,
    wait=Wait.BELIEFS,
)
