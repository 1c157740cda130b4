"""Turns the messages of a run into drawable objects."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.types import topics
from stma_ros.types.message import Message
from stma_ros.visual.checklist_page import ChecklistPage
from stma_ros.visual.cloud import ColouredCloud
from stma_ros.visual.drawables import Drawn
from stma_ros.visual.drawing_context import DrawingContext
from stma_ros.visual.event_log import EventLog
from stma_ros.visual.evidence import EvidenceViews
from stma_ros.visual.experience_page import ExperiencePage
from stma_ros.visual.figures import Figures
from stma_ros.visual.frontier_views import FrontierPictures
from stma_ros.visual.graph import SceneAsGraph
from stma_ros.visual.motion import RobotMotion
from stma_ros.visual.navigation_goals import NavigationGoals
from stma_ros.visual.objects import ObjectsInSpace
from stma_ros.visual.pictures import CameraPictures
from stma_ros.visual.reasoning_pages import ReasoningPages

LOOKED_AT: Final = (
    topics.COLOR,
    topics.DEPTH,
    topics.CAMERA_INFO,
    topics.CAMERA_POSE,
    topics.ODOMETRY,
    topics.LOCALIZATION,
    topics.OBSERVATION,
    topics.TASK,
    topics.TASK_RESULT,
    topics.FAULT,
    topics.KEYFRAME_DETECTIONS,
    topics.SCENE_GRAPH,
    topics.MAP,
    topics.FRONTIERS,
    topics.TEMPORAL_BELIEF,
    topics.SPATIAL_BELIEF,
    topics.VISUAL_BELIEF,
    topics.EXPLORATION_PLAN,
    topics.EXPERIENCES,
    topics.JUDGED_TASK,
    topics.OBJECT_QUERY,
    topics.OBJECT_QUERY_RESULT,
    topics.MEMORY_REPLY,
    topics.PLAN,
    topics.ACTION_PROPOSAL,
    topics.CRITIQUE,
    topics.SKILL_REQUEST,
    topics.OUTCOME,
    topics.ROLE_CALLS,
    topics.MODEL_CALL,
)
"""The topics with a drawing. Ground truth is not among them: the view shows the agent's knowledge."""


class SceneBuilder:
    """Takes messages in the order of the recording, or live. Its memory does not grow with the run, except for the
    voxels of the cloud, whose number is bounded.

    Times are those of the messages' headers: the robot's clock, or, in a text world, one second for each command.
    """

    def __init__(
        self,
        picture_period: float = 0.5,
        *,
        with_cloud: bool = True,
        knowledge: CategoryKnowledge | None = None,
        keyframes: Collection[int] | None = None,
    ) -> None:
        """Creates a builder that has seen nothing.

        Args:
            picture_period: least time between two drawings of the camera's image, in addition to all keyframes [s].
            with_cloud: whether the coloured cloud is drawn.
            knowledge: other names of categories, by which the things that an answer names are found in its pictures;
                None = their own names alone.
            keyframes: stamps of all keyframes of a recording [ns], so that their images wait however late their
                detections come; None = not known, as live.
        """
        self._context = context = DrawingContext()
        self._parts = (
            RobotMotion(context),
            CameraPictures(context, round(picture_period * 1e9), keyframes),
            *((ColouredCloud(context, keyframes),) if with_cloud else ()),
            ObjectsInSpace(context),
            SceneAsGraph(context),
            NavigationGoals(context),
            ReasoningPages(context),
            ChecklistPage(context),
            ExperiencePage(context),
            FrontierPictures(context),
            EvidenceViews(context, knowledge or CategoryKnowledge.of({})),
            EventLog(context),
            Figures(context),
        )

    def take(self, topic: str, message: Message) -> Iterator[Drawn]:
        """Yields the drawings of a message. `topic` is relative to the robot's namespace. Malformed contents yield
        none."""
        self._context.read_stamp(message)
        for part in self._parts:
            yield from part.take(topic, message)
