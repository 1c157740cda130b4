"""Worlds that each break one promise."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from stma_ros.types.common import Error
from stma_ros.types.component import CancelToken, Emission
from stma_ros.types.errors import ConfigurationError, ErrorCode, WorldError
from stma_ros.types.planning import Outcome, Result, SkillRequest, SkillSchema
from stma_ros.types.sensing import EpisodeState, Observation
from support.worlds.conforming_world import Whole, shifted


class NamesNothing(Whole):
    def reset(self, scene: str, seed: int) -> str:
        super().reset(scene, seed)
        return ""


class TakesAnyScene(Whole):
    def reset(self, scene: str, seed: int) -> str:
        try:
            return super().reset(scene, seed)
        except ConfigurationError:
            return super().reset("", seed)


class LosesItsScene(Whole):
    def reset(self, scene: str, seed: int) -> str:
        try:
            return super().reset(scene, seed)
        except ConfigurationError:
            super().reset("room", seed)
            raise


class BeginsByItself(Whole):
    def execute(self, wanted: SkillRequest, cancel: CancelToken) -> Iterator[Emission]:
        if not self.scene:
            self.reset("room", 0)
        yield from super().execute(wanted, cancel)


class ClosesOnce(Whole):
    closed = False

    def close(self) -> None:
        if self.closed:
            raise RuntimeError("closed already")
        self.closed = True
        super().close()


class LivesOn(Whole):
    def close(self) -> None:
        pass


class Remembers(Whole):
    """Starts where the previous episode ended."""

    resets = 0

    def reset(self, scene: str, seed: int) -> str:
        self.resets += 1
        return super().reset(scene, seed + self.resets // 3)


class IgnoresTheSeed(Whole):
    def reset(self, scene: str, seed: int) -> str:
        return super().reset(scene, 1)


class Shares(Whole):
    """All worlds of its kind count the skills of the episode together."""

    count = 0

    def reset(self, scene: str, seed: int) -> str:
        Shares.count = 0
        return super().reset(scene, seed)

    def execute(self, wanted: SkillRequest, cancel: CancelToken) -> Iterator[Emission]:
        Shares.count += 1
        number = Shares.count
        for topic, message in super().execute(wanted, cancel):
            changes = isinstance(message, Observation)
            yield topic, replace(message, inventory=str(number)) if changes else message  # type: ignore[type-var]


class Listing(Whole):
    more: tuple[SkillSchema, ...] = (SkillSchema(name="observe", arguments=(), description="One frame."),)

    @property
    def skills(self) -> tuple[SkillSchema, ...]:
        return (*super().skills, *self.more)


class ListsTwice(Listing):
    @property
    def skills(self) -> tuple[SkillSchema, ...]:
        return (*self.robot.skills, self.robot.skills[0])


class ItsClockRunsOn(Whole):
    """Its clock does not restart at a reset, although it has a camera."""

    begun = 0

    def reset(self, scene: str, seed: int) -> str:
        self.begun += 5
        return super().reset(scene, seed)

    def execute(self, wanted: SkillRequest, cancel: CancelToken) -> Iterator[Emission]:
        return shifted(super().execute(wanted, cancel), self.begun)


class SpendsLooks(Whole):
    """A look around opens or closes its hand."""

    looks = 0

    def execute(self, wanted: SkillRequest, cancel: CancelToken) -> Iterator[Emission]:
        self.looks += wanted.action.skill == "observe"
        for topic, message in super().execute(wanted, cancel):
            changes = isinstance(message, Observation)
            yield topic, replace(message, holding=bool(self.looks % 2)) if changes else message  # type: ignore[type-var]


class RunsOut(Whole):
    """Fails after 50 requests."""

    def reset(self, scene: str, seed: int) -> str:
        self.asked = 0
        return super().reset(scene, seed)

    def execute(self, wanted: SkillRequest, cancel: CancelToken) -> Iterator[Emission]:
        self.asked += 1
        state = EpisodeState.LOST if self.asked > 50 else EpisodeState.RUNNING
        for topic, message in super().execute(wanted, cancel):
            changes = isinstance(message, Observation) and state != EpisodeState.RUNNING
            yield topic, replace(message, episode=state) if changes else message  # type: ignore[type-var]


class ForgetsTheEnd(Whole):
    """Reports the end of the episode once, and goes on."""

    over = False

    def execute(self, wanted: SkillRequest, cancel: CancelToken) -> Iterator[Emission]:
        for topic, message in super().execute(wanted, cancel):
            if isinstance(message, Observation):
                ended = message.episode != EpisodeState.RUNNING
                yield topic, replace(message, episode=EpisodeState.RUNNING) if self.over else message
                self.over = ended
            else:
                yield topic, message


class Raises(Whole):
    def execute(self, wanted: SkillRequest, cancel: CancelToken) -> Iterator[Emission]:
        if any(math.isnan(target.pose.position.x) for target in wanted.targets):
            raise ValueError("cannot convert float NaN to integer")
        yield from super().execute(wanted, cancel)


class NeverCanceled(Whole):
    def execute(self, wanted: SkillRequest, cancel: CancelToken) -> Iterator[Emission]:
        yield from super().execute(wanted, CancelToken())


class CanceledOnlyBefore(Whole):
    def execute(self, wanted: SkillRequest, cancel: CancelToken) -> Iterator[Emission]:
        token = CancelToken()
        if cancel.canceled:
            token.cancel(cancel.reason)
        yield from super().execute(wanted, token)


class CanceledTooLate(Whole):
    """Does the whole skill, and reports a cancel on its way."""

    def execute(self, wanted: SkillRequest, cancel: CancelToken) -> Iterator[Emission]:
        for topic, message in super().execute(wanted, CancelToken()):
            if isinstance(message, Outcome) and cancel.canceled:
                error = Error(ErrorCode.CANCELED, cancel.reason)
                yield topic, replace(message, result=Result.CANCELED, error=error)
            else:
                yield topic, message


class MustBeHeardOut(Whole):
    busy = False

    def execute(self, wanted: SkillRequest, cancel: CancelToken) -> Iterator[Emission]:
        if self.busy:
            raise WorldError("busy")
        self.busy = True
        yield from super().execute(wanted, cancel)
        self.busy = False
