"""Which states a scene graph tells, and which of them are right."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from stma_ros.evaluation.oriented_boxes import offset_in
from stma_ros.evaluation.room_lookup import room_at
from stma_ros.evaluation.tally import Tally
from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import ObjectNode
from stma_ros.types.standard import Pose
from stma_ros.types.truth import GroundTruth, GroundTruthObject

SEEN_WITHIN = 2.0
"""From at most this distance to its box [m], a robot that faces the front of a thing sees whether it is open."""

SEEN_ANGLE = math.radians(35)
"""A thing that is off the robot's heading by at most this is in view [rad]."""

_OPENNESS = words.STATE_DIMENSION[words.STATE_OPEN]


@dataclass(frozen=True)
class StateScore:
    """The score of states.

    Attributes:
        all: states of the found things: right, told, and true ones.
        openness: of the things whose front was seen from near: how many are told rightly, told at all, and there are.
    """

    all: Tally
    openness: Tally

    @property
    def wrong(self) -> float:
        """Share of the states of the found things that are told wrongly [0..1]."""
        return (self.all.said - self.all.right) / self.all.true if self.all.true else 0.0

    @property
    def unknown(self) -> float:
        """Share of the states of the found things that are not told [0..1]."""
        return 1 - self.all.said / self.all.true if self.all.true else 0.0


def told_states(node: ObjectNode) -> Mapping[str, str]:
    """Returns what a graph tells of a thing: its state in each dimension."""
    return {
        words.STATE_DIMENSION[state]: state
        for state in node.state_names
        if state != words.STATE_UNKNOWN and state in words.STATE_DIMENSION
    }


def true_states(thing: GroundTruthObject) -> Mapping[str, str]:
    """Returns the true state of a thing in each dimension."""
    return {words.STATE_DIMENSION[state]: state for state in thing.states}


def score_states(
    found: Sequence[tuple[ObjectNode, GroundTruthObject]], truths: Sequence[GroundTruth]
) -> StateScore:
    """Scores the states of a graph at the end of an episode.

    Args:
        found: objects of the graph with their true counterparts.
        truths: ground truth after each skill, the last one at the end. They say from where the robot has looked; views
            on its way are not counted.
    """
    told = {thing.name: told_states(node) for node, thing in found}
    openness = [0, 0, 0]
    for thing in truths[-1].objects if truths else ():
        state = true_states(thing).get(_OPENNESS)
        if state is None or not was_front_seen(thing, truths):
            continue
        answer = told.get(thing.name, {}).get(_OPENNESS)
        openness[0] += answer == state
        openness[1] += answer is not None
        openness[2] += 1
    return StateScore(state_tally(found), Tally(*openness))


def state_tally(found: Iterable[tuple[ObjectNode, GroundTruthObject]]) -> Tally:
    """Counts the states of found things: those told rightly, told at all, and true ones."""
    right = said = true = 0
    for node, thing in found:
        real, told = true_states(thing), told_states(node)
        common = real.keys() & told.keys()
        right += sum(real[dimension] == told[dimension] for dimension in common)
        said += len(common)
        true += len(real)
    return Tally(right, said, true)


def was_front_seen(thing: GroundTruthObject, truths: Iterable[GroundTruth]) -> bool:
    """Whether the robot, at the end of a skill, stood in the thing's room, facing its front from near.

    The x axis of a container's box points to its front; a door (a thing whose room has another one behind it) has two.
    """
    return any(_faces_front(thing, truth.robot, truth) for truth in truths)


def _faces_front(thing: GroundTruthObject, robot: Pose, truth: GroundTruth) -> bool:
    x, y, _ = offset_in(thing.box, robot.position)
    half_x, half_y = thing.size.x / 2, thing.size.y / 2
    is_before = x > half_x and abs(y) <= half_y + SEEN_WITHIN / 2
    near = math.hypot(max(abs(x) - half_x, 0.0), max(abs(y) - half_y, 0.0)) <= SEEN_WITHIN
    bearing = math.atan2(thing.center.y - robot.position.y, thing.center.x - robot.position.x)
    ahead = abs(math.remainder(bearing - robot.yaw, 2 * math.pi)) <= SEEN_ANGLE
    return is_before and near and ahead and thing.room == room_at(robot.position, truth.rooms)
