"""Requests that are written in the frame of a home, for worlds in any map frame."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from stma_ros.types.planning import SkillRequest
from stma_ros.worlds.robot.simulated_world import SimulatedWorld

AT_HOME = {"map_yaw": 0.0, "map_offset": "0,0"}
"""Options of a world whose map frame is that of the home."""


def in_map(world: SimulatedWorld[Any], request: SkillRequest) -> SkillRequest:
    """Converts the places of a request from the frame of the home to the map frame."""
    frame = world.map_frame
    targets = tuple(replace(target, pose=frame.pose(target.pose)) for target in request.targets)
    base_goal, place_goal = frame.pose(request.base_goal), frame.pose(request.place_goal)
    return replace(request, targets=targets, base_goal=base_goal, place_goal=place_goal)
