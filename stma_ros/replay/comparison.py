"""Compares the outputs of replayed components with the recorded ones."""

from __future__ import annotations

import enum
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeAlias

import numpy as np

from stma_ros.types import topics
from stma_ros.types.causality import message_id
from stma_ros.types.control import JournalEntry
from stma_ros.types.message import Message, field_specs

_MessageName: TypeAlias = tuple[
    str, str, int, str
]  # topic, id, revision and, on topics of several components, the role

_UNCOMPARED_FIELDS: Mapping[str, frozenset[str]] = {topics.MODEL_CALL: frozenset({"model", "latency"})}
"""Fields that differ in every replay: the name of the answering model, and its latency."""

_REPEATED = frozenset({topics.ROLE_CALLS, topics.MODEL_CALL, topics.ALARM})
"""Topics on which several messages share a name. Only their order distinguishes them: after a lost message, the next
one would be compared in its place."""

_MAX_FIELDS = 6  # fields of a difference
_MAX_NAMED = 6  # messages that are not compared

_REORDER_WINDOW = 256
"""The number of messages of the bag by which an output may precede the input that led to it."""


class DifferenceKind(enum.Enum):
    CHANGED = "said otherwise"
    MISSING = "not said"
    UNEXPECTED = "said, though it was not before"
    RAISED = "raised an error that was not raised before"
    CALM = "raised no error, though it did before"


@dataclass(frozen=True)
class Difference:
    """A difference between replay and recording.

    Attributes:
        number: position in the bag [messages].
        fields: differing fields, each with the expected and the actual value.
        role: of the message, where it has one.
    """

    kind: DifferenceKind
    number: int
    component: str
    cause: JournalEntry | None
    topic: str
    id: str
    revision: int = 0
    fields: tuple[tuple[str, str, str], ...] = ()
    role: str = ""

    def __str__(self) -> str:
        """Describes the difference in a few lines."""
        what = f"{self.topic} {self.id}" + (f", revision {self.revision}" if self.revision else "")
        what += f", of the {self.role.replace('_', ' ')}" if self.role else ""
        lines = [f"{self.component}: {what}: {self.kind.value}"]
        if self.cause is not None:
            cause = self.cause
            lines.append(f"  input {cause.index}: {cause.topic} {cause.id}, revision {cause.revision}")
        for name, expected, got in self.fields:
            lines += [f"  {name}", f"    expected: {expected}", f"    got:      {got}"]
        return "\n".join(lines)


@dataclass
class Tally:
    """Counts for one topic: equal messages, differences by kind, and messages without a counterpart."""

    same: int = 0
    different: Counter[DifferenceKind] = field(default_factory=Counter)
    uncompared: int = 0  # outputs without a counterpart in the recording


@dataclass(frozen=True)
class _Output:
    """An output of a component. life: number of the component's process, which increases when its node is restarted; 0
    for recorded outputs."""

    number: int
    component: str
    cause: JournalEntry | None
    message: Message
    life: int = 0


@dataclass
class _Life:
    """The life of one process of a component, by its inputs.

    Attributes:
        began: position in the bag of the first input with an output.
        last: position of the last input with an output.
        index: index of that input in the journal.
        heard: index of the last input with a recorded output.
        latest: names of its latest outputs, with position and index of the input that led to each; without the
            messages, which may be large.
    """

    began: int
    last: int = 0
    index: int = -1
    heard: int = -1
    latest: deque[tuple[_MessageName, int, int]] = field(
        default_factory=lambda: deque(maxlen=_REORDER_WINDOW)
    )


@dataclass(frozen=True)
class Lost:
    """Final outputs of a component in a replay that the recording cannot hold. ids: topics and ids of the messages."""

    component: str
    why: str
    ids: tuple[str, ...]

    def __str__(self) -> str:
        """Describes the outputs in one sentence."""
        more = len(self.ids) - _MAX_NAMED
        names = ", ".join(self.ids[:_MAX_NAMED]) + (f" and {more} more" if more > 0 else "")
        one = len(self.ids) == 1
        what = "1 of its last messages was" if one else f"{len(self.ids)} of its last messages were"
        return f"{self.component}: {what} not recorded and not compared, since {self.why}: {names}"


