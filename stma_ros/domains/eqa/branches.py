"""The words of a checklist that rules write and read: predictions, each with the things past which its way leads."""

from __future__ import annotations

import re
from collections.abc import Sequence

from stma_ros.domains.eqa.frontier_values import FrontierValue
from stma_ros.memory.nouns import listed

_BRANCH = re.compile(r"Go on past (?P<anchors>.+?), since (?P<why>.+)")
_THING = re.compile(r"the (?P<kind>[^,]+?)(?: and |, |$)")
_NOTHING = "the bare floor"


def branch_text(value: FrontierValue, what: str) -> str:
    """Returns the text of a branch. what: what may be there, as "the kitchen"."""
    names = [f"the {kind}" for kind in value.anchors] or [_NOTHING]
    return f"Go on past {listed(names)}, since {what} may be there"


def anchors_of(text: str) -> frozenset[str] | None:
    """Returns the kinds of the things past which a branch leads; None for an item that is no branch."""
    match = _BRANCH.fullmatch(text)
    if match is None:
        return None
    if match["anchors"] == _NOTHING:
        return frozenset()
    return frozenset(found["kind"] for found in _THING.finditer(match["anchors"]))


def best_match(anchors: frozenset[str], values: Sequence[FrontierValue]) -> FrontierValue | None:
    """Returns the frontier whose view shows most of the things; None if none of them is shown anywhere."""

    def overlap(value: FrontierValue) -> float:
        shown = frozenset(value.anchors)
        if not anchors and not shown:
            return 1.0
        return len(anchors & shown) / max(len(anchors | shown), 1)

    best = max(values, key=lambda value: (overlap(value), value.value), default=None)
    return best if best is not None and overlap(best) > 0 else None
