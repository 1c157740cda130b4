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
ROUTES: Final = "world/routes"  # Lines: from the robot to a skill's possible goals
TARGET: Final = "world/target"  # Boxes: target of the running skill
GOAL: Final = "world/goal"  # Lines: from the robot to the goal of the base in the running skill
SNAPSHOTS: Final = "world/snapshots"  # Lines: views of the kept snapshots
EVIDENCE: Final = (
    "world/evidence"  # Lines: views of the pictures that the answer rests on, and to what they show
)
PATH: Final = "world/path"  # Lines: the robot's path
ROBOT: Final = "world/robot"  # PoseOf: its base
CAMERA: Final = "world/camera"  # PoseOf: its camera's optical frame
COLOR: Final = "world/camera/color"  # Picture: the camera image
KEYFRAME: Final = "keyframe"  # Picture: the newest keyframe, with perception's detections
FRONTIER_VIEWS: Final = "frontier_views"  # Picture: what is seen in the direction of each frontier
EVIDENCE_PICTURES: Final = "evidence"  # Picture: the pictures that the answer rests on

GRAPH: Final = "graph"  # GraphView: objects, rooms and relations

TASK: Final = "text/task"  # Text
PLAN: Final = "text/plan"
CHECKLIST: Final = "text/checklist"
EXPERIENCES: Final = "text/experiences"
TEMPORAL_BELIEF: Final = "text/temporal_belief"
SPATIAL_BELIEF: Final = "text/spatial_belief"
WORLD_TEXT: Final = "text/world"  # the output of a text world

LOG: Final = "log"
PLANS_LOG: Final = "log/plans"  # Remark: a new plan
CHECKLIST_LOG: Final = "log/checklist"  # ... an item that was done or eliminated
EXPERIENCES_LOG: Final = "log/experiences"  # ... a task that was judged, or a step without experiences
CRITIC_LOG: Final = "log/critic"  # ... a verdict
OUTCOMES_LOG: Final = "log/outcomes"  # ... an outcome of an action
TASKS_LOG: Final = "log/tasks"  # ... the begin or end of a task
FAULTS_LOG: Final = "log/faults"  # ... a node's fault
MEMORY_LOG: Final = "log/memory"  # ... a question to the memory and its answer
MODELS_LOG: Final = "log/models"  # ... a question to a model that failed

VIEW_LOG: Final = "log/view"  # ... a remark of the view itself

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
CONTEXT: Final = "metrics/context"  # and the role: tokens of its last question, counted by this package
