"""What the roles of an exploring agent are shown, and how it is rendered (Pred-EQA, section 3.3)."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from stma_ros.models.sampling import Sampling
from stma_ros.roles.checklist_format import checklist_text
from stma_ros.roles.rendering import headed, sections
from stma_ros.roles.spec import Rendering, UnusableReplyError
from stma_ros.types.errors import BadImageError, RoleError
from stma_ros.types.exploration import ChecklistItem, FrontierView, Snapshot

if TYPE_CHECKING:  # the modules for pictures are needed to ask a model only
    from stma_ros.models.images import Picture

VISION_SAMPLING = Sampling(0.7, 0.8, top_k=20, presence_penalty=1.5)
TEXT_SAMPLING = Sampling(1.0, 1.0, top_k=40, presence_penalty=2.0)
"""How the published code samples replies: of the roles that it shows pictures, and of planner and recorder."""

NONE = "none"
"""The text in the place of snapshots or frontiers where there are none."""

SNAPSHOTS, PLAN, FRONTIERS, TRAIL = "Snapshots", "The plan", "Frontiers", "So far"
"""Headings of a question."""

_CACHED_PICTURES = 64  # all roles are shown much the same pictures, at each step


@dataclass(frozen=True)
class ExplorationQuery:
    """What all roles may be shown. Symbolic roles read the pictures by the detections that come with them.

    Attributes:
        question: the question to be answered.
        items: the checklist of the last step; empty = there is none.
        trail: what was done and found at each earlier step, oldest first; a role that is not to read it gets none.
        snapshots: the pictures that are kept, oldest first.
        mode: text about another way to decide than usual, the same at all steps of an episode; empty = as usual.
    """

    question: str
    items: tuple[ChecklistItem, ...] = ()
    trail: tuple[str, ...] = ()
    snapshots: tuple[Snapshot, ...] = ()
    mode: str = field(default="", kw_only=True)


@dataclass(frozen=True)
class FrontierQuery(ExplorationQuery):
    """A question about the ways on.

    Attributes:
        frontiers: what was seen in the direction of each frontier last.
    """

    frontiers: tuple[FrontierView, ...] = ()


# -- the question

Shown: TypeAlias = "str | Snapshot"
"""A part of a question before it is rendered for a model."""


def shown(query: ExplorationQuery, *, mode: str = "", state: str = "") -> Iterator[Shown]:
    """Yields the parts of a question: what changes least from step to step comes first, for a model's prefix cache.

    The question stays; trail and snapshots grow at their ends; the checklist changes anywhere; and the frontiers are
    new at almost every step.

    Args:
        query: the question.
        mode: as in ExplorationQuery, for questions that say it in another way; empty = that of the question.
        state: text about this step, at the end; empty = none.
    """
    yield sections(
        f"Question: {query.question}",
        mode or query.mode,
        headed(TRAIL, "\n".join(trail_lines(query.trail))),
        _heading(SNAPSHOTS, query.snapshots),
    )
    for number, snapshot in enumerate(query.snapshots):
        yield from _picture_parts(f"Snapshot {number}", snapshot)
    if query.items:
        yield f"\n{headed(PLAN, checklist_text(query.items))}"
    if isinstance(query, FrontierQuery):
        yield f"\n{_heading(FRONTIERS, query.frontiers)}"
        for number, frontier in enumerate(query.frontiers):
            yield from _picture_parts(f"Frontier {number} ({_way(frontier)})", frontier.view)
    if state:
        yield f"\n{state}"


def _way(frontier: FrontierView) -> str:
    """Returns how far away a frontier is, and how much unknown floor is behind it, as far as known."""
    way = "way unknown" if math.isnan(frontier.length) else f"{frontier.length:.1f} m away"
    return way if math.isnan(frontier.unknown_area) else f"{way}, {frontier.unknown_area:.1f} m² unknown"


def _heading(name: str, pictures: Collection[object]) -> str:
    return f"{name}:" if pictures else f"{name}: {NONE}"


def _picture_parts(label: str, snapshot: Snapshot) -> Iterator[Shown]:
    """Yields a label and, if there is a picture, the snapshot."""
    if snapshot.picture.data.size:
        yield f"{label}:"
        yield snapshot
    else:
        yield f"{label}: no picture"


def trail_lines(trail: Sequence[str]) -> Iterator[str]:
    """Yields the entries of a trail with the numbers of their steps, from 1."""
    return (f"- Step {number}: {entry}" for number, entry in enumerate(trail, start=1))


def text_of(parts: Iterable[Shown]) -> str:
    """Returns a question as plain text, with the labels of its pictures."""
    return "\n".join(part for part in parts if isinstance(part, str))


def rendering_of(parts: Iterable[Shown]) -> Rendering:
    """Returns a question as it is sent to a model.

    Raises:
        RoleError: a picture cannot be read.
    """
    return tuple(
        part if isinstance(part, str) else _read_picture(part.picture.data.tobytes()) for part in parts
    )


def question_text(query: ExplorationQuery) -> str:
    """Returns the text of a question that is rendered without `state`."""
    return text_of(shown(query))


def question_rendering(query: ExplorationQuery) -> Rendering:
    """Returns such a question as it is sent to a model. Raises as `rendering_of`."""
    return rendering_of(shown(query))


@lru_cache(maxsize=_CACHED_PICTURES)
def _read_picture(data: bytes) -> Picture:
    from stma_ros.models.images import read_picture

    try:
        return read_picture(data)
    except BadImageError as error:
        raise RoleError(f"a snapshot cannot be shown: {error}; look there again") from error


# -- the reply


def read_positions(numbers: Iterable[int], count: int, noun: str) -> tuple[int, ...]:
    """Returns the numbers of pictures in a reply in ascending order, each once.

    Args:
        numbers: numbers in the reply.
        count: number of pictures in the question.
        noun: "snapshot" or "frontier".

    Raises:
        UnusableReplyError: a picture does not exist.
    """
    positions = tuple(sorted(set(numbers)))
    unknown = [position for position in positions if not 0 <= position < count]
    if unknown:
        raise UnusableReplyError(f"there is no {noun} {unknown[0]}; {_numbers_text(count, noun)}")
    return positions


def _numbers_text(count: int, noun: str) -> str:
    if count > 1:
        return f"their numbers go from 0 to {count - 1}"
    return f"the only {noun} is number 0" if count else f"there are no {noun}s, so name none"