class Comparison:
    """Pairs the messages of a recording with those of its replay; both come in any order."""

    def __init__(
        self,
        producers: Mapping[str, frozenset[str]],
        has_gaps: Callable[[], bool] = lambda: False,
        as_recorded: Callable[[str], str] = str,
        topics: Collection[str] | None = None,
    ) -> None:
        """Args:
        producers: the replayed components, by output topic.
        has_gaps: whether messages of the recording are known to be lost.
        as_recorded: puts recorded paths into a text of the replay.
        topics: those of the recording; outputs on others are counted at once; None = not known.
        """
        self._producers = producers
        self._recorded: dict[_MessageName, deque[_Output]] = {}
        self._replayed: dict[_MessageName, deque[_Output]] = {}
        self._given_up: set[str] = set()
        self._known: set[str] = set()  # topics that occur in the bag
        self._has_gaps = has_gaps
        self._as_recorded = as_recorded
        self._topics = topics
        self._lives: dict[str, list[_Life]] = {}
        self._deaths: list[
            tuple[str, int]
        ] = []  # components, and the positions at which the bag reports their deaths
        self._lost: dict[tuple[str, str], list[tuple[int, str]]] = {}  # by component and reason
        self.tallies: dict[str, Tally] = {}
        self.first: Difference | None = None

    def compares(self, topic: str) -> bool:
        """Whether recorded messages of the topic can be compared with outputs of a replayed component."""
        return bool(self._producers.get(topic, frozenset()) - self._given_up)

    def recorded(self, number: int, topic: str, message: Message) -> None:
        """Takes a message of the bag. number: its position."""
        self._known.add(topic)
        self._pair(_Output(number, "", None, message), topic, self._recorded, self._replayed)

    def replayed(
        self, number: int, component: str, cause: JournalEntry, topic: str, message: Message
    ) -> None:
        """Takes an output of a component. number: position in the bag of `cause`, the input that led to it."""
        if component in self._given_up:
            self._tally(topic).uncompared += 1
            return
        lives = self._lives.setdefault(component, [])
        if not lives or cause.index < lives[-1].index:
            lives.append(_Life(number))
        lives[-1].last, lives[-1].index = number, cause.index
        output = _Output(number, component, cause, message, len(lives) - 1)
        lives[-1].latest.append((_name_of(topic, message), number, cause.index))
        if self._topics is not None and topic not in self._topics:
            self._tally(topic).uncompared += 1
            return
        self._pair(output, topic, self._replayed, self._recorded)

    def died(self, number: int, component: str) -> None:
        """Notes that the bag reports the death of the component's node at this position: its final outputs
        may be lost."""
        self._deaths.append((component, number))

    @property
    def lost(self) -> tuple[Lost, ...]:
        """The outputs of the replay that are not compared, since the component died or the recording broke off."""
        return tuple(
            Lost(component, why, tuple(name for _, name in sorted(names)))
            for (component, why), names in self._lost.items()
        )

    def give_up(self, component: str) -> None:
        """Stops comparing a component whose further inputs are unknown."""
        self._given_up.add(component)
        for name in [name for name in self._recorded if self._producers[name[0]] <= self._given_up]:
            del self._recorded[name]

    def finish(self, cut: int | None, reached: Mapping[str, int]) -> None:
        """Compares the rest after the last message.

        Args:
            cut: number of the last message of a recording without its end; None = it is complete.
            reached: number of the last input of each component.
        """
        cut_near = None if cut is None else cut - _REORDER_WINDOW
        broken = cut is not None or self._has_gaps()
        otherwise: set[str] = set()  # components that may then have published outputs that the replay lacks
        for name, left in self._recorded.items():
            producers = self._producers[name[0]]
            known_up_to = max(reached.get(producer, 0) for producer in producers)
            for output in left:
                if not producers & self._given_up and not (broken and output.number > known_up_to):
                    otherwise |= producers
                    self.add_difference(self._unpaired(DifferenceKind.MISSING, output, name))
        for name, left in self._replayed.items():
            for output in left:
                if self._has_gaps() or name[0] not in self._known or output.component in self._given_up:
                    self._tally(name[0]).uncompared += 1
                elif cut_near is not None and output.number > cut_near:
                    self._lose(output, name, "the recording breaks off")
                elif output.component not in otherwise and self._was_cut_short(output, name):
                    self._lose(output, name, "its node died")
                else:
                    self.add_difference(self._unpaired(DifferenceKind.UNEXPECTED, output, name))

    def _was_cut_short(self, output: _Output, name: _MessageName) -> bool:
        """Whether the component died, and no later output is recorded: the output belongs to the input under way at its
        death, or to earlier inputs whose outputs were still in transit.

        A restarted component says its last output once more: one recorded message can be that of either life.
        """
        assert output.cause is not None  # an output of the replay has a cause
        if self._is_last_of(output.component, output.life, output.number, output.cause.index):
            return True
        before = output.life - 1
        latest = self._lives[output.component][before].latest if output.life else ()
        return any(
            said == name and self._is_last_of(output.component, before, number, index)
            for said, number, index in latest
        )

    def _is_last_of(self, component: str, number_of_life: int, number: int, index: int) -> bool:
        """Whether a life ended with a death, and an output of it (position and index of its cause) is of its last ones,
        after which none is recorded."""
        lives = self._lives[component]
        life, later = lives[number_of_life], lives[number_of_life + 1 :]
        ended = later[0].began if later else None
        died = any(
            name == component and place > number and (ended is None or place < ended)
            for name, place in self._deaths
        )
        return died and index >= life.heard and life.last - number <= _REORDER_WINDOW

    def _lose(self, output: _Output, name: _MessageName, why: str) -> None:
        topic, id_, revision, _ = name
        self._tally(topic).uncompared += 1
        text = f"{topic} {id_}" + (f", revision {revision}" if revision else "")
        self._lost.setdefault((output.component, why), []).append((output.number, text))

    def _unpaired(self, kind: DifferenceKind, output: _Output, name: _MessageName) -> Difference:
        topic, id_, revision, role = name
        component = output.component or " or ".join(sorted(self._producers[topic]))
        return Difference(kind, output.number, component, output.cause, topic, id_, revision, role=role)

    def _pair(
        self,
        output: _Output,
        topic: str,
        same_side: dict[_MessageName, deque[_Output]],
        other_side: dict[_MessageName, deque[_Output]],
    ) -> None:
        message = output.message
        name = _name_of(topic, message)
        _, id_, revision, role = name
        waiting = other_side.get(name)
        if not waiting:
            same_side.setdefault(name, deque()).append(output)
            return
        other = waiting.popleft()
        if not waiting:
            del other_side[name]
        recorded, replayed = (other, output) if output.component else (output, other)
        if replayed.cause is not None:
            life = self._lives[replayed.component][replayed.life]
            life.heard = max(life.heard, replayed.cause.index)
        free = _UNCOMPARED_FIELDS.get(topic, frozenset())
        if recorded.message == replayed.message:
            self._tally(topic).same += 1
            return
        fields = tuple(
            (field, expected, got)
            for field, expected, got in differences(recorded.message, replayed.message)
            if field not in free and self._as_recorded(got) != expected
        )
        if not fields:
            self._tally(topic).same += 1
            return
        if topic in _REPEATED and self._has_gaps():
            self._tally(topic).uncompared += 1
            return
        self.add_difference(
            Difference(
                DifferenceKind.CHANGED,
                recorded.number,
                replayed.component,
                replayed.cause,
                topic,
                id_,
                revision,
                fields[:_MAX_FIELDS],
                role,
            )
        )

    def add_difference(self, difference: Difference) -> None:
        """Counts a difference and keeps the earliest."""
        self._tally(difference.topic).different[difference.kind] += 1
        if self.first is None or difference.number < self.first.number:
            self.first = difference

    def _tally(self, topic: str) -> Tally:
        return self.tallies.setdefault(topic, Tally())


