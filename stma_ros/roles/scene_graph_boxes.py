"""Reads the boxes of a scene graph expert's reply.

- Corners in the wrong order are exchanged. A coordinate at most SLACK beyond the picture is moved to its edge.
- A box that reaches farther is no box of this picture. Neither is one of fractions where other units were asked for,
  as it would lie in the corner of the picture. Their objects are left out.
- If more than half of the boxes reach that far, or are such fractions, the boxes are of another convention: the places
  of all objects would be wrong, and the whole reply is refused. Pixels in place of thousandths cannot be told from a
  reply where the picture is smaller than 1000 pixels; `stma doctor --model` finds them out by a picture with known
  places.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from stma_ros.models.box_convention import BOX_UNITS, BoxConvention, Corners
from stma_ros.roles.spec import UnusableReplyError
from stma_ros.roles.tolerance import BadItemError, Faults

SLACK = 0.05
"""Share of the picture by which a box may reach beyond it; the rest of such a box is believed."""

_NO_BOX, _NO_AREA = "object without a usable box", "object with a box of no area"
_BEYOND, _FRACTIONS = "object with a box far beyond the picture", "object with a box of fractions"

UNUSABLE_BOXES = frozenset({_NO_BOX, _NO_AREA, _BEYOND, _FRACTIONS})
"""Reasons for which a box, and with it its object, is left out."""


def numbers_of(box: object) -> Corners | None:
    """Returns the four numbers of a box; None for anything else."""
    if not isinstance(box, list) or len(box) != 4:
        return None
    if not all(isinstance(value, int | float) and not isinstance(value, bool) for value in box):
        return None
    try:
        one, two, three, four = map(float, box)
    except OverflowError:
        return None
    return (one, two, three, four) if all(map(math.isfinite, (one, two, three, four))) else None


def numbered_boxes(items: Iterable[object]) -> Iterator[Corners]:
    """Yields the numbers of the boxes of all objects that have such."""
    for item in items:
        numbers = numbers_of(item.get("box")) if isinstance(item, dict) else None
        if numbers is not None:
            yield numbers


def check_convention(named: Sequence[object], asked: BoxConvention, size: tuple[int, int]) -> None:
    """Checks that the boxes of a reply are of the convention that was asked for.

    Args:
        named: the objects of the reply as they were parsed.
        asked: the convention.
        size: width and height of the picture [px].

    Raises:
        UnusableReplyError: more than half of the boxes are not; the text names the setting that fits.
    """
    found = list(numbered_boxes(named))
    fractions = sum(_is_of_fractions(box, asked) for box in found)
    if 2 * fractions > len(found):
        raise _other_convention(
            asked, BoxConvention.FRACTIONS, f"{fractions} of {len(found)} are of fractions"
        )
    beyond = [box for box in found if not _is_near(box, asked, size)]
    if 2 * len(beyond) <= len(found):
        return
    others = [other for other in (BoxConvention.PIXELS, BoxConvention.THOUSANDTHS) if other is not asked]
    fitting = [other for other in others if all(_is_near(box, other, size) for box in found)]
    reason = f"{len(beyond)} of {len(found)} reach far beyond the picture"
    raise _other_convention(asked, fitting[0] if fitting else None, reason)


def read_box(
    value: object, convention: BoxConvention, size: tuple[int, int], faults: Faults
) -> tuple[int, int, int, int]:
    """Returns left, top, right and bottom of a box in thousandths of the picture, in order and within it.

    Args:
        value: the box as it was parsed.
        convention: convention that was asked for.
        size: width and height of the picture [px].
        faults: counts what is corrected.

    Raises:
        BadItemError: it is no box of this picture; the text is one of UNUSABLE_BOXES.
    """
    numbers = numbers_of(value)
    if numbers is None:
        raise BadItemError(_NO_BOX)
    if not _is_near(numbers, convention, size):
        raise BadItemError(_BEYOND)
    if _is_of_fractions(numbers, convention):
        raise BadItemError(_FRACTIONS)
    corners = convention.corners(numbers, *size)
    left, right = sorted(corners[::2])
    top, bottom = sorted(corners[1::2])
    if (left, top, right, bottom) != corners:
        faults.add("box with corners in the wrong order")
    if min(left, top) < 0 or max(right, bottom) > BOX_UNITS:
        faults.add("box beyond the edge of the picture")
    left, top, right, bottom = (min(max(edge, 0), BOX_UNITS) for edge in (left, top, right, bottom))
    if left >= right or top >= bottom:
        raise BadItemError(_NO_AREA)
    (left, right), (top, bottom) = _whole(left, right), _whole(top, bottom)
    return int(left), int(top), int(right), int(bottom)


def _is_of_fractions(box: Corners, asked: BoxConvention) -> bool:
    """Returns whether a box is drawn in fractions of the picture although another convention was asked for."""
    if asked is BoxConvention.FRACTIONS or not any(box):
        return False
    return all(-SLACK <= value <= 1 + SLACK for value in box)


def _is_near(box: Corners, convention: BoxConvention, size: tuple[int, int]) -> bool:
    """Returns whether a box is in the picture, or at most SLACK beyond it."""
    limits = convention.limits(*size)
    return all(-SLACK * most <= value <= (1 + SLACK) * most for value, most in zip(box, limits, strict=True))


def _other_convention(asked: BoxConvention, seen: BoxConvention | None, reason: str) -> UnusableReplyError:
    remedy = (
        f"seem to be {seen.value}. Set model.boxes={seen.value} if this goes on"
        if seen
        else "fit no convention"
    )
    return UnusableReplyError(f"draws boxes that are not {asked.value} as asked for ({reason}) and {remedy}")


def _whole(start: float, stop: float) -> tuple[int, int]:
    """Returns both ends in whole numbers, at least one apart."""
    first = min(round(start), BOX_UNITS - 1)
    return first, max(round(stop), first + 1)
