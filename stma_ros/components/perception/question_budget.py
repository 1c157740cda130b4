"""Chooses the keyframes that a model is asked about: not more than its budget allows, spread over steps and minutes.

All choices follow from stamps of messages, and from the order in which they come, so that a replay makes the same ones.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from stma_ros.types.standard import NANOSECONDS_PER_SECOND, Time

MINUTE = 60 * NANOSECONDS_PER_SECOND
"""[ns]"""

StepOf: TypeAlias = "tuple[str, int] | None"
"""Task and number of a step; None while it is not known."""


@dataclass(frozen=True)
class QuestionLimits:
    """Limits of the questions to a model.

    Attributes:
        per_step: largest number of keyframes of a step; 0 = any number.
        per_minute: largest number of keyframes within a minute of stamps; 0 = any number.
        pause: time without questions after the model was not reached, or did not answer in time [s].
    """

    per_step: int = 0
    per_minute: int = 0
    pause: float = 0.0


class QuestionBudget:
    """Chooses keyframes as they come, and counts the questions.

    The keyframes of a step are chosen when the first of them is asked for, among all that were announced up to the end
    of the step. Keyframes without a step, which are asked for because too many wait, are chosen among all that wait;
    those of the last minute count together as if they were of one step, and later as questions of the step in which
    they turn out to lie.

    The questions of a minute are earned by time, so that no part of it remains without any: a step may take what was
    earned up to its end, a begun question included, but no more than a step's worth is saved up.
    """

    def __init__(self, limits: QuestionLimits) -> None:
        self._limits = limits
        self._announced: deque[int] = deque()  # stamps of keyframes that were not asked for yet [ns]
        self._chosen: frozenset[int] = frozenset()
        self._decided_until = -1  # [ns]
        self._asked: deque[tuple[int, StepOf]] = deque()  # within the last minute, or in this step
        self._without_step: deque[int] = deque(
            maxlen=max(1, limits.per_step)
        )  # the latest, whose step was not known
        self._earned = 1  # [questions * ns, MINUTE for each question]; negative while one was begun

    def announce(self, stamp: Time) -> None:
        """Takes the stamp of a keyframe, before it is asked for. Stamps come in order."""
        self._announced.append(stamp.nanoseconds)

    def chooses(self, stamp: Time, step: StepOf, end: Time = Time(), begin: Time = Time()) -> bool:
        """Returns whether the model is to be asked about a keyframe. Called once for each, in the order of stamps.

        Args:
            stamp: of the keyframe.
            step: its step.
            end: stamp of the last frame of the step, if the step is known.
            begin: stamp of the last frame before the step; 0 = there is none.
        """
        now = stamp.nanoseconds
        self._asked = deque(
            each for each in self._asked if each[0] > now - MINUTE or (step and each[1] == step)
        )
        if now > self._decided_until:
            last = end.nanoseconds if step is not None else self._announced[-1] if self._announced else now
            group = [each for each in self._announced if now <= each <= last] or [now]
            self._earn(group[-1] - (group[0] if self._decided_until < 0 else self._decided_until))
            self._chosen = frozenset(self._choose(group, step, begin.nanoseconds))
            self._decided_until = group[-1]
        while self._announced and self._announced[0] <= now:
            self._announced.popleft()
        return now in self._chosen

    def spend(self, stamp: Time, step: StepOf) -> None:
        """Counts the question about a keyframe."""
        self._asked.append((stamp.nanoseconds, step))
        self._earned -= MINUTE
        if step is None:
            self._without_step.append(stamp.nanoseconds)

    def _earn(self, nanoseconds: int) -> None:
        most = self._limits.per_step or self._limits.per_minute
        self._earned = min(self._earned + nanoseconds * self._limits.per_minute, most * MINUTE)

    def _choose(self, stamps: Sequence[int], step: StepOf, begin: int) -> tuple[int, ...]:
        """Returns the largest choice of these keyframes that the limits allow."""
        count = len(stamps)
        if self._limits.per_step:
            asked = sum(each[1] == step for each in self._asked)
            if step is not None:
                asked += sum(each > begin or not begin for each in self._without_step)
            count = min(count, self._limits.per_step - asked)
        if self._limits.per_minute:
            count = min(count, -(-self._earned // MINUTE))
        choices = (spread(stamps, number) for number in range(count, 0, -1))
        return next((choice for choice in choices if self._is_slow_enough(choice)), ())

    def _is_slow_enough(self, choice: Sequence[int]) -> bool:
        limit = self._limits.per_minute
        if not limit:
            return True
        asked = [*(stamp for stamp, _ in self._asked), *choice]
        return all(
            last - first >= MINUTE
            for first, last in zip(asked, asked[limit:], strict=False)
            if last >= choice[0]
        )


def spread(stamps: Sequence[int], count: int) -> tuple[int, ...]:
    """Returns `count` of the stamps, spread over their time and in order.

    The last one comes first, since it shows the end of the step, then always the one that is farthest in time from
    those chosen before; of several, the earliest.

    Args:
        stamps: in order, without repetitions.
        count: at least 1; all of them if there are not more.
    """
    if len(stamps) <= count:
        return tuple(stamps)
    return tuple(sorted(_farthest(stamps, count)))


def _farthest(stamps: Sequence[int], count: int) -> Iterator[int]:
    newest = stamps[-1]
    distances = [newest - stamp for stamp in stamps]
    yield newest
    for _ in range(count - 1):
        newest = stamps[max(range(len(stamps)), key=distances.__getitem__)]
        yield newest
        distances = [
            min(distance, abs(newest - stamp)) for distance, stamp in zip(distances, stamps, strict=True)
        ]
