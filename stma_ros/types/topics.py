"""The topics: name, type and delivery. Names are relative to the robot's namespace."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass

from stma_ros.types.belief import Lessons, SpatialBelief, TemporalBelief
from stma_ros.types.control import Alarm, Cancel, Configuration, Fault, JournalEntry
from stma_ros.types.experience import Experiences, JudgedTask
from stma_ros.types.exploration import ExplorationPlan, VisualBelief
from stma_ros.types.message import Message
from stma_ros.types.planning import (
    ActionProposal,
    Critique,
    Outcome,
    Plan,
    PlanRequest,
    RecallRequest,
    SkillRequest,
    SkillSet,
    Task,
    TaskResult,
)
from stma_ros.types.remembering import (
    MemoryAnswer,
    MemoryQuestion,
    MemoryReply,
    MemoryRequest,
    ObjectQuery,
    ObjectQueryResult,
)
from stma_ros.types.scene_answer import SceneAnswer
from stma_ros.types.scene_graph import Frontiers, SceneGraph
from stma_ros.types.sensing import ExternalDetections, KeyframeDetections, Observation, SegmentLabels, Step
from stma_ros.types.standard import (
    CameraInfo,
    Clock,
    Image,
    OccupancyGrid,
    Odometry,
    PoseStamped,
    TransformStamped,
)
from stma_ros.types.telemetry import ModelCall, RoleCall
from stma_ros.types.truth import GroundTruth


class Delivery(enum.Enum):
    """The delivery that readers of a topic need; the ROS runtime turns it into a QoS profile."""

    SENSOR = "every frame of the last seconds, reliably"
    DECISION = "every message of an episode, also for readers that come late"
    LATCHED = "the newest message, also for readers that come late"
    CLOCK = "the newest time, as fast as possible"


@dataclass(frozen=True)
class TopicSpec:
    """Name, message type and delivery of a topic."""

    name: str
    type: type[Message]
    delivery: Delivery


CLOCK = "clock"
COLOR = "camera/color"
DEPTH = "camera/depth"
SEGMENTATION = "camera/segmentation"
SEGMENTATION_LABELS = "camera/segmentation_labels"
DETECTIONS = "camera/detections"
CAMERA_INFO = "camera/camera_info"
CAMERA_POSE = "camera/pose"
ODOMETRY = "odom"
LOCALIZATION = "localization"
OBSERVATION = "observation"
SKILLS = "skills"
GROUND_TRUTH = "ground_truth"

TASK = "task"
TASK_RESULT = "task_result"
CANCEL = "cancel"
ALARM = "alarm"
ALARM_EXPIRED = "alarm_expired"
FAULT = "fault"
CONFIGURATION = "configuration"
JOURNAL = "journal"

STEP = "step"
SCENE_ANSWER = "scene_answer"
KEYFRAME_DETECTIONS = "keyframe_detections"
SCENE_GRAPH = "scene_graph"
MAP = "map"
FRONTIERS = "frontiers"
TEMPORAL_BELIEF = "temporal_belief"
SPATIAL_BELIEF = "spatial_belief"
VISUAL_BELIEF = "visual_belief"
EXPLORATION_PLAN = "exploration_plan"
TASK_SUMMARY = "task_summary"
LESSONS = "lessons"
EXPERIENCES = "experiences"
JUDGED_TASK = "judged_task"
OBJECT_QUERY = "object_query"
EVIDENCE_QUERY = "evidence_query"
OBJECT_QUERY_RESULT = "object_query_result"
MEMORY_QUESTION = "memory_question"
MEMORY_ANSWER = "memory_answer"
MEMORY_REQUEST = "memory_request"
MEMORY_REPLY = "memory_reply"

PLAN_REQUEST = "plan_request"
PLAN = "plan"
ACTION_PROPOSAL = "action_proposal"
CRITIQUE = "critique"
RECALL_REQUEST = "recall_request"
SKILL_REQUEST = "skill_request"
OUTCOME = "outcome"

ROLE_CALLS = "role_calls"
MODEL_CALL = "model_call"

FRAME = (
    COLOR,
    DEPTH,
    SEGMENTATION,
    SEGMENTATION_LABELS,
    CAMERA_INFO,
    CAMERA_POSE,
    ODOMETRY,
    LOCALIZATION,
)
"""The parts of one camera frame, whose id is their common stamp.

- Colour is rgb8.
- Depth is 16UC1, planar [mm], 0 = not measured.
- Segmentation is 16UC1, 0 = unknown.
- camera_info is that of the rectified images.
- odom is the pose of the base in the odometry frame.
- camera/pose is the pose of the camera's optical frame (REP-103: z forward, x right, y down) in the odometry frame.
- localization is the transform from the odometry frame (child_frame_id) to the map frame (REP-105) as it is known at
  that time; it is the identity if the odometry does not drift.
