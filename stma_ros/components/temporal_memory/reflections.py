"""What an agent learns from tasks that it failed at (Reflexion, Shinn 2023)."""

from __future__ import annotations

from collections import deque

from stma_ros.roles.reflector import Reflection, ReflectorRole, ReflectQuery
from stma_ros.types.errors import RoleError


class Reflections:
    """The lessons of the last `keep` tasks that failed, each for further attempts at the same task."""

    def __init__(self, keep: int, role: ReflectorRole) -> None:
        self._role = role
        self._lessons: deque[tuple[str, str]] = deque(maxlen=keep)

    def of(self, task: str) -> tuple[str, ...]:
        """What earlier attempts at a task taught, oldest first."""
        return tuple(lesson for learnt_from, lesson in self._lessons if learnt_from == task)

    def learn(self, query: ReflectQuery) -> None:
        """Reflect on a task. A role that has no answer leaves how the task ended as the lesson."""
        try:
            answer = self._role.answer(query)
        except RoleError as error:
            answer = Reflection(f"It failed: {query.error.text} Nothing more was learnt: {error}")
        self._lessons.append((query.task, answer.text))


def lessons_text(lessons: tuple[str, ...]) -> str:
    """Lessons as a prompt would hold them; empty where there are none."""
    numbered = (f"After attempt {number}:\n{lesson}" for number, lesson in enumerate(lessons, start=1))
    return "\n".join(("What I learnt from failing at this task before:", *numbered)) + "\n" if lessons else ""
