"""A world under test with the episode that many checks share, and requests that fail in any world."""

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

_FAR = 1000.0  # no scene is that large [m]
UNKNOWN_SKILL = "juggle"
OBSERVE = request(words.SKILL_OBSERVE, step=0)


def numbered(wanted: SkillRequest, step: int) -> SkillRequest:
    """The request with ids of its own."""
    return replace(wanted, step=step, request_id=f"conformance/{step}")


@dataclass(frozen=True)
class Episode:
    """A look around, what can be done there, what cannot be done there or anywhere, and another look around."""

    look: Played
    done: tuple[Played, ...]
    refused: tuple[Played, ...]
    last: Played

    @property
    def all(self) -> tuple[Played, ...]:
        return (self.look, *self.done, *self.refused, self.last)


class Trial:
    """Holds one world for all checks, since making one may take long. Close it in the end."""

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
        """Another world, that nothing was done to yet."""
        world = self.subject.make()
        try:
            yield world
        finally:
            world.close()

    def begin(self) -> Played:
        """Start the episode that most checks are done in; returns the first look around."""
        self.world.reset(self.subject.scene, self.subject.seed)
        return play(self.world, OBSERVE)

    def begin_other(self) -> Played:
        """Start another episode, in another scene where there is one."""
        self.world.reset(self.subject.other_scene or self.subject.scene, self.subject.other_seed)
        return play(self.world, OBSERVE)

    @cached_property
    def episode(self) -> Episode:
        """Played at the first use, and looked at by all."""
        look = self.begin()
        possible = self.subject.possible(look)
        impossible = [*self.subject.impossible(look), *_impossible(self.world.skills, self.subject.senses)]
        asked = [numbered(one, k) for k, one in enumerate((*possible, *impossible, OBSERVE), start=1)]
        played = tuple(play(self.world, one) for one in asked)
        return Episode(look, played[: len(possible)], played[len(possible) : -1], played[-1])

    def replay(self, world: World, requests: Iterable[SkillRequest] | None = None) -> tuple[Played, ...]:
        """Executes the episode, or only its beginning, again."""
        world.reset(self.subject.scene, self.subject.seed)
        asked = [played.request for played in self.episode.all] if requests is None else requests
        return tuple(play(world, one) for one in asked)

    def close(self) -> None:
        world, self._world = self._world, None
        if world is not None:
            world.close()


def _impossible(skills: Sequence[SkillSchema], senses: Senses) -> Iterator[SkillRequest]:
    """What fails in every world."""
    yield request(UNKNOWN_SKILL)
    if senses is Senses.TEXT:
        yield command("conformance of no game")
        yield replace(command(""), action=Action(words.SKILL_COMMAND, ()))
        return
    here = target(0.0, 0.0)
    for schema in skills:
        wanted = len(schema.arguments)
        yield request(schema.name, *[here] * (wanted + 1), goal=Pose())
        if wanted:
            yield request(schema.name, *[here] * (wanted - 1), goal=Pose())
            for number in (math.nan, math.inf):
                nowhere = Pose(Point(number, number, number))
                yield request(schema.name, *[replace(here, pose=nowhere)] * wanted, goal=nowhere)
        if schema.name in (words.SKILL_NAVIGATE, *words.MANIPULATIONS):
            yield request(schema.name, *_far(schema), goal=Pose.planar(_FAR, _FAR, 0.0))


def _far(schema: SkillSchema) -> list[SkillTarget]:
    return [target(_FAR, _FAR) for kind in schema.arguments if kind != ArgumentKind.COMMAND]
