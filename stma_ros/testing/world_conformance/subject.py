"""Describes a world under test: how to make it, and which skills succeed in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from stma_ros.testing.world_conformance.played import Played
from stma_ros.types.planning import Action, SkillRequest, SkillTarget
from stma_ros.types.standard import Header, Point, Pose, Vector3
from stma_ros.types.world import Senses, World

Requests: TypeAlias = Callable[[Played], Sequence[SkillRequest]]
"""From the first look around of an episode: requests to be made one after the other from there."""


def no_requests(_: Played) -> Sequence[SkillRequest]:
    return ()


@dataclass(frozen=True)
class Subject:
    """A world, and what the checks need to know of it.

    make: a new world, the same each time. scene, seed: where most checks are done; the other ones begin another
    episode. unknown_scene: one that it does not have. possible: requests that succeed; with a camera, one of them takes
    two frames or more on its way. impossible: requests that fail there, beside those that fail anywhere. ending:
    requests the last of which makes the world end the episode; None where it never does. knows_truth: whether it tells
    the ground truth, as simulated worlds do.
    """

    name: str
    make: Callable[[], World]
    senses: Senses
    scene: str
    seed: int
    other_seed: int
    possible: Requests
    other_scene: str = ""
    unknown_scene: str = "no such scene"
    impossible: Requests = no_requests
    ending: Requests | None = None
    knows_truth: bool = True


def request(skill: str, *targets: SkillTarget, goal: Pose | None = None, step: int = 1) -> SkillRequest:
    """A request as an agent makes them. goal: where the base is to stand, in the map frame."""
    action = Action(skill, tuple(target.id for target in targets))
    return _request(action, targets, Pose.none() if goal is None else goal, step)


def command(text: str, step: int = 1) -> SkillRequest:
    """A command for a text world."""
    return _request(Action("command", (text,)), (), Pose.none(), step)


def target(x: float, y: float, z: float = 0.5) -> SkillTarget:
    """Something small at a place of the map frame [m]."""
    return SkillTarget(
        id="conformance_target", category="box", pose=Pose(Point(x, y, z)), size=Vector3(0.2, 0.2, 0.2)
    )


def _request(action: Action, targets: tuple[SkillTarget, ...], goal: Pose, step: int) -> SkillRequest:
    return SkillRequest(
        header=Header(frame_id="map"),
        request_id=f"conformance/{step}",
        task_id="conformance",
        step=step,
        subgoal="",
        action=action,
        targets=targets,
        base_goal=goal,
    )
