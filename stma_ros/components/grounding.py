"""From skill schemas and what was perceived to the actions that can be asked for, and back to places for the bridge."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from stma_ros.memory.semantic import SemanticMemory
from stma_ros.types import vocabulary as words
from stma_ros.types.common import Source
from stma_ros.types.planning import Action, ArgumentKind, SkillRequest, SkillSchema, SkillTarget
from stma_ros.types.scene_graph import Frontier, Frontiers, ObjectNode, Route, SceneGraph
from stma_ros.types.standard import Header, Pose, Vector3

NodeT = TypeVar("NodeT", ObjectNode, Frontier)

OBSERVE = Action(words.SKILL_OBSERVE)
"""Looks once from where the robot stands; the first thing of every task, and no command."""


def allowed_actions(
    skills: Iterable[SkillSchema], graph: SceneGraph, frontiers: Frontiers, knowledge: SemanticMemory
) -> tuple[Action, ...]:
    """Every skill with every fitting argument that was perceived, then the agent's own actions.

    Only what a thing is decides here, by its kind; whether now is the moment is for the critic to judge.
    """
    fits: Mapping[ArgumentKind, Callable[[str], bool]] = {
        ArgumentKind.OBJECT: lambda _: True,
        ArgumentKind.OPENABLE: knowledge.is_openable,
        ArgumentKind.PORTABLE: knowledge.is_portable,
        ArgumentKind.SURFACE: knowledge.is_surface,
        ArgumentKind.RECEPTACLE: knowledge.is_receptacle,
        ArgumentKind.DEVICE: knowledge.is_device,
        ArgumentKind.TAP: knowledge.is_tap,
    }
    kinds = {node.category for node in graph.objects}
    fitting = {kind: {name for name in kinds if fit(name)} for kind, fit in fits.items()}
    arguments = {
        kind: tuple(node.id for node in graph.objects if node.category in names)
        for kind, names in fitting.items()
    }
    arguments[ArgumentKind.FRONTIER] = tuple(frontier.id for frontier in frontiers.frontiers)
    grounded = [
        Action(schema.name, chosen)
        for schema in skills
        for chosen in itertools.product(*(arguments.get(kind, ()) for kind in schema.arguments))
    ]
    return (
        *grounded,
        *(Action(words.SKILL_REPORT, (name,)) for name in arguments[ArgumentKind.OBJECT]),
        Action(words.SKILL_FINISH),
        Action(words.SKILL_GIVE_UP),
    )


def ends_task(action: Action) -> bool:
    return action.skill in (words.SKILL_REPORT, words.SKILL_FINISH, words.SKILL_GIVE_UP)


def skill_request(
    header: Header,
    task_id: str,
    step: int,
    action: Action,
    graph: SceneGraph | None,
    frontiers: Frontiers | None,
    routes: Iterable[Route],
    based_on: tuple[Source, ...],
) -> SkillRequest:
    """Say an action in places: a box for each argument, and where the base is to stand for the first of them."""
    targets = tuple(find_target(name, graph, frontiers) for name in action.arguments)
    goals = {route.target: route.goal for route in routes}
    goal = goals.get(action.arguments[0], Pose.none()) if action.arguments else Pose.none()
    return SkillRequest(header, f"{task_id}/{step}", task_id, step, action, targets, goal, based_on)


def find_target(name: str, graph: SceneGraph | None, frontiers: Frontiers | None) -> SkillTarget:
    """The place that an id of the scene graph or of a frontier stands for; position NaN when it is gone."""
    node = _find(name, graph.objects if graph else ())
    if node is not None:
        return SkillTarget(name, node.category, Pose(node.center), node.size)
    frontier = _find(name, frontiers.frontiers if frontiers else ())
    if frontier is not None:
        return SkillTarget(name, "", Pose(frontier.center))
    return SkillTarget(name, "", Pose.none(), Vector3(math.nan, math.nan, math.nan))


def _find(name: str, nodes: Iterable[NodeT]) -> NodeT | None:
    return next((node for node in nodes if node.id == name), None)
