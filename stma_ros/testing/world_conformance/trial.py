"""A world under test with the episode that many checks share, and requests that fail in all worlds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property

from stma_ros.testing.world_conformance.played import Played, play
from stma_ros.testing.world_conformance.subject import Subject, command, request, target
from stma_ros.types import vocabulary as words
from stma_ros.types.planning import Action, ArgumentKind, SkillRequest, SkillSchema, SkillTarget
from stma_ros.types.standard import Point, Pose
from stma_ros.types.world import Senses, World

_FAR = 1000.0  # beyond all scenes [m]
UNKNOWN_SKILL = "juggle"
OBSERVE = request(words.SKILL_OBSERVE, step=0)


def numbered(wanted: SkillRequest, step: int) -> SkillRequest:
    """Returns the request with the ids of a step."""
    return replace(wanted, step=step, request_id=f"conformance/{step}")


@dataclass(frozen=True)
class Episode:
    """The episode that many checks share.

    Attributes:
        look: The first `observe`.
        done: Requests that succeed.
        refused: Requests that fail.
        last: The last `observe`.
    """

    look: Played
    done: tuple[Played, ...]
    refused: tuple[Played, ...]
    last: Played

    @property
    def all(self) -> tuple[Played, ...]:
        return (self.look, *self.done, *self.refused, self.last)


class Trial:
    """A run of checks, which share one world because making one may take long. It must be closed at the end."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self._world: World | None = None

    @property
    def world(self) -> World:
        if self._world is None:
            self._world = self.subject.make()
        return self._world

    @contextmanager
    def fresh(self) -> Iterator[World]:
        """Makes another instance of the world, and closes it after the block."""
        world = self.subject.make()
        try:
            yield world
        finally:
            world.close()

    def begin(self) -> Played:
        """Begins the episode of most checks, and returns its first `observe`."""
        self.world.reset(self.subject.scene, self.subject.seed)
        return play(self.world, OBSERVE)

    def begin_other(self) -> Played:
        """Begins another episode, in another scene if the subject has one, and returns its first `observe`."""
        self.world.reset(self.subject.other_scene or self.subject.scene, self.subject.other_seed)
        return play(self.world, OBSERVE)

    @cached_property
    def episode(self) -> Episode:
        """The shared episode; it is executed at the first use."""
        look = self.begin()
        possible = self.subject.possible(look)
        any_command = look.observation.any_command
        impossible = [
            *self.subject.impossible(look),
            *_impossible(self.world.skills, self.subject.senses, any_command),
        ]
        requests = [numbered(one, k) for k, one in enumerate((*possible, *impossible, OBSERVE), start=1)]
        played = tuple(play(self.world, one) for one in requests)
        return Episode(look, played[: len(possible)], played[len(possible) : -1], played[-1])

    def replay(self, world: World, requests: Iterable[SkillRequest] | None = None) -> tuple[Played, ...]:
        """Executes the shared episode again, or other requests from its beginning."""
        world.reset(self.subject.scene, self.subject.seed)
        if requests is None:
            requests = [played.request for played in self.episode.all]
        return tuple(play(world, one) for one in requests)

    def close(self) -> None:
        world, self._world = self._world, None
        if world is not None:
            world.close()


def _impossible(skills: Sequence[SkillSchema], senses: Senses, any_command: bool) -> Iterator[SkillRequest]:
    """Yields requests that fail in all worlds. any_command: whether any text of one line is a command."""
    yield request(UNKNOWN_SKILL)
    if senses is Senses.TEXT:
        yield command("conformance\nof no game" if any_command else "conformance of no game")
        yield replace(command(""), action=Action(words.SKILL_COMMAND, ()))
        return
    here = target(0.0, 0.0)
    for schema in skills:
        count = len(schema.arguments)
        yield request(schema.name, *[here] * (count + 1), goal=Pose())
        if count:
            yield request(schema.name, *[here] * (count - 1), goal=Pose())
            for number in (math.nan, math.inf):
                invalid = Pose(Point(number, number, number))
                yield request(schema.name, *[replace(here, pose=invalid)] * count, goal=invalid)
        if schema.name in (words.SKILL_NAVIGATE, *words.MANIPULATIONS):
            yield request(schema.name, *_far(schema), goal=Pose.planar(_FAR, _FAR, 0.0))


def _far(schema: SkillSchema) -> list[SkillTarget]:
    return [target(_FAR, _FAR) for kind in schema.arguments if kind != ArgumentKind.COMMAND]
