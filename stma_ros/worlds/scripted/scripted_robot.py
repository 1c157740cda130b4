"""A robot whose skills end as a script says. As a test double it changes no objects and has no ground truth."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.component import CancelToken, Emission
from stma_ros.types.errors import ConfigurationError, ErrorCode, SkillError, WorldError
from stma_ros.types.planning import SkillRequest, SkillSchema
from stma_ros.types.sensing import EpisodeState
from stma_ros.worlds.robot import skills
from stma_ros.worlds.robot.body import Body
from stma_ros.worlds.robot.camera import Camera
from stma_ros.worlds.robot.execution import attempt, observation_of
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.targets import called, check_reach, is_finite, target_box
from stma_ros.worlds.scripted.config import ScriptedConfig
from stma_ros.worlds.scripted.room import Room, RoomRenderer
from stma_ros.worlds.scripted.script import ROOM, SUFFIXES, Act, Script, read_script

_ROOM = "room"
_TRIES = 1000  # attempts to find a free place to start from
_ENDS = {"": EpisodeState.RUNNING, "won": EpisodeState.WON, "lost": EpisodeState.LOST}
_HOLDS = {words.SKILL_PICK: True, **dict.fromkeys(words.PLACINGS, False)}


@dataclass
class _Episode:
    """The mutable state of an episode."""

    body: Body
    done: Counter[str] = field(default_factory=Counter)
    holding: bool = False
    state: EpisodeState = EpisodeState.RUNNING


class ScriptedRobot:
    """A World. Scenes are "room", in which every skill succeeds, and the files of scripts (script.py). The seed draws
    the initial pose. A request that no robot could carry out fails by itself; the script states the outcomes of the
    others."""

    skills: tuple[SkillSchema, ...] = skills.SKILLS

    def __init__(self, config: ScriptedConfig) -> None:
        self._camera = Camera(config.width, config.height)
        self._scene = ""
        self._script = ROOM
        self._episode: _Episode | None = None

    def reset(self, scene: str, seed: int) -> str:
        scene = scene or self._scene or _ROOM
        script = _script(scene)
        room = Room(script)
        rng = np.random.default_rng(seed % 2**64)
        start = _start(room, rng, scene)
        self._scene, self._script = scene, script
        self._episode = _Episode(Body(room, self._camera, RoomRenderer(room, self._camera), start, rng))
        return scene

    def execute(self, request: SkillRequest, cancel: CancelToken) -> Iterator[Emission]:
        episode = self._episode
        if episode is None:
            raise WorldError(f"the robot is nowhere yet: reset it first, with a scene such as {_ROOM!r}")
        observing = request.action.skill == words.SKILL_OBSERVE
        motions = iter(()) if observing else self._perform(episode, request, cancel)
        outcome = yield from attempt(episode.body, request, cancel, motions)
        bumper = episode.body.bumper
        yield (
            topics.OBSERVATION,
            observation_of(outcome, bumper, holding=episode.holding, episode=episode.state),
        )
        yield topics.OUTCOME, outcome

    def close(self) -> None:
        self._episode = None

    def _perform(self, episode: _Episode, request: SkillRequest, cancel: CancelToken) -> Iterator[Emission]:
        """Performs a request. Raises SkillError, Canceled, and WorldError where the script says so."""
        if episode.state != EpisodeState.RUNNING:
            raise SkillError(ErrorCode.ACTION_NOT_ALLOWED, "the episode is over: reset the world")
        body, skill = episode.body, request.action.skill
        _check(request, body.base)
        act = self._script.act(skill, episode.done[skill])
        if act.crash:
            self._episode = None
            raise WorldError(f"{act.crash} (by the script: reset the world)")
        if not act.error and skill not in words.MANIPULATIONS:
            yield from skills.perform(body, request, cancel)
        body.pass_time(act.seconds)
        self._settle(episode, act, skill)

    def _settle(self, episode: _Episode, act: Act, skill: str) -> None:
        """Applies an outcome. Raises SkillError where it is a failure."""
        episode.done[skill] += 1
        episode.body.bumper = act.bumper
        episode.state = _ENDS[act.episode]
        if act.holding is not None:
            episode.holding = act.holding
        elif not act.error:
            episode.holding = _HOLDS.get(skill, episode.holding)
        if act.error:
            raise SkillError(ErrorCode[act.error], act.text)


def _script(scene: str) -> Script:
    if scene == _ROOM:
        return ROOM
    if scene.endswith(SUFFIXES):
        return read_script(Path(scene))
    raise ConfigurationError(
        f"the scripted robot has no scene {scene!r}; its scenes are {_ROOM!r} and the files of scripts, such as "
        "'my_script.yaml'"
    )


def _start(room: Room, rng: np.random.Generator, scene: str) -> Placement:
    """Draws a free pose. Raises ConfigurationError for a room that is full."""
    ground = room.ground(room.initial)
    for _ in range(_TRIES):
        x, y = rng.uniform((0.0, 0.0), (room.bounds.x1, room.bounds.y1)).tolist()
        if ground.way(Placement(x, y, 0.0), x, y, 0.0) is not None:
            return Placement(x, y, float(rng.uniform(-math.pi, math.pi)))
    raise ConfigurationError(f"in {scene} there is no free floor for the robot: make the room larger")


def _check(request: SkillRequest, base: Placement) -> None:
    """Raises SkillError for a request that any robot would refuse."""
    skills.check(request)
    skill = request.action.skill
    if skill in words.MOTIONS and not is_finite(request.base_goal):
        raise SkillError(ErrorCode.UNREACHABLE, f"{request.action} says not where the base is to stand")
    if skill in words.MANIPULATIONS:
        (target,) = request.targets
        check_reach(called(target), target_box(target).footprint.distance(base.x, base.y))
