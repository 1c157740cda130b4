"""The description of a world under test: how to make it, and which requests succeed in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from stma_ros.testing.world_conformance.played import Played
from stma_ros.types.planning import Action, SkillRequest, SkillTarget
from stma_ros.types.standard import Header, Point, Pose, Vector3
from stma_ros.types.world import Senses, World

Requests: TypeAlias = Callable[[Played], Sequence[SkillRequest]]
"""A function of the first `observe` of an episode that returns requests to be executed one after the other."""


def no_requests(_: Played) -> Sequence[SkillRequest]:
    """Returns no requests."""
    return ()


@dataclass(frozen=True)
class Subject:
    """A world under test.

    Attributes:
        name: Name of the world.
        make: Makes a new instance of the world, the same each time.
        senses: Kind of input that the agent gets.
        scene: Scene of most checks.
        seed: Seed of most checks.
        other_seed: Seed of another episode.
        possible: Requests that succeed; with a camera, one of them takes at least two frames before its end.
        other_scene: Scene of another episode; empty = `scene`.
        unknown_scene: Name of a scene that the world does not have.
        impossible: Requests that fail, in addition to those that fail in all worlds.
        ending: Requests the last of which makes the world end the episode; None if it never does.
        knows_truth: Whether the world emits the ground truth, as simulated worlds do.
        varies_with_seed: Whether another seed gives another first observation.
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
    varies_with_seed: bool = True


def request(skill: str, *targets: SkillTarget, goal: Pose | None = None, step: int = 1) -> SkillRequest:
    """Returns a request in the form that agents use.

    Args:
        skill: Name of the skill.
        targets: Its targets.
        goal: Pose of the base in the map frame; None = not given.
        step: Number of the step.
    """
    action = Action(skill, tuple(target.id for target in targets))
    return _request(action, targets, Pose.none() if goal is None else goal, step)


def command(text: str, step: int = 1) -> SkillRequest:
    """Returns a request of a command in a text world."""
    return _request(Action("command", (text,)), (), Pose.none(), step)


def target(x: float, y: float, z: float = 0.5) -> SkillTarget:
    """Returns a small target at a position in the map frame [m]."""
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
