"""A model that sees, and how it is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from stma_ros.components.perception.question_budget import QuestionLimits
from stma_ros.models.box_convention import BoxConvention

# Every node reads the registry of detectors, which names this.
if TYPE_CHECKING:
    from stma_ros.roles.scene_graph import SceneGraphRole


@dataclass(frozen=True)
class SceneModel:
    """A model that names the objects in pictures.

    Attributes:
        role: Asks it.
        image_pixels: Most pixels of a picture that it is shown.
        boxes: Convention in which it is asked to draw boxes.
        questions: Limits of the questions to it.
        wait: How long a keyframe waits for its answer after the end of its step, by the stamps of frames [s]; None =
            until it answers.
    """

    role: SceneGraphRole
    image_pixels: int
    boxes: BoxConvention = BoxConvention.THOUSANDTHS
    questions: QuestionLimits = QuestionLimits()
    wait: float | None = None
