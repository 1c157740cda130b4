"""Precision of the objects of a scene graph that the robot has been near: farther ones were seen small, and may yet be
corrected."""

from __future__ import annotations

import math
from collections.abc import Iterable

from stma_ros.evaluation.scene_graphs import GraphScore
from stma_ros.evaluation.tally import Tally
from stma_ros.types.scene_graph import ObjectNode, SceneGraph
from stma_ros.types.truth import GroundTruth

NEAR = 4.0
"""Largest horizontal distance of an object's centre from the robot, at the end of some skill [m]."""


def score_near(graph: SceneGraph, truths: Iterable[GroundTruth], score: GraphScore) -> Tally:
    """Counts the objects of a graph that the robot has been near, and those of them that are really there.

    Args:
        graph: of the memory.
        truths: ground truth after each skill, which says where the robot stood.
        score: of the graph by the last truth. Hidden things are left out, as there.
    """
    stood = [truth.robot.position for truth in truths]

    def is_near(node: ObjectNode) -> bool:
        return any(math.hypot(node.center.x - at.x, node.center.y - at.y) <= NEAR for at in stood)

    things = {node.id: thing for node, thing in score.found}
    claimed = [
        node
        for node in graph.objects
        if not node.is_missing and not (node.id in things and things[node.id].hidden) and is_near(node)
    ]
    right = sum(node.id in things for node in claimed)
    return Tally(right, len(claimed), right)
