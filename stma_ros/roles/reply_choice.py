"""Chooses the JSON object that is a tolerant role's reply, and counts what else the text holds.

A text may hold several objects: a template or a draft before the reply, a reply in several parts, a reply that is cut
off or malformed. What is not used may have named things, and is therefore counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from stma_ros.models.json_text import JsonObjects
from stma_ros.roles.tolerance import FURTHER, REPAIRED, REPEATED, Faults


def choose_reply(
    found: JsonObjects, form: type, refused: Mapping[str, Any] | None = None
) -> tuple[dict[str, Any] | None, Faults]:
    """Returns the object to use, with the faults of the text around it.

    The last object with a field of the form is taken, also if it is unfinished, but one without any content only if all
    are; without such an object, the first one.

    Args:
        found: all objects in the text of a reply.
        form: dataclass of the role's replies.
        refused: as of Faults.

    Returns:
        The object, or None if there is none; and its faults.
    """
    names = {field.name for field in fields(form)}
    candidates = [item for item in found.whole if names & item.keys()]
    last = found.unfinished
    if last is not None and (not last or names & last.keys()):
        faults = Faults(is_cut_off=True, refused=refused)
    else:
        last = None
        faults = Faults(refused=refused)
    if last is None and not candidates:
        _count(faults, REPAIRED, found.repaired is not None)
        return next(iter(found.whole), found.repaired), faults
    filled = [item for item in candidates if any(item.values())]
    taken = (filled or candidates)[-1] if last is None else last
    for other in candidates:
        _count(faults, FURTHER, other != taken)
    _count(faults, FURTHER, found.has_more and last is None)
    _count(faults, REPEATED, found.repeats_keys)
    return taken, faults


def _count(faults: Faults, reason: str, is_found: bool) -> None:
    if is_found:
        faults.add(reason)
