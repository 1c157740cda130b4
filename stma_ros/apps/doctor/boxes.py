"""Measures in which convention a model draws boxes, by a drawn picture of shapes at known places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from stma_ros.domains.spec import Domain
from stma_ros.models.box_convention import BoxConvention, Corners
from stma_ros.models.chat import ChatMessage, ChatReply, ReplySchema
from stma_ros.models.images import Picture, picture
from stma_ros.roles.prompt import find_prompt
from stma_ros.roles.runner import ModelClient, PromptedRole
from stma_ros.roles.scene_graph import SCENE_GRAPH, SceneQuery
from stma_ros.roles.scene_graph_boxes import numbered_boxes
from stma_ros.types.errors import RoleError

WIDTH, HEIGHT = 640, 400
"""Size of the picture [px]. Its sides differ, and all blocks are on one side of its diagonal, so that boxes of one
convention are wrong in every other."""

_WALL = (205, 200, 190)
_SHAPES: tuple[tuple[tuple[int, int, int], tuple[int, int, int, int]], ...] = (
    ((200, 28, 32), (450, 30, 610, 110)),
    ((28, 60, 200), (250, 20, 380, 90)),
    ((30, 140, 50), (470, 200, 600, 300)),
)
"""Colour of each block, and its left, top, right and bottom [px]."""

FITTING = 0.5
"""Smallest mean intersection over union with the shapes at which boxes fit a convention."""


@dataclass(frozen=True)
class BoxFinding:
    """In which convention a model draws boxes.

    Attributes:
        asked: convention that it was asked for.
        found: convention that its boxes fit; None if they fit none.
        overlap: mean intersection over union of the shapes with the best boxes, in that convention or the best one.
        boxes: number of boxes in its replies.
        error: reason why there was no reply; empty if there was one.
    """

    asked: BoxConvention
    found: BoxConvention | None
    overlap: float
    boxes: int
    error: str = ""

    @property
    def text(self) -> str:
        """The finding in words."""
        if self.error:
            return f"not measured: {self.error}"
        if not self.boxes:
            return "not measured: the reply on a picture of three coloured blocks has no boxes"
        share = f"mean overlap {self.overlap:.0%}"
        if self.found is None:
            return f"its boxes fit no convention ({share} at best)"
        return f"its boxes are {self.found.value} ({share})"

    @property
    def advice(self) -> str:
        """What to change; empty if nothing is."""
        if self.error or self.found is self.asked:
            return ""
        if self.found is None:
            return (
                "scene graph: the boxes on a picture of three coloured blocks are not where the blocks are, in no "
                "convention. Things would be remembered at wrong places: ask a model that is trained to draw boxes"
            )
        return f"scene graph: set model.boxes={self.found.value}: it was asked for {self.asked.value}, and draws those"


def blocks() -> Picture:
    """Returns the picture of the shapes."""
    pixels = np.full((HEIGHT, WIDTH, 3), _WALL, np.uint8)
    for colour, (left, top, right, bottom) in _SHAPES:
        pixels[top:bottom, left:right] = colour
    return picture(pixels)


def measure_boxes(client: ModelClient, asked: BoxConvention, domain: Domain) -> BoxFinding:
    """Asks the model about the picture, once or, after an unusable reply, twice. The first reply with boxes counts.

    Args:
        client: of the role scene_graph.
        asked: convention in which it is asked for boxes.
        domain: whose prompt is used.
    """
    listening = _Listening(client)
    role = PromptedRole(SCENE_GRAPH, listening, find_prompt(SCENE_GRAPH.name, domain.package))
    error = ""
    try:
        role.answer(SceneQuery("", blocks(), boxes=asked))
    except RoleError as problem:  # boxes of another convention are unusable, and are what is to be found out
        error = str(problem)
    drawn = (list(numbered_boxes(_objects(reply))) for reply in listening.replies)
    found = next(filter(None, drawn), None)
    if found is None:
        return BoxFinding(asked, None, 0.0, 0, error)
    # The convention that was asked for goes first: it wins where others fit as well.
    overlaps = {each: mean_overlap(found, each) for each in (asked, *BoxConvention)}
    best = max(overlaps, key=overlaps.__getitem__)
    return BoxFinding(asked, best if overlaps[best] >= FITTING else None, overlaps[best], len(found))


def mean_overlap(boxes: Sequence[Corners], convention: BoxConvention) -> float:
    """Returns the mean intersection over union of the shapes, each with the box that covers it best in a convention."""
    drawn = [convention.corners(box, WIDTH, HEIGHT) for box in boxes]
    shapes = [BoxConvention.PIXELS.corners(box, WIDTH, HEIGHT) for _, box in _SHAPES]
    return sum(max(_overlap(shape, box) for box in drawn) for shape in shapes) / len(shapes)


def _overlap(one: Corners, other: Corners) -> float:
    """Intersection over union."""
    left, top = max(one[0], other[0]), max(one[1], other[1])
    right, bottom = min(one[2], other[2]), min(one[3], other[3])
    common = max(right - left, 0.0) * max(bottom - top, 0.0)
    union = _area(one) + _area(other) - common
    return common / union if union > 0 else 0.0


def _area(box: Corners) -> float:
    return max(box[2] - box[0], 0.0) * max(box[3] - box[1], 0.0)


def _objects(reply: ChatReply) -> Sequence[object]:
    parsed = reply.parsed
    found = parsed.get("objects") if isinstance(parsed, dict) else None
    return found if isinstance(found, list) else ()


@dataclass
class _Listening:
    """A ModelClient that asks another one, and remembers the replies."""

    client: ModelClient
    replies: list[ChatReply] = field(default_factory=list)

    def ask(self, messages: Sequence[ChatMessage], schema: ReplySchema, max_tokens: int) -> ChatReply:
        self.replies.append(self.client.ask(messages, schema, max_tokens))
        return self.replies[-1]

    def cache(
        self, messages: Sequence[ChatMessage], schema: ReplySchema, max_tokens: int, reply: ChatReply
    ) -> None:
        self.client.cache(messages, schema, max_tokens, reply)

    def reject(self, problem: str) -> None:
        self.client.reject(problem)

    def note(self, faults: str) -> None:
        self.client.note(faults)