"""

BELIEFS = (TEMPORAL_BELIEF, SPATIAL_BELIEF)
"""The beliefs of a step. A memory action makes the next revision of its step's beliefs; other messages of a step have
one revision."""

DEPTH_FRAME = (DEPTH, CAMERA_INFO, CAMERA_POSE, ODOMETRY, LOCALIZATION)
"""The parts of a frame that give depth and its place in the map."""

MASKS = (SEGMENTATION, SEGMENTATION_LABELS)
"""The parts of a frame that some detectors use; a robot whose detector does not need not publish them."""

EXTERNAL = (DETECTIONS,)
"""Topics that nodes outside of the graph may publish; no reader waits for them."""

CAMERA_FRAME = "camera_frame"
"""Name under which components take whole frames (sensing.camera_frame), also in journals and `derived_from`. It is not
a ROS topic: the parts of frames are published."""

TOPICS: Mapping[str, TopicSpec] = {
    spec.name: spec
    for spec in (
        TopicSpec(CLOCK, Clock, Delivery.CLOCK),
        TopicSpec(COLOR, Image, Delivery.SENSOR),
        TopicSpec(DEPTH, Image, Delivery.SENSOR),
        TopicSpec(SEGMENTATION, Image, Delivery.SENSOR),
        TopicSpec(SEGMENTATION_LABELS, SegmentLabels, Delivery.SENSOR),
        TopicSpec(DETECTIONS, ExternalDetections, Delivery.SENSOR),
        TopicSpec(CAMERA_INFO, CameraInfo, Delivery.SENSOR),
        TopicSpec(CAMERA_POSE, PoseStamped, Delivery.SENSOR),
        TopicSpec(ODOMETRY, Odometry, Delivery.SENSOR),
        TopicSpec(LOCALIZATION, TransformStamped, Delivery.SENSOR),
        TopicSpec(OBSERVATION, Observation, Delivery.DECISION),
        TopicSpec(SKILLS, SkillSet, Delivery.LATCHED),
        TopicSpec(GROUND_TRUTH, GroundTruth, Delivery.DECISION),
        TopicSpec(TASK, Task, Delivery.DECISION),
        TopicSpec(TASK_RESULT, TaskResult, Delivery.DECISION),
        TopicSpec(CANCEL, Cancel, Delivery.DECISION),
        TopicSpec(ALARM, Alarm, Delivery.DECISION),
        TopicSpec(ALARM_EXPIRED, Alarm, Delivery.DECISION),
        TopicSpec(FAULT, Fault, Delivery.DECISION),
        TopicSpec(CONFIGURATION, Configuration, Delivery.DECISION),
        TopicSpec(JOURNAL, JournalEntry, Delivery.DECISION),
        TopicSpec(STEP, Step, Delivery.DECISION),
        TopicSpec(SCENE_ANSWER, SceneAnswer, Delivery.DECISION),
        TopicSpec(KEYFRAME_DETECTIONS, KeyframeDetections, Delivery.DECISION),
        TopicSpec(SCENE_GRAPH, SceneGraph, Delivery.DECISION),
        TopicSpec(MAP, OccupancyGrid, Delivery.LATCHED),
        TopicSpec(FRONTIERS, Frontiers, Delivery.DECISION),
        TopicSpec(TEMPORAL_BELIEF, TemporalBelief, Delivery.DECISION),
        TopicSpec(SPATIAL_BELIEF, SpatialBelief, Delivery.DECISION),
        TopicSpec(VISUAL_BELIEF, VisualBelief, Delivery.DECISION),
        TopicSpec(EXPLORATION_PLAN, ExplorationPlan, Delivery.DECISION),
        TopicSpec(TASK_SUMMARY, TemporalBelief, Delivery.DECISION),
        TopicSpec(LESSONS, Lessons, Delivery.DECISION),
        TopicSpec(EXPERIENCES, Experiences, Delivery.DECISION),
        TopicSpec(JUDGED_TASK, JudgedTask, Delivery.DECISION),
        TopicSpec(OBJECT_QUERY, ObjectQuery, Delivery.DECISION),
        TopicSpec(EVIDENCE_QUERY, ObjectQuery, Delivery.DECISION),
        TopicSpec(OBJECT_QUERY_RESULT, ObjectQueryResult, Delivery.DECISION),
        TopicSpec(MEMORY_QUESTION, MemoryQuestion, Delivery.DECISION),
        TopicSpec(MEMORY_ANSWER, MemoryAnswer, Delivery.DECISION),
        TopicSpec(MEMORY_REQUEST, MemoryRequest, Delivery.DECISION),
        TopicSpec(MEMORY_REPLY, MemoryReply, Delivery.DECISION),
        TopicSpec(PLAN_REQUEST, PlanRequest, Delivery.DECISION),
        TopicSpec(PLAN, Plan, Delivery.DECISION),
        TopicSpec(ACTION_PROPOSAL, ActionProposal, Delivery.DECISION),
        TopicSpec(CRITIQUE, Critique, Delivery.DECISION),
        TopicSpec(RECALL_REQUEST, RecallRequest, Delivery.DECISION),
        TopicSpec(SKILL_REQUEST, SkillRequest, Delivery.DECISION),
        TopicSpec(OUTCOME, Outcome, Delivery.DECISION),
        TopicSpec(ROLE_CALLS, RoleCall, Delivery.DECISION),
        TopicSpec(MODEL_CALL, ModelCall, Delivery.DECISION),
    )
}
