"""Reports the model calls of a component with the steps that they belong to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from stma_ros.models.call_log import StepContext
from stma_ros.models.model_pool import ModelPool
from stma_ros.types import topics
from stma_ros.types.component import Asking, Closeable, Component, Emission, OpenQuestion
from stma_ros.types.message import Message
from stma_ros.types.scene_answer import SceneAnswer
from stma_ros.types.sensing import Step
from stma_ros.types.standard import Header


class ModelCallReporter:
    """Wraps a component, and emits its model calls before the messages that result from them. Those of open questions
    come with their answers."""

    def __init__(self, component: Component, models: ModelPool) -> None:
        """Wraps a component.

        Args:
            component: The component whose roles ask models.
            models: The pool that they ask; the caller owns it.
        """
        self._component = component
        self._models = models
        self._task_id = ""
        self._step = 0

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        return self._handle(topic, message)

    def _handle(self, topic: str, message: Message) -> Iterator[Emission]:
        task_id = getattr(message, "task_id", "")  # frames do not name a task
        if task_id or isinstance(message, Step):
            before = self._step if task_id == self._task_id else 0
            self._task_id, self._step = task_id, getattr(message, "step", before)
        header = getattr(message, "header", Header())
        self._models.begin(Header(header.stamp), self._task_id, self._step)
        for emission in self._component.handle(topic, message):
            yield from self._asked()
            yield emission
        yield from self._asked()

    def take_questions(self) -> Sequence[OpenQuestion]:
        if not isinstance(self._component, Asking):
            return ()
        return [self._reported(question) for question in self._component.take_questions()]

    def _reported(self, question: OpenQuestion) -> OpenQuestion:
        at = question.at
        context = StepContext(Header(at.header.stamp), at.task_id, at.step)

        def ask() -> SceneAnswer:
            with self._models.aside(context) as calls:
                answer = question.ask()
                return replace(answer, calls=tuple(calls))

        return replace(question, ask=ask)

    def close(self) -> None:
        if isinstance(self._component, Closeable):
            self._component.close()

    def _asked(self) -> Iterator[Emission]:
        return ((topics.MODEL_CALL, call) for call in self._models.log.take())
