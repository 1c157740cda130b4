"""Where to look for things that were not seen yet."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from stma_ros.domains.programs.believed_home import BelievedHome
from stma_ros.domains.programs.observed_home import kind_of
from stma_ros.types.experience import RuleOfThumb

_HIDE_NOTHING = ("curtain", "window", "door", "doorjamb")
_BUILDING = {"floor", "wall", "ceiling", "mat"}
_WORD = re.compile(r"[a-z]+")


def places_to_look(
    task: str, missing: Iterable[str], home: BelievedHome, rules: Sequence[RuleOfThumb]
) -> Iterator[str]:
    """Yields rooms that were not seen, then closed things that may hide something and were never opened; the most
    promising ones first.

    What can be opened at once comes first, then what the task names, then where experience has found what is missing,
    then what stands on its own, then what is in this room. Where one was and found nothing to open comes last.

    Args:
        task: Text of the task.
        missing: Kinds of things that are looked for.
        home: As it is believed to be.
        rules: What experience tells.
    """
    told = task.lower()
    wanted = set(missing)
    unseen = [room for room in home.seen.rooms if room not in home.looked_at]
    yield from sorted(unseen, key=lambda room: (not _names(told, room), -_found_in_room(room, wanted, rules)))
    closed = [
        name
        for name in home.closed()
        if kind_of(name) not in _HIDE_NOTHING and f"open {name}" not in home.done
    ]
    yield from sorted(
        closed,
        key=lambda name: (
            home.walks_in_vain(name) > 0,
            f"open {name}" not in home.commands,
            not _names(told, name),
            -_found_in(name, wanted, rules),
            not _stands_alone(name, home),
            home.room_of(name) != home.here,
        ),
    )


def _stands_alone(name: str, home: BelievedHome) -> bool:
    """Whether a thing is in or on nothing but a part of the building, as furniture is."""
    holders = {kind_of(place) for _, place in home.places(name) if place not in home.seen.rooms}
    return holders <= _BUILDING


def _names(text: str, name: str) -> bool:
    """Whether a text names the kind of a thing or room, with or without its underscores."""
    kind = kind_of(name)
    return kind in text or " ".join(_WORD.findall(kind)) in text


def _found_in(name: str, wanted: Collection[str], rules: Sequence[RuleOfThumb]) -> float:
    """Returns how much oftener than not such things were found in what is so called."""
    kind = kind_of(name)
    return sum(2 * rule.found - rule.looked for rule in rules if rule.thing in wanted and rule.place == kind)


def _found_in_room(name: str, wanted: Collection[str], rules: Sequence[RuleOfThumb]) -> float:
    kind = kind_of(name)
    return sum(rule.found for rule in rules if rule.thing in wanted and rule.room == kind)
