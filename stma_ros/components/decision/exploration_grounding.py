"""Grounding of an exploration: the robot drives to frontiers, up to things, and to where pictures were taken, looks
around, and changes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from stma_ros.components.decision.grounding import ANSWER, FINISH_UNVERIFIED, GIVE_UP, Placement
from stma_ros.components.decision.scene_grounding import find_target
from stma_ros.components.step_synchronizer import StepInputs
from stma_ros.mapping.transforms import looking_yaw, matrix_of
from stma_ros.roles.allowed_actions import AllowedActions
from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief
from stma_ros.types.exploration import Snapshot, VisualBelief
from stma_ros.types.floors import SLAB, STOREY
from stma_ros.types.planning import Action, SkillSchema, SkillTarget
from stma_ros.types.scene_graph import Frontier, Frontiers, SceneGraph
from stma_ros.types.standard import Pose

_THERE = 0.3
"""Length of the way to a thing [m] up to which the robot stands before it."""


class ExplorationGrounding:
    """The Grounding of agents that only look: they may go to frontiers, up to things and to where snapshots were taken
    on this floor, look around, and end the task."""

    inputs: tuple[str, ...] = (
        topics.OUTCOME,
        topics.OBSERVATION,
        topics.SCENE_GRAPH,
        topics.FRONTIERS,
        topics.SPATIAL_BELIEF,
        topics.VISUAL_BELIEF,
    )
    own_skills: tuple[SkillSchema, ...] = (ANSWER, FINISH_UNVERIFIED, GIVE_UP)

    def allowed_actions(self, skills: Iterable[SkillSchema], step: StepInputs) -> AllowedActions:
        offered = {schema.name for schema in skills}
        frontiers = step.get(topics.FRONTIERS, Frontiers).frontiers
        looking = [Action(words.SKILL_LOOK_AROUND)] if words.SKILL_LOOK_AROUND in offered else []
        snapshots = step.get(topics.VISUAL_BELIEF, VisualBelief).snapshots
        belief = step.get(topics.SPATIAL_BELIEF, SpatialBelief)
        things = _things_away(belief, frontiers)
        seen_here = [each.id for each in snapshots if not _is_on_another_floor(each, belief.robot)]
        places = [*(each.id for each in frontiers), *things, *seen_here]
        going = [Action(words.SKILL_EXPLORE, (name,)) for name in places]
        ending = [Action(schema.name) for schema in self.own_skills]
        return AllowedActions((*going, *looking, *ending))

    def observation(self, step: StepInputs) -> str:
        """Returns an empty text, because all observations are in the beliefs."""
        return ""

    def place(self, action: Action, step: StepInputs) -> Placement:
        """Returns the place of a frontier or a thing, and the pose to which the base goes on the way there. For a
        snapshot it is the pose of the camera, below which the base goes in one step: on the way back there is nothing
        to explore."""
        frontiers = step.get(topics.FRONTIERS, Frontiers)
        frame, name = frontiers.header.frame_id, action.target
        snapshots = step.get(topics.VISUAL_BELIEF, VisualBelief).snapshots
        belief = step.get(topics.SPATIAL_BELIEF, SpatialBelief)
        snapshot = next((each for each in snapshots if each.id == name), None)
        if snapshot is not None:
            base_goal = _below(snapshot, belief.robot)
            return Placement(frame, (SkillTarget(id=name, pose=snapshot.camera),), base_goal)
        routes = {route.target: route.goal for route in belief.routes}
        return Placement(
            frame,
            tuple(
                find_target(name, step.get(topics.SCENE_GRAPH, SceneGraph), frontiers)
                for name in action.arguments
            ),
            base_goal=routes.get(name, Pose.none()),
        )


def _things_away(belief: SpatialBelief, frontiers: Iterable[Frontier]) -> Iterator[str]:
    """Yields the ids of the things before which the robot does not stand yet, and to which a way is known."""
    leading_on = {frontier.id for frontier in frontiers}
    for route in belief.routes:
        if route.target not in leading_on and route.goal.given and route.length > _THERE:
            yield route.target


def _is_on_another_floor(snapshot: Snapshot, robot: Pose) -> bool:
    """Whether the camera was below the floor on which the robot is, or so far above it that another one is between."""
    above = snapshot.camera.position.z - robot.position.z
    return above < -SLAB or above >= STOREY


def _below(snapshot: Snapshot, robot: Pose) -> Pose:
    """Returns the pose of the base when a snapshot was taken on this floor: the camera is taken to be above it, and
    looks ahead."""
    at = snapshot.camera.position
    return Pose.planar(at.x, at.y, looking_yaw(matrix_of(snapshot.camera)), robot.position.z)