def _name_of(topic: str, message: Message) -> _MessageName:
    return topic, message_id(message), getattr(message, "revision", 0), getattr(message, "role", "")


def differences(expected: Any, got: Any, path: str = "") -> Iterator[tuple[str, str, str]]:
    """Yields the differing fields of two values of one type: path ("facts[3].object"), expected value, actual value."""
    if isinstance(expected, Message) and type(expected) is type(got):
        for spec in field_specs(type(expected)):
            inner = f"{path}.{spec.name}" if path else spec.name
            yield from differences(getattr(expected, spec.name), getattr(got, spec.name), inner)
    elif isinstance(expected, tuple) and isinstance(got, tuple):
        pairs = enumerate(zip(expected, got, strict=False))
        within = (each for index, pair in pairs for each in differences(*pair, f"{path}[{index}]"))
        if len(expected) == len(got):
            yield from within
        else:  # the first difference; later elements are shifted
            yield f"{path} (number)", str(len(expected)), str(len(got))
            yield from islice(within, 1)
    elif isinstance(expected, np.ndarray) and isinstance(got, np.ndarray):
        if expected.tobytes() != got.tobytes():
            yield path, _array(expected), _array(got, expected)
    elif expected != got and not (expected != expected and got != got):  # NaN equals NaN
        yield path, repr(expected), repr(got)


def _array(array: np.ndarray[Any, Any], other: np.ndarray[Any, Any] | None = None) -> str:
    text = f"{array.size} numbers"
    if other is None or other.shape != array.shape:
        return text
    places = np.flatnonzero(array != other)
    return f"{text}, {places.size} of them others, the first at {places[0]}" if places.size else text
