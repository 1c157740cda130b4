"""Executes one skill in a world, and records the messages for the checks."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from stma_ros.types import topics
from stma_ros.types.component import CancelToken, Emission
from stma_ros.types.message import Message
from stma_ros.types.planning import Outcome, SkillRequest
from stma_ros.types.sensing import Observation
from stma_ros.types.standard import Clock, Time
from stma_ros.types.truth import GroundTruth
from stma_ros.types.world import World

MessageT = TypeVar("MessageT", bound=Message)


class NonConformance(AssertionError):
    """A world breaks the contract; the text says what was promised and what was seen."""


def require(condition: bool, promised: str, seen: object) -> None:
    """Checks a condition.

    Args:
        condition: Whether the world behaves as promised.
        promised: The promise, for the error.
        seen: The observation, for the error.

    Raises:
        NonConformance: The condition is false.
    """
    if not condition:
        raise NonConformance(f"promised: {promised}; seen: {seen}")


@dataclass(frozen=True)
class Frame:
    """The parts of one camera frame by topic."""

    stamp: int  # [ns]
    parts: Mapping[str, Message]

    def part(self, topic: str, kind: type[MessageT]) -> MessageT:
        """Returns the part on a topic.

        Raises:
            NonConformance: It is missing or of another type.
        """
        message = self.parts.get(topic)
        if not isinstance(message, kind):
            raise NonConformance(
                f"promised: a {kind.__name__} on {topic} in each frame; seen at {self.stamp} ns: "
                f"{type(message).__name__}"
            )
        return message


@dataclass(frozen=True)
class Played:
    """A request and all messages that the world emitted for it."""

    request: SkillRequest
    emissions: tuple[Emission, ...]

    @cached_property
    def frames(self) -> tuple[Frame, ...]:
        """The frames, in the order of their stamps."""
        parts: dict[int, dict[str, Message]] = {}
        for topic, message in self.emissions:
            if topic in topics.FRAME:
                parts.setdefault(stamp_of(message), {})[topic] = message
        return tuple(Frame(stamp, parts[stamp]) for stamp in sorted(parts))

    @property
    def outcome(self) -> Outcome:
        return self.only(topics.OUTCOME, Outcome)

    @property
    def observation(self) -> Observation:
        return self.only(topics.OBSERVATION, Observation)

    @property
    def truth(self) -> GroundTruth:
        return self.only(topics.GROUND_TRUTH, GroundTruth)

    @property
    def end(self) -> int:
        """Time at the end of the skill [ns]."""
        return stamp_of(self.outcome)

    def only(self, topic: str, kind: type[MessageT]) -> MessageT:
        """Returns the only message on a topic.

        Raises:
            NonConformance: There is no message, there are several, or it is of another type.
        """
        found = [message for name, message in self.emissions if name == topic]
        seen = f"{[type(message).__name__ for message in found]} after {self}"
        require(
            len(found) == 1 and isinstance(found[0], kind),
            f"one {kind.__name__} on {topic} for a skill",
            seen,
        )
        (message,) = found
        assert isinstance(message, kind)
        return message

    def __str__(self) -> str:
        return str(self.request.action)


def play(world: World, request: SkillRequest, cancel: CancelToken | None = None) -> Played:
    """Executes a request.

    Raises:
        NonConformance: The world raises an exception, which no request may cause while the engine works.
    """
    try:
        return Played(request, tuple(world.execute(request, cancel or CancelToken())))
    except Exception as error:
        raise NonConformance(
            f"promised: {request.action} ends with an outcome; seen: {type(error).__name__}: {error}"
        ) from error


def stamp_of(message: Message) -> int:
    """Returns the stamp of a message [ns].

    Raises:
        NonConformance: The message has no stamp.
    """
    if isinstance(message, Clock):
        return message.clock.nanoseconds
    header = getattr(message, "header", None)
    require(header is not None, "every message has a header with its stamp", type(message).__name__)
    return int(header.stamp.nanoseconds)  # type: ignore[union-attr]


def first_difference(expected: Iterable[Played], seen: Iterable[Played]) -> str:
    """Describes the first difference between two executions of the same requests; returns "" if there is none."""
    for before, after in zip(expected, seen, strict=True):
        if len(before.emissions) != len(after.emissions):
            return f"{before}: {len(before.emissions)} messages once, {len(after.emissions)} the other time"
        for number, ((topic, one), (other_topic, other)) in enumerate(
            zip(before.emissions, after.emissions, strict=True)
        ):
            if topic != other_topic or one != other:
                return f"{before}, message {number}: {topic} {_difference(one, other)}"
    return ""


def as_begun_at(played: Iterable[Played], begin: int) -> list[Played]:
    """Shifts the stamps of an episode so that its first request ends at `begin` [ns]."""
    listed = list(played)
    shift = begin - listed[0].end
    return [
        replace(one, emissions=tuple((topic, _shifted(message, shift)) for topic, message in one.emissions))
        for one in listed
    ]


def texts_of(message: Any) -> Iterator[str]:
    """Yields all texts in a message."""
    if isinstance(message, str):
        yield message
    elif isinstance(message, tuple):
        for item in message:
            yield from texts_of(item)
    elif isinstance(message, Message):
        for field in fields(message):  # type: ignore[arg-type]
            yield from texts_of(getattr(message, field.name))


def _shifted(value: Any, shift: int) -> Any:
    if isinstance(value, Time):
        return Time.from_nanoseconds(value.nanoseconds + shift) if value.nanoseconds else value
    if isinstance(value, tuple):
        return tuple(_shifted(item, shift) for item in value)
    if isinstance(value, Message):
        return replace(value, **{f.name: _shifted(getattr(value, f.name), shift) for f in fields(value)})  # type: ignore[type-var, arg-type]
    return value


def _difference(one: Any, other: Any) -> str:
    """Describes the first field that differs, with both values."""
    if isinstance(one, Message) and type(one) is type(other):
        for field in fields(one):  # type: ignore[arg-type]
            left, right = getattr(one, field.name), getattr(other, field.name)
            if _text_of(left) != _text_of(right):
                return f".{field.name}{_difference(left, right)}"
    return f" = {_text_of(one):.80} once, {_text_of(other):.80} the other time"


def _text_of(value: Any) -> str:
    return (
        f"data with the checksum {zlib.crc32(value.tobytes())}"
        if isinstance(value, np.ndarray)
        else repr(value)
    )
