"""What the roles of an exploring agent are shown, and how it is rendered (Pred-EQA, section 3.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stma_ros.roles.rendering import headed
from stma_ros.types.exploration import ChecklistItem, FrontierView, ItemState, Snapshot

if TYPE_CHECKING:  # the modules for pictures are needed to ask a model only
    from stma_ros.models.chat import Part

MARKS = {ItemState.PENDING: "[ ]", ItemState.IN_PROGRESS: "[-]", ItemState.COMPLETED: "[x]"}
"""The marks of a checklist, as published."""


@dataclass(frozen=True)
class ExplorationQuery:
    """What all roles may be shown. Symbolic roles read the pictures by the detections that come with them.

    Attributes:
        question: the question to be answered.
        items: the checklist of the last step; empty = there is none.
        trail: what was done and found at each earlier step, oldest first; a role that is not to read it gets none.
        snapshots: the pictures that are kept, oldest first.
    """

    question: str
    items: tuple[ChecklistItem, ...] = ()
    trail: tuple[str, ...] = ()
    snapshots: tuple[Snapshot, ...] = ()


@dataclass(frozen=True)
class FrontierQuery(ExplorationQuery):
    """A question about the ways on.

    Attributes:
        frontiers: what was seen in the direction of each frontier last.
    """

    frontiers: tuple[FrontierView, ...] = ()


def context_text(query: ExplorationQuery) -> str:
    """Returns question, checklist and trail as text: the part of a prompt that grows slowly, so it comes first."""
    return "\n\n".join(
        filter(
            None,
            (
                f"Question: {query.question}",
                headed("The plan", checklist_text(query.items)),
                headed("So far", "\n".join(trail_lines(query.trail))),
            ),
        )
    )


def checklist_text(items: Sequence[ChecklistItem]) -> str:
    """Returns a checklist in the published form, one item to a line."""
    return "\n".join(item_line(item) for item in items)


def item_line(item: ChecklistItem) -> str:
    """Returns an item as published: a mark, the text, and the reason as a comment."""
    reason = f" <!-- {item.reason} -->" if item.reason else ""
    return f"{MARKS[ItemState(item.state)]} {item.text}{reason}"


def trail_lines(trail: Sequence[str]) -> Iterator[str]:
    """Yields the entries of a trail with the numbers of their steps, from 1."""
    return (f"- Step {number}: {entry}" for number, entry in enumerate(trail, start=1))


def snapshot_parts(snapshots: Sequence[Snapshot]) -> Iterator[Part]:
    """Yields the snapshots for a model, each below its number."""
    from stma_ros.models.images import read_picture

    for number, snapshot in enumerate(snapshots):
        yield f"Snapshot {number}:"
        yield read_picture(snapshot.picture.data.tobytes())


def frontier_parts(frontiers: Sequence[FrontierView]) -> Iterator[Part]:
    """Yields the views of frontiers for a model, each below its number and the length of the way [m]."""
    from stma_ros.models.images import read_picture

    for number, frontier in enumerate(frontiers):
        yield f"Frontier {number} ({frontier.length:.1f} m away):"
        yield read_picture(frontier.view.picture.data.tobytes())
