"""A reflector on text games that is a chat model (Reflexion, Shinn 2023)."""

from __future__ import annotations

from stma_ros.roles.contracts import Reflection, ReflectorRole, ReflectQuery
from stma_ros.roles.prompted.answering import Answering
from stma_ros.roles.prompted.asking import Line, UnusableReplyError
from stma_ros.roles.prompted.replies import ReflectionReply


class PromptedReflector:
    """A ReflectorRole."""

    def __init__(self, line: Line, rules: ReflectorRole | None = None) -> None:
        self._answering = Answering(
            line, "text/reflector", ReflectionReply, _reflection, rules.reflect if rules else None
        )

    def reflect(self, query: ReflectQuery) -> Reflection:
        return self._answering.answer(query)


def _reflection(reply: ReflectionReply, query: ReflectQuery) -> Reflection:
    lesson = reply.lesson.strip()
    if not lesson:
        raise UnusableReplyError("the lesson is empty")
    return Reflection(lesson)
