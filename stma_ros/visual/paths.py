"""Paths of the drawable objects: one tree for all viewers."""

from __future__ import annotations

from typing import Final

WORLD: Final = "world"
CLOUD: Final = "world/cloud"  # Points: coloured voxels of the surfaces seen
FLOOR: Final = "world/floor"  # Grid: the occupancy grid
ROOMS: Final = "world/rooms"  # Lines: footprints, with names
OBJECTS: Final = "world/objects"  # Boxes: the scene graph's objects
RELATIONS: Final = "world/relations"  # Lines: from each subject to its object
FRONTIERS: Final = "world/frontiers"  # Arrows: from the viewpoint to the frontier
ROUTES: Final = "world/routes"  # Lines: from the robot to where a skill could go
TARGET: Final = "world/target"  # Boxes: what the running skill is done to
GOAL: Final = "world/goal"  # Lines: from the robot to where the running skill wants the base
PATH: Final = "world/path"  # Lines: where the robot has been
ROBOT: Final = "world/robot"  # PoseOf: its base
CAMERA: Final = "world/camera"  # PoseOf: its camera's optical frame
COLOR: Final = "world/camera/color"  # Picture: what the camera sees
KEYFRAME: Final = "keyframe"  # Picture: the newest keyframe, with perception's detections

GRAPH: Final = "graph"  # GraphView: objects, rooms and relations

TASK: Final = "text/task"  # Text
PLAN: Final = "text/plan"
TEMPORAL_BELIEF: Final = "text/temporal_belief"
SPATIAL_BELIEF: Final = "text/spatial_belief"
TOLD: Final = "text/told"  # what a world of text tells

LOG: Final = "log"
PLANS_LOG: Final = "log/plans"  # Remark: a plan that was made
CRITIC_LOG: Final = "log/critic"  # ... a verdict
OUTCOMES_LOG: Final = "log/outcomes"  # ... what became of an action
TASKS_LOG: Final = "log/tasks"  # ... a task that began or ended
FAULTS_LOG: Final = "log/faults"  # ... a node's fault
MEMORY_LOG: Final = "log/memory"  # ... a question to the memory and its answer
MODELS_LOG: Final = "log/models"  # ... a question to a model that failed

VIEW_LOG: Final = "log/view"  # ... what the view itself has to say

METRICS: Final = "metrics"
OBJECTS_KNOWN: Final = "metrics/known/objects"  # Series
ROOMS_KNOWN: Final = "metrics/known/rooms"
FRONTIERS_OPEN: Final = "metrics/known/frontiers"
AREA: Final = "metrics/area/mapped"  # [m2]
COMMANDS: Final = "metrics/commands/done"
FAILURES: Final = "metrics/commands/failed"
REJECTIONS: Final = "metrics/commands/rejected"
TOKENS: Final = "metrics/models/tokens"  # of all prompts and replies so far
LATENCY: Final = "metrics/latency/seconds"  # of one call [s]
CONTEXT: Final = "metrics/context"  # and the role: tokens of its last question, by our own count
