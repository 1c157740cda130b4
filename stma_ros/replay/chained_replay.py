"""Replays a recorded run with components that feed one another: shows how another agent would have decided.

Messages of the world and the executor are fed as recorded, so that each decision is requested where it was recorded
(teacher forcing); beliefs, scene graph and map come from the running components.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TypeAlias

from stma_ros.agents.configured_agent import configuration, configure_agent
from stma_ros.agents.local_runtime import Binding, LocalRuntime
from stma_ros.agents.registry import AGENTS, DEFAULT_PRESET, AgentRegistry
from stma_ros.replay.recorded_message import Pending, Reader
from stma_ros.replay.replay_agent import Changes, ReplayAgent, offer_of
from stma_ros.roles.registry import RoleModelConfig
from stma_ros.storage.bag.messages import OnDamage
from stma_ros.storage.bag.reader import Bag
from stma_ros.types import topics
from stma_ros.types.component import Closeable
from stma_ros.types.control import Configuration
from stma_ros.types.errors import StorageError, described
from stma_ros.types.message import Message
from stma_ros.types.remembering import ObjectQuery, ObjectQueryResult
from stma_ros.types.standard import Header

EXECUTOR = "executor"
SPATIAL_MEMORY = "spatial_memory"

_REQUEST_PREFIX = "asked_in_replay_"
"""Prefix of the request ids, which must differ from recorded ones: components ignore repeated ids."""

TimedTap: TypeAlias = Callable[[str, int, Message], None]
"""Takes the topic, the log time of the recorded message under way [ns], and the message."""


@dataclass(frozen=True)
class TimedQuestion:
    """A question to the spatial memory. at_ns: log time [ns] up to which the recording is fed before the question is
    asked; None = its end."""

    text: str
    at_ns: int | None = None


class ChainedReplay:
    """One pass over a bag, with components that receive one another's outputs."""

    def __init__(
        self,
        bag: Bag,
        changes: Changes = Changes(),
        only: Collection[str] = (),
        tap: TimedTap | None = None,
        on_damage: OnDamage = lambda _: None,
        agents: AgentRegistry = AGENTS,
    ) -> None:
        """Args:
        only: names of the components to run; empty = all except the executor, which never runs.
        tap: receives every message that is fed or published.
        on_damage: called for each unreadable part, which is skipped.
        agents: the registry with the recorded agent and the preset of the changes.
        """
        self._agents = agents
        self._bag = bag
        self._changes = changes
        self._only = only
        self._tap = tap
        self._on_damage = on_damage
        self._notes: Counter[str] = Counter()
        self._names: set[str] = set()
        self._bindings: dict[str, Binding] = {}
        self._runtime = LocalRuntime(())
        self._spoken: frozenset[str] = frozenset()  # topics with recorded messages
        self._now = 0
        self._questions = 0
        self._answer: ObjectQueryResult | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        """The errors of components, and the settings that differ from the recording."""
        return tuple(text if count == 1 else f"{text} ({count} times)" for text, count in self._notes.items())

    def run(
        self, questions: Sequence[TimedQuestion] = (), progress: Callable[[int], None] = lambda _: None
    ) -> list[ObjectQueryResult]:
        """Returns the answers, in the order of the questions.

        Args:
            questions: asked at their log times.
            progress: called now and then with the number of messages read.

        Raises:
            StorageError: the bag holds no inputs of the components.
            ConfigurationError: impossible changes.
        """
        order = sorted(range(len(questions)), key=lambda number: _time(questions[number]))
        answers: dict[int, ObjectQueryResult] = {}
        reader = Reader(self._bag, self._on_damage)
        self._spoken = reader.spoken
        with closing(ReplayAgent(self._bag.folder, self._changes, self._agents)) as agent:
            made = self._make_all(reader, agent)
            for count, recorded in enumerate(reader.messages()):
                while order and _time(questions[order[0]]) < recorded.stamp_ns:
                    number = order.pop(0)
                    answers[number] = self._ask(questions[number].text)
                self._now = max(self._now, recorded.stamp_ns)
                self._feed(recorded, reader, agent, made)
                if count % 100 == 0:
                    progress(count)
            answers |= {number: self._ask(questions[number].text) for number in order}
            _close(self._bindings.values())
            self._notes.update(agent.notes)
        return [answers[number] for number in range(len(questions))]

    def _make_all(self, reader: Reader, agent: ReplayAgent) -> set[str]:
        """Makes the components; returns the names of those whose configuration is still to come in the bag."""
        if not {topics.OBSERVATION, topics.TASK, topics.STEP} & reader.topics:
            raise StorageError(
                f"{self._bag.path} holds no run of this agent; `stma replay` looks through a robot's own recording, "
                "and the folder that it leaves can be scored"
            )
        recorded: dict[str, Configuration] = {}
        ahead = Reader(self._bag, lambda _: None)  # damage is reported when the whole bag is read
        for _, _, message in ahead.decoded((topics.CONFIGURATION,)):
            assert isinstance(message, Configuration)
            recorded.setdefault(message.component, message)
        configured = agent.configurations_of(
            tuple(recorded.values()) or tuple(self._default_configurations(reader))
        )
        self._names = {each.component for each in configured} - {EXECUTOR}
        agent.check(self._names)
        for each in configured:
            self._make(each, agent)
        return set(recorded)

    def _default_configurations(self, reader: Reader) -> Iterator[Configuration]:
        """Yields configurations of the default preset, for a bag that has none."""
        has_frames = bool(reader.topics & set(topics.FRAME))
        default = self._agents.agent_of(DEFAULT_PRESET).name
        matched = next(each for each in self._agents.matches(default) if each.wiring.has_camera == has_frames)
        if not self._changes.preset:
            self._notes.update(
                [f"the bag does not tell its settings; those of the preset {DEFAULT_PRESET} are taken"]
            )
        configured = configure_agent(offer=offer_of(matched), agents=self._agents)
        for name, config in configured.configs.items():
            yield configuration(Header(), name, configured.matched, config, RoleModelConfig())

    def _feed(self, recorded: Pending, reader: Reader, agent: ReplayAgent, made: set[str]) -> None:
        """Publishes a recorded message, unless it is an output of the running components."""
        bindings = self._bindings.values()
        outputs = {topic for binding in bindings for topic in binding.outputs}
        outputs |= {
            topic
            for binding in bindings
            if agent.asks_anew(binding, self._spoken)
            for topic in binding.answers
        }
        if recorded.topic in outputs or recorded.topic == topics.JOURNAL:
            return
        message = reader.content(recorded)
        if isinstance(message, Configuration):
            self._restart(message, agent, made)
        elif message is not None:
            self._publish(recorded.topic, message)

    def _restart(self, recorded: Configuration, agent: ReplayAgent, made: set[str]) -> None:
        """Makes a component again that was restarted during the recording."""
        if recorded.component in made:
            made.discard(recorded.component)  # the running one was made from this configuration
        else:
            self._make(recorded, agent)

    def _make(self, recorded: Configuration, agent: ReplayAgent) -> None:
        """Makes a component, if it is among those to run, in place of its predecessor."""
        if recorded.component in self._names and (not self._only or recorded.component in self._only):
            _close(each for name, each in self._bindings.items() if name == recorded.component)
            self._bindings[recorded.component] = agent.make(recorded)
            asks = any(agent.asks_anew(binding, self._spoken) for binding in self._bindings.values())
            self._runtime = LocalRuntime(self._bindings.values(), (self._observe,), asks=asks)

    def _publish(self, topic: str, message: Message) -> None:
        self._runtime.publish(topic, message)
        while True:
            try:
                self._runtime.run()
                return
            except Exception as error:  # noqa: BLE001 - as the host does: the next message is handled all the same
                self._notes.update([f"a component failed: {described(error)}"])

    def _ask(self, text: str) -> ObjectQueryResult:
        self._questions += 1
        self._answer = None
        self._publish(
            topics.OBJECT_QUERY,
            ObjectQuery(header=Header(), request_id=f"{_REQUEST_PREFIX}{self._questions}", description=text),
        )
        answer: ObjectQueryResult | None = self._answer
        if answer is None:
            raise StorageError(
                f"{self._bag.path} has no {SPATIAL_MEMORY} to answer questions; leave out --questions"
            )
        return answer

    def _observe(self, topic: str, message: Message) -> None:
        if isinstance(message, ObjectQueryResult):
            self._answer = message
        if self._tap is not None and topic != topics.JOURNAL:
            self._tap(topic, self._now, message)


def _close(bindings: Iterable[Binding]) -> None:
    for binding in bindings:
        if isinstance(binding.component, Closeable):
            binding.component.close()


def _time(asked: TimedQuestion) -> float:
    return math.inf if asked.at_ns is None else asked.at_ns
