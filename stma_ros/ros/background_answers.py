"""Asks the open questions of a component in a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from stma_ros.ros.worker import Worker
from stma_ros.types.common import Error
from stma_ros.types.component import OpenQuestion
from stma_ros.types.errors import ErrorCode, described
from stma_ros.types.scene_answer import SceneAnswer


@dataclass(eq=False)
class _Open:
    """A question whose answer the component has not handled. answer: None = it was not answered yet."""

    question: OpenQuestion
    answer: SceneAnswer | None = None


class BackgroundAnswers:
    """Asks questions one after the other, and delivers the answers in that order.

    A question is open until the component has handled its answer. What an inactive node does not get is delivered when
    it is active again, and what was not answered then is asked anew.
    """

    def __init__(
        self,
        name: str,
        deliver: Callable[[str, SceneAnswer], object],
        report: Callable[[OpenQuestion, Exception], None],
    ) -> None:
        """Starts the thread.

        Args:
            name: of the thread.
            deliver: takes each answer with its topic, in the thread.
            report: takes a question and what it raised, which no component expects; the answer is an error then.
        """
        self._deliver = deliver
        self._report = report
        self._lock = threading.Lock()
        self._open: dict[str, _Open] = {}  # by the id of the answer
        self._pauses = 0
        self._is_paused = False
        self._worker: Worker[_Open] = Worker(
            name, self._answer, lambda each, error: report(each.question, error)
        )

    def put(self, questions: Iterable[OpenQuestion]) -> None:
        """Takes questions of the component."""
        for question in questions:
            opened = _Open(question)
            with self._lock:
                self._open[question.answer_id] = opened
            self._worker.inbox.put(opened)

    def handled(self, answer_id: str) -> None:
        """Takes notice that the component has handled an answer."""
        with self._lock:
            self._open.pop(answer_id, None)

    def pause(self) -> None:
        """Delivers nothing until `resume`; an answer that is under way is dropped."""
        with self._lock:
            self._pauses += 1
            self._is_paused = True
        self._worker.inbox.clear()

    def resume(self) -> None:
        """Delivers the answers that were not handled, and asks the other open questions."""
        self._worker.inbox.clear()
        with self._lock:
            self._is_paused = False
            waiting = tuple(self._open.values())
        for each in waiting:
            self._worker.inbox.put(each)

    def end(self) -> None:
        """Lets the thread end after the current question, whose answer is dropped."""
        self.pause()
        self._worker.inbox.close()

    def join(self, timeout: float) -> bool:
        """Waits for the thread's end; returns False if it does not end within `timeout` [s]."""
        return self._worker.join(timeout)

    def _answer(self, opened: _Open) -> None:
        with self._lock:
            pauses = self._pauses
            if self._is_paused or self._open.get(opened.question.answer_id) is not opened:
                return
        answer = opened.answer or self._asked(opened.question)
        with self._lock:
            if pauses != self._pauses:
                return
            opened.answer = answer
        self._deliver(opened.question.topic, answer)

    def _asked(self, question: OpenQuestion) -> SceneAnswer:
        try:
            return question.ask()
        except Exception as error:  # noqa: BLE001 - the boundary: a component waits for an answer in any case
            self._report(question, error)
            return SceneAnswer(
                header=question.at.header, error=Error(ErrorCode.NODE_FAILED, described(error))
            )
