"""Replays a recorded run offline: each component receives its recorded inputs in their recorded order.

Components do not receive one another's outputs, unlike in replay.chained_replay. Each difference therefore has its
cause in the component where it occurs.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field

from stma_ros.agents.local_runtime import Binding, emissions
from stma_ros.agents.registry import AGENTS, AgentRegistry
from stma_ros.agents.spec import Wiring
from stma_ros.replay.comparison import Comparison
from stma_ros.replay.error_comparison import ErrorComparison
from stma_ros.replay.input_pool import InputPool
from stma_ros.replay.recorded_message import Pending, Reader
from stma_ros.replay.replay_agent import Changes, ReplayAgent
from stma_ros.replay.result import Part, ReplayResult
from stma_ros.sensing.camera_frame import frame_of
from stma_ros.storage.bag.reader import Bag, Damage
from stma_ros.types import topics
from stma_ros.types.component import Closeable, Emission
from stma_ros.types.control import Configuration, Fault, JournalEntry
from stma_ros.types.errors import ErrorCode, StmaError, StorageError
from stma_ros.types.message import Message

REORDER_WINDOW = 5_000
"""The number of messages of the bag within which a message named by a journal must follow: topics are recorded in
parallel, so that an entry may precede its message. A message that is still missing then was not recorded."""

_MAX_DAMAGES = 1_000  # damages

_LOSSY_COLOR = "colour was recorded as JPEG: results that depend on colours may differ"

_METADATA_TOPICS = (topics.CONFIGURATION, topics.JOURNAL, topics.FAULT)
"""Topics about the components that are not their own outputs."""


def is_replayable(bag: Bag) -> bool:
    """Whether the bag holds configurations and journals of its components. Of a limited bag, the file with the
    configurations may be deleted; the topic is still listed."""
    types = {info.ros_type for info in bag.topics.values() if info.count}
    return {Configuration.ROS_TYPE, JournalEntry.ROS_TYPE} <= types


def replay(
    bag: Bag,
    changes: Changes = Changes(),
    only: Collection[str] = (),
    progress: Callable[[int], None] = lambda _: None,
    agents: AgentRegistry = AGENTS,
) -> ReplayResult:
    """Replays a run from its bag.

    Args:
        bag: of a run with configurations and journals.
        changes: settings that differ from the recording.
        only: names of the components to replay; empty = all.
        progress: called now and then with the number of messages read.
        agents: the registry with the recorded agent.

    Raises:
        StorageError: a bag that cannot be read or lacks what a replay needs.
        ConfigurationError: impossible changes.
    """
    if not is_replayable(bag):
        raise StorageError(
            f"{bag.path} cannot be replayed decision by decision: it has no messages of the types "
            f"{Configuration.ROS_TYPE} and {JournalEntry.ROS_TYPE}. Record all topics of a run; for a robot's own "
            "recording, leave out --set and --preset"
        )
    agent = ReplayAgent(bag.folder, changes, agents)
    with closing(agent), closing(_ExactReplay(bag, agent, only)) as engine:
        return engine.run(progress)


@dataclass
class _ComponentReplay:
    """A component during the replay."""

    name: str
    configurations: deque[Configuration] = field(default_factory=deque)  # recorded, and not used yet
    lines: deque[tuple[int, JournalEntry]] = field(
        default_factory=deque
    )  # journal entries by position in the bag
    binding: Binding | None = None
    made_at: int = -1  # position of the entry before which it was made
    expected: int = 0  # index of its next entry
    ran: bool = False  # whether the bag mentions it
    died: bool = False  # whether the bag reports its death since it was made
    reached: int = 0  # position of the last entry that it received
    inputs: int = 0
    gap: str = ""
    seconds: float = 0.0

    def is_overdue(self, number: int) -> bool:
        return bool(self.lines) and number - self.lines[0][0] > REORDER_WINDOW


class _ExactReplay:
    def __init__(self, bag: Bag, agent: ReplayAgent, only: Collection[str]) -> None:
        self._bag = bag
        self._agent = agent
        self._damages: list[Damage] = []
        self._has_gaps = False
        self._reader = Reader(bag, self._damaged)
        self._spoken = self._reader.spoken
        wiring = self._wiring()
        agent.check(wiring.components)
        self._parts = {name: _ComponentReplay(name) for name in wiring.components if not only or name in only}
        self._inputs = InputPool(_readers(wiring, self._parts))
        self._comparison = Comparison(
            _producers(wiring, self._parts),
            lambda: self._has_gaps,
            agent.as_recorded,
            self._reader.topics,
        )
        self._errors = ErrorComparison(agent.as_recorded)
        self._number = 0
        self._over = False

    def close(self) -> None:
        self._inputs.close()

    def run(self, progress: Callable[[int], None]) -> ReplayResult:
        begun = time.perf_counter()
        first = last = 0
        for recorded in self._reader.messages():
            self._number += 1
            first = first or recorded.stamp_ns
            last = max(last, recorded.stamp_ns)
            self._take(recorded)
            if self._number % 100 == 0:
                progress(self._number)
                self._check_overdue()
        self._over = True
        for part in self._parts.values():
            self._advance(part)
            if part.binding is None:
                self._stop_following(part, "what it was made with is not in the bag")
        is_whole = self._bag.is_finished and not self._damages
        known = [part.name for part in self._parts.values() if not part.gap]
        for difference in self._errors.differences(known, is_whole):
            self._comparison.add_difference(difference)
        reached = {part.name: part.reached for part in self._parts.values()}
        self._comparison.finish(None if self._bag.is_finished else self._number, reached)
        parts = tuple(
            Part(part.name, part.inputs, part.gap, part.seconds) for part in self._parts.values() if part.ran
        )
        comparison = self._comparison
        return ReplayResult(
            parts,
            comparison.tallies,
            comparison.first,
            tuple(self._damages),
            (*self._agent.notes, *([_LOSSY_COLOR] if self._reader.is_lossy else [])),
            comparison.lost,
            self._number,
            (last - first) / 1e9,
            time.perf_counter() - begun,
        )

    def _check_overdue(self) -> None:
        for part in self._parts.values():
            if part.is_overdue(self._number):
                self._advance(part)
            elif self._number > REORDER_WINDOW and not (part.binding or part.lines or part.gap):
                self._stop_following(part, "nothing says that it ran")

    def _wiring(self) -> Wiring:
        for recorded in self._reader.messages((topics.CONFIGURATION,)):
            message = self._reader.content(recorded)
            if isinstance(message, Configuration):
                return self._agent.agent_of(message).wiring
        raise StorageError(
            f"{self._bag.path} does not say what its components were made with: nothing can be read on "
            f"{topics.CONFIGURATION}"
        )

    def _damaged(self, damage: Damage) -> None:
        self._has_gaps |= not damage.is_cut
        if len(self._damages) < _MAX_DAMAGES:
            self._damages.append(damage)

    def _take(self, recorded: Pending) -> None:
        topic = recorded.topic
        if topic in _METADATA_TOPICS or self._comparison.compares(topic):
            message = self._reader.content(recorded)
            if message is None:
                return
            match message:
                case Configuration():
                    self._update(message.component, lambda part: part.configurations.append(message))
                case JournalEntry():
                    self._update(message.component, lambda part: part.lines.append((self._number, message)))
                case Fault():
                    self._errors.recorded(self._number, message)
                    if message.error.code == ErrorCode.NODE_DIED:
                        self._comparison.died(self._number, message.node)
                        if dead := self._parts.get(message.node):
                            dead.died = True
                case _:
                    self._comparison.recorded(self._number, topic, message)
        for name in self._inputs.put(recorded):
            self._advance(self._parts[name])

    def _update(self, name: str, change: Callable[[_ComponentReplay], None]) -> None:
        part = self._parts.get(name)
        if part is not None:
            part.ran = True
            change(part)
            self._advance(part)

    def _advance(self, part: _ComponentReplay) -> None:
        """Feeds the component all inputs that are available."""
        while part.lines:
            number, line = part.lines[0]
            final = self._over or part.is_overdue(self._number)
            if not self._is_ready(part, number, line, final):
                return
            if line.index < part.expected:  # recorded twice
                part.lines.popleft()
                continue
            message = self._input(part, line)
            if message is None and not final and self._reader.topics.issuperset(_recorded_on(part, line)):
                return  # it may follow
            part.lines.popleft()
            if line.index > part.expected:
                missing = line.index - part.expected
                self._stop_following(
                    part, f"{missing} lines of its journal are missing before line {line.index}"
                )
            part.expected = line.index + 1
            if message is None:
                absent = sorted(set(_recorded_on(part, line)) - self._reader.topics - {line.topic})
                why = f" (nothing was recorded on {', '.join(absent)})" if absent else ""
                self._stop_following(
                    part, f"{line.topic} {line.id}, its input {line.index}, is not in the bag{why}"
                )
            else:
                self._handle(part, number, line, message)

    def _is_ready(self, part: _ComponentReplay, number: int, line: JournalEntry, final: bool) -> bool:
        """Makes the component before its first entry. Returns False while its configuration is missing."""
        if part.binding is not None and (line.index > 0 or part.made_at == number):
            return True
        if part.configurations:
            configuration = part.configurations[-1]
            _retire(part)
            part.binding = self._agent.make(configuration)
            part.configurations.clear()
            if configuration.resumed_from:
                self._rewind(part.name, part.binding)
            part.made_at = number
            part.expected = 0
        elif part.binding is None and final:
            self._stop_following(part, "what it was made with is not in the bag")
            part.lines.clear()
        elif final:
            self._stop_following(
                part, f"what it was made with anew before line {number} of the bag is not in it"
            )
            return True
        return part.binding is not None and part.made_at == number

    def _rewind(self, name: str, binding: Binding) -> None:
        """Offers a component that went on after a death all messages so far once more."""
        reader = Reader(self._bag, lambda _: None)  # damages are known
        self._inputs.rewind(name, reader.messages(tuple(binding.subscriptions)))

    def _input(self, part: _ComponentReplay, line: JournalEntry) -> Message | None:
        names = _recorded_on(part, line)
        recorded = self._inputs.take(part.name, [(name, line.id, line.revision) for name in names])
        if recorded is None:
            return None
        messages = [message for each in recorded if (message := self._reader.content(each)) is not None]
        if len(messages) < len(names):
            return None
        if line.topic != topics.CAMERA_FRAME:
            return messages[0]
        for unused in {*topics.FRAME}.difference(names):  # no component takes them
            self._inputs.take(part.name, [(unused, line.id, line.revision)])
        return frame_of(dict(zip(names, messages, strict=True)))

    def _handle(self, part: _ComponentReplay, number: int, line: JournalEntry, message: Message) -> None:
        assert part.binding is not None
        part.inputs += 1
        part.reached = number
        begun = time.perf_counter()
        said: list[Emission] = []
        try:
            said.extend(self._said(part.binding, line.topic, message))
        except Exception as error:  # noqa: BLE001 - as the host does: the next message is handled all the same
            self._errors.replayed(number, part.name, line, error)
        part.seconds += time.perf_counter() - begun
        for topic, emission in said:
            self._comparison.replayed(number, part.name, line, topic, emission)

    def _said(self, binding: Binding, topic: str, message: Message) -> Iterator[Emission]:
        """Yields a component's emissions for an input. Answers to open questions are recorded inputs, unless another
        model answers them: then they come at once."""
        asks_anew = self._agent.asks_anew(binding, self._spoken)
        if asks_anew and topic in binding.answers:
            return
        yield from emissions(binding, topic, message)
        for question in binding.take_questions():
            if asks_anew:
                yield from emissions(binding, question.topic, question.ask())

    def _stop_following(self, part: _ComponentReplay, why: str) -> None:
        """Marks a component whose further inputs are unknown."""
        if not part.gap:
            part.gap = why
            self._comparison.give_up(part.name)
        if part.binding is None:
            self._inputs.forget(part.name)


def _retire(part: _ComponentReplay) -> None:
    """Closes a component before it is made anew: as in the run, it saves what its successor loads, unless it died."""
    if part.binding is not None and isinstance(part.binding.component, Closeable) and not part.died:
        with suppress(StmaError):  # what is not saved is not loaded
            part.binding.component.close()
    part.died = False


def _recorded_on(part: _ComponentReplay, line: JournalEntry) -> tuple[str, ...]:
    """Returns the topics of the messages that form the input: for a camera frame, those of its parts."""
    if line.topic != topics.CAMERA_FRAME:
        return (line.topic,)
    frames = part.binding and part.binding.frames
    return tuple(sorted(frames.parts)) if frames else topics.FRAME


def _readers(wiring: Wiring, parts: Collection[str]) -> dict[str, frozenset[str]]:
    """Maps topics to the components that subscribe to them."""
    specs = [wiring.components[name] for name in parts]
    inputs = {topic for spec in specs for topic in spec.subscriptions}
    return {topic: frozenset(spec.name for spec in specs if topic in spec.subscriptions) for topic in inputs}


def _producers(wiring: Wiring, parts: Collection[str]) -> dict[str, frozenset[str]]:
    """Maps topics to the replayed components that publish them; topics with other publishers are left out."""
    specs = wiring.components.values()
    outputs = {topic for spec in specs for topic in spec.outputs}
    producers = {topic: frozenset(spec.name for spec in specs if topic in spec.outputs) for topic in outputs}
    return {topic: names for topic, names in producers.items() if names <= set(parts)}
