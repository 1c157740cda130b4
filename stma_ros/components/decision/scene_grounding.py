"""Grounding in worlds with cameras: allowed actions from skill schemas and the scene graph, and poses of their
targets."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from stma_ros.components.decision.grounding import (
    ANSWER,
    FINISH,
    FINISH_UNVERIFIED,
    GIVE_UP,
    REPORT,
    RETRIEVE,
    Placement,
    with_retrievals,
)
from stma_ros.components.step_synchronizer import StepInputs
from stma_ros.library.scene.floor_places import stands_on_floor
from stma_ros.memory.asked_kinds import with_asked
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.roles.allowed_actions import AllowedActions
from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.planning import Action, ArgumentKind, SkillSchema, SkillTarget
from stma_ros.types.scene_graph import Frontier, Frontiers, ObjectNode, SceneGraph
from stma_ros.types.standard import Pose, Vector3

NodeT = TypeVar("NodeT", ObjectNode, Frontier)


_INPUTS = (
    topics.OUTCOME,
    topics.OBSERVATION,
    topics.SCENE_GRAPH,
    topics.FRONTIERS,
    topics.TEMPORAL_BELIEF,
    topics.SPATIAL_BELIEF,
)
_OWN_SKILLS = (REPORT, ANSWER, FINISH, FINISH_UNVERIFIED, GIVE_UP)


class SceneGrounding:
    """The Grounding of worlds with cameras."""

    def __init__(self, knowledge: CategoryKnowledge, *, retrieves: bool = False) -> None:
        """Creates a grounding.

        Args:
            knowledge: what things of a kind can be done to.
            retrieves: whether the memory can be asked for closed subgoals.
        """
        self._knowledge = knowledge
        self._retrieves = retrieves
        self.own_skills: tuple[SkillSchema, ...] = (*_OWN_SKILLS, RETRIEVE) if retrieves else _OWN_SKILLS
        self.inputs: tuple[str, ...] = _INPUTS

    def allowed_actions(self, skills: Iterable[SkillSchema], step: StepInputs) -> AllowedActions:
        graph, frontiers = _scene(step)
        goals = step.get(topics.TEMPORAL_BELIEF, TemporalBelief).goals
        allowed = AllowedActions(
            allowed_actions(skills, graph, frontiers, with_asked(self._knowledge, goals))
        )
        return with_retrievals(allowed, step) if self._retrieves else allowed

    def observation(self, step: StepInputs) -> str:
        """Returns an empty text, because all observations are in the beliefs."""
        return ""

    def place(self, action: Action, step: StepInputs) -> Placement:
        """Returns a box for each argument, the pose of the base for the first of them, and the free place there."""
        graph, frontiers = _scene(step)
        targets = tuple(find_target(name, graph, frontiers) for name in action.arguments)
        belief = step.get(topics.SPATIAL_BELIEF, SpatialBelief)
        first = action.target
        goals = {route.target: route.goal for route in belief.routes}
        places = {(place.skill, place.target): place.pose for place in belief.free_places}
        return Placement(
            graph.header.frame_id,
            targets,
            base_goal=goals.get(first, Pose.none()),
            place_goal=places.get((action.skill, first), Pose.none()),
        )


def allowed_actions(
    skills: Iterable[SkillSchema], graph: SceneGraph, frontiers: Frontiers, knowledge: CategoryKnowledge
) -> tuple[Action, ...]:
    """Returns every skill with every observed object that fits its argument, then the agent's own actions.

    Only the category of an object is checked here, and whether it stands on the floor; whether the action makes sense
    now is for the critic to judge. The robot can go to what another look must tell of, and do nothing else to it.
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
    floors = {room.center.z for room in graph.rooms}
    arguments[ArgumentKind.STANDING] = tuple(
        node.id
        for node in graph.objects
        if stands_on_floor(node.box.center.position.z - node.size.z / 2, floors)
    )
    arguments[ArgumentKind.FRONTIER] = tuple(frontier.id for frontier in frontiers.frontiers)
    unconfirmed = tuple(node.id for node in graph.unconfirmed)
    places = {**arguments, ArgumentKind.OBJECT: (*arguments[ArgumentKind.OBJECT], *unconfirmed)}
    grounded = [
        Action(schema.name, chosen)
        for schema in skills
        for known in (places if schema.name in words.MOTIONS else arguments,)
        for chosen in itertools.product(*(known.get(kind, ()) for kind in schema.arguments))
    ]
    return (
        *grounded,
        *(Action(words.SKILL_REPORT, (name,)) for name in arguments[ArgumentKind.OBJECT]),
        Action(words.SKILL_ANSWER),
        Action(words.SKILL_FINISH),
        Action(words.SKILL_FINISH_UNVERIFIED),
        Action(words.SKILL_GIVE_UP),
    )


def _scene(step: StepInputs) -> tuple[SceneGraph, Frontiers]:
    return step.get(topics.SCENE_GRAPH, SceneGraph), step.get(topics.FRONTIERS, Frontiers)


def find_target(name: str, graph: SceneGraph, frontiers: Frontiers) -> SkillTarget:
    """Returns the target with an id of the scene graph or of a frontier; its position is NaN if it does not exist."""
    node = _find(name, (*graph.objects, *graph.unconfirmed))
    if node is not None:
        return SkillTarget(id=name, category=node.category, pose=node.box.center, size=node.size)
    frontier = _find(name, frontiers.frontiers)
    if frontier is not None:
        return SkillTarget(id=name, category="", pose=Pose(frontier.center))
    return SkillTarget(id=name, category="", pose=Pose.none(), size=Vector3(math.nan, math.nan, math.nan))


def _find(name: str, nodes: Iterable[NodeT]) -> NodeT | None:
    return next((node for node in nodes if node.id == name), None)
