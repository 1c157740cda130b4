"""A session in this process, on the LocalRuntime."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING

from stma_ros.agents.configured_agent import ConfiguredAgent
from stma_ros.agents.local_agent import LocalAgent
from stma_ros.agents.local_runtime import Tap
from stma_ros.agents.node_spec import RECORDER
from stma_ros.apps.memory_use import memory_use
from stma_ros.apps.session.session import Session, SessionSpec, check_retry
from stma_ros.storage.bag.writer import BagWriter, MessageRecorder
from stma_ros.storage.experiences.recorded import record_experiences
from stma_ros.storage.memory_store import record_memory
from stma_ros.storage.provenance import about_run
from stma_ros.storage.run_folder import RunFolder
from stma_ros.types import topics
from stma_ros.types.common import Error
from stma_ros.types.control import Fault
from stma_ros.types.errors import StmaError
from stma_ros.types.message import Message
from stma_ros.types.planning import TaskResult
from stma_ros.types.standard import Header
from stma_ros.types.world import World
from stma_ros.worlds.registry import make_world

if TYPE_CHECKING:
    from stma_ros.models.model_pool import ModelPool


class LocalSession:
    """A Session in this process."""

    def __init__(
        self,
        world: World,
        agent: ConfiguredAgent,
        recorder: MessageRecorder | None = None,
        models: ModelPool | None = None,
    ) -> None:
        """Creates a session.

        Args:
            world: as in LocalAgent.
            agent: as in LocalAgent.
            recorder: records every episode; None = nothing is recorded.
            models: as in LocalAgent.
        """
        self._world = world
        self._configured = agent
        self._recorder = recorder
        self._models = models
        self._agent: LocalAgent | None = None
        self._start = "", 0  # scene and seed

    def start_episode(
        self, scene: str, seed: int, taps: Iterable[Tap] = (), folder: RunFolder | None = None
    ) -> str:
        self.close()
        if self._models is not None:
            self._models.start(None if folder is None else folder.path)
        name = self._world.reset(scene, seed)
        self._start = scene, seed
        taps = tuple(taps)
        if self._recorder is not None:
            taps = (_Recording(self._recorder, taps), *taps)
        self._agent = LocalAgent(self._world, self._configured, taps, models=self._models)
        return name

    def run_task(self, text: str, max_commands: int = 0) -> TaskResult:
        if self._agent is None:
            raise StmaError("no episode has begun; start_episode comes before run_task")
        return self._agent.run_task(text, max_commands)

    def retry(self) -> None:
        if self._agent is None:
            raise StmaError("no episode has begun; start_episode comes before retry")
        check_retry(self._configured.wiring)
        self._world.reset(*self._start)

    def memory(self) -> float:
        return memory_use([os.getpid()])

    def close(self) -> None:
        """Closes the agent, which saves and releases its resources."""
        agent, self._agent = self._agent, None
        if agent is not None:
            agent.close()


class _Recording:
    """Records messages until the bag ends. A full disk ends the bag, not the run: as on the ROS graph, the other taps
    receive a fault for each new cause."""

    def __init__(self, recorder: MessageRecorder, others: Sequence[Tap]) -> None:
        self._recorder = recorder
        self._others = others
        self._reported = ""

    def __call__(self, topic: str, message: Message) -> None:
        if self._recorder.closed:
            return
        try:
            self._recorder(topic, message)
        except StmaError as error:
            if str(error) != self._reported:
                self._reported = str(error)
                header = Header(getattr(message, "header", Header()).stamp)
                fault = Fault(header=header, node=RECORDER, error=Error.of(error))
                for tap in self._others:
                    tap(topics.FAULT, fault)


def _recorder(spec: SessionSpec, folder: RunFolder, stack: ExitStack) -> MessageRecorder:
    config = spec.recording_config()
    writer = BagWriter(folder.path, about_run({**folder.settings(), **asdict(spec)}), config=config)
    stack.enter_context(writer)
    # Late, as an existing bag retains its own memory.
    agent = spec.agent()
    record_memory(agent.memory_dir if config.includes_memory else "", folder.path)
    record_experiences(agent.experience_store, folder.path)
    return MessageRecorder(writer, config=config)


@contextmanager
def open_local(spec: SessionSpec, folder: RunFolder, record: bool) -> Iterator[Session]:
    """Implements open_session.open_session."""
    agent = spec.agent()
    with ExitStack() as stack:
        world = make_world(spec.world, spec.world_options)
        stack.callback(world.close)
        recorder = _recorder(spec, folder, stack) if record else None
        models, asked = None, spec.model_config()
        if asked.model_roles:
            from stma_ros.models.model_pool import (
                ModelPool,  # a slow import, for sessions with models only
            )

            models = ModelPool(asked)
            stack.callback(models.close)
        session = LocalSession(world, agent, recorder, models)
        stack.callback(session.close)
        yield session
