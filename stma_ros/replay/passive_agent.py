"""Runs perception and spatial memory on camera frames without a task."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from stma_ros.agents.configured_agent import ConfiguredAgent, configuration
from stma_ros.agents.local_runtime import LocalRuntime, Tap
from stma_ros.roles.registry import RoleModelConfig
from stma_ros.sensing.camera_frame import CameraFrame
from stma_ros.types import topics
from stma_ros.types.component import Closeable
from stma_ros.types.errors import StmaError
from stma_ros.types.message import Message
from stma_ros.types.remembering import ObjectQuery, ObjectQueryResult
from stma_ros.types.sensing import Step
from stma_ros.types.standard import NANOSECONDS_PER_SECOND, Header, Time

if TYPE_CHECKING:
    from stma_ros.models.model_pool import ModelPool

STEP_SECONDS = 2.0
"""Recorded time after which a step begins [s]."""

STEP_FRAMES = 60
"""Number of frames after which a step begins: fewer than the limit of the components' buffers."""


class PassiveAgent:
    """Feeds camera frames to the components of an agent that take them, one frame after the other. All frames are
    mapped; there is no planner, critic or executor."""

    def __init__(
        self,
        agent: ConfiguredAgent,
        taps: Iterable[Tap] = (),
        models: ModelPool | None = None,
        on_error: Callable[[StmaError], None] | None = None,
    ) -> None:
        """Args:
            agent: for a body with a camera.
            taps: receive every message.
            models: pool for the roles; the caller owns it.
            on_error: called for a frame that a component could not take, which is skipped; None = the error is raised.

        Raises:
            StmaError: a configuration cannot be followed.
        """
        configs, domain = agent.configs, agent.matched.domain
        specs = agent.wiring.sensing
        bindings = [spec.bind(configs[name], domain, models) for name, spec in specs.items()]
        self._components = tuple(item.component for item in bindings)
        self._runtime = LocalRuntime(bindings, (*taps, self._observe))
        self._answer: ObjectQueryResult | None = None
        self._questions = 0
        self._on_error = on_error
        self._step = 0
        self._frames = 0  # since the last step
        self._reached = Time()
        self._step_began = -1  # [ns]
        self._configurations = []
        for name, spec in specs.items():  # recorded, so that the run can be replayed
            asked = (RoleModelConfig() if models is None else models.config) if spec.roles else None
            self._configurations.append(configuration(Header(), name, agent.matched, configs[name], asked))

    @property
    def reached(self) -> Time:
        """The stamp of the newest frame."""
        return self._reached

    def take(self, frame: CameraFrame) -> None:
        """Takes a frame with all parts of topics.FRAME and a later stamp than the frame before."""
        self._reached = frame.stamp
        if self._step_began < 0:
            self._publish_configurations()
        for topic, message in frame.parts.items():
            self._runtime.publish(topic, message)
        self._runtime.run()
        self._frames += 1
        elapsed = self._reached.nanoseconds - self._step_began
        if elapsed >= STEP_SECONDS * NANOSECONDS_PER_SECOND or self._frames >= STEP_FRAMES:
            self.end_step()

    def _publish_configurations(self) -> None:
        """Publishes the configurations with the stamp of the first frame: a recording that began at 0 would span the
        years since 1970."""
        self._step_began = self._reached.nanoseconds
        for each in self._configurations:
            self._runtime.publish(topics.CONFIGURATION, replace(each, header=Header(self._reached)))

    def end_step(self) -> None:
        """Requests the beliefs of all frames so far. Does nothing without a new frame."""
        if not self._frames:
            return
        for left in reversed(range(self._frames + 1)):
            try:
                self._make_step()
                break
            except (
                StmaError
            ) as error:  # for example of a frame outside of every possible map; later frames still wait
                if self._on_error is None or not left:
                    raise
                self._on_error(error)
        self._frames = 0
        self._step_began = self._reached.nanoseconds

    def _make_step(self) -> None:
        step = Step(header=Header(self._reached), step=self._step, watermark=self._reached)
        self._step += 1
        self._runtime.publish(topics.STEP, step)
        self._runtime.run()

    def finish(self) -> None:
        """Ends the last step. Questions may follow, frames may not."""
        self.end_step()

    def ask(self, description: str) -> ObjectQueryResult:
        """Returns where the described object was last seen, as of the frames so far."""
        self.end_step()
        self._questions += 1
        self._answer = None
        query = ObjectQuery(
            header=Header(self._reached), request_id=f"question_{self._questions}", description=description
        )
        self._runtime.publish(topics.OBJECT_QUERY, query)
        self._runtime.run()
        answer: ObjectQueryResult | None = self._answer
        if answer is None:
            raise StmaError(
                "no component that takes camera frames answers questions; is spatial_memory a component of the agent?"
            )
        return answer

    def close(self) -> None:
        """Closes the components, which save and release their resources. Raises StmaError."""
        components, self._components = self._components, ()
        for component in components:
            if isinstance(component, Closeable):
                component.close()

    def _observe(self, topic: str, message: Message) -> None:
        if isinstance(message, ObjectQueryResult):
            self._answer = message
