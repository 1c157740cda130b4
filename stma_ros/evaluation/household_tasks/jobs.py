"""Splits a household task into jobs that are carried out one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from stma_ros.evaluation.household_tasks.subtasks import (
    Fetch,
    Find,
    Put,
    SetState,
    SpatialRelation,
    Subtask,
    Things,
)
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ErrorCode, SkillError
from stma_ros.worlds.house.flat import Flat
from stma_ros.worlds.house.truth import room_name

_SWITCHES = {
    words.STATE_OPEN: words.SKILL_OPEN,
    words.STATE_CLOSED: words.SKILL_CLOSE,
    words.STATE_ON: words.SKILL_SWITCH_ON,
    words.STATE_OFF: words.SKILL_SWITCH_OFF,
}
_TAPS = {words.STATE_FULL: words.SKILL_FILL, words.STATE_EMPTY: words.SKILL_EMPTY}


@dataclass(frozen=True)
class Job:
    """Work on one object, chosen from `names` when the job is due.

    Attributes:
        names: candidates.
        spread: candidates of all jobs of the subtask, which choose different ones.
        tap: skill performed at a tap on the way.
        places: places to put it; empty = it stays in the gripper, or where it is.
        relation: relation to the place.
        switch: skill performed on it where it is.
        stays_in_hand: whether the gripper holds it at the end.
        touches: furniture that the job opens or may open.
    """

    names: tuple[str, ...]
    spread: tuple[str, ...] = ()  # none of these is chosen twice
    tap: str = ""
    places: tuple[str, ...] = ()
    relation: SpatialRelation = SpatialRelation.TO
    switch: str = ""
    stays_in_hand: bool = False
    touches: frozenset[str] = frozenset()  # the furniture that must be open for it, or may have to

    @property
    def rank(self) -> int:
        """The rank in the order of jobs: a job that leaves an object in the gripper is last of all, after a vessel that
        may be put down anywhere."""
        return 2 if self.stays_in_hand else int(bool(self.tap) and not self.places)

    def comes_after(self, other: Job) -> bool:
        """Whether the other job precedes this one: furniture is closed after the last job that puts objects in or takes
        them out."""
        return self.switch == words.SKILL_CLOSE and self.names[0] in other.touches


def jobs_of(flat: Flat, subtasks: Sequence[Subtask]) -> Iterator[Job]:
    """Yields the jobs of subtasks. Raises SkillError for a room without a place for objects."""
    taps = {
        subtask.things.names: _TAPS[subtask.state]
        for subtask in subtasks
        if isinstance(subtask, SetState) and subtask.state in _TAPS
    }
    put = {subtask.things.names for subtask in subtasks if isinstance(subtask, Put | Fetch)}
    for subtask in subtasks:
        things = subtask.things
        touches = frozenset(
            flat.items_by_name[name].support for name in things.names if name in flat.items_by_name
        )
        tap = taps.get(things.names, "")
        match subtask:
            case Find():
                yield Job(things.names, touches=touches)
            case Fetch():
                yield Job(things.names, tap=tap, stays_in_hand=True, touches=touches)
            case Put():
                places = _places(flat, subtask)
                for names in _shared(things):
                    yield Job(
                        names,
                        things.names,
                        tap,
                        places,
                        subtask.relation,
                        touches=touches | frozenset(places),
                    )
            case SetState() if subtask.state in _SWITCHES:
                for names in _shared(things):
                    yield Job(names, things.names, switch=_SWITCHES[subtask.state], touches=touches)
            case SetState() if things.names not in put:
                yield Job(things.names, tap=tap, touches=touches)


def _shared(things: Things) -> Iterable[tuple[str, ...]]:
    """Returns the candidates of each job: one each where all objects are meant."""
    if things.number == len(things.names):
        return [(name,) for name in things.names]
    return [things.names] * things.number


def _places(flat: Flat, subtask: Put) -> tuple[str, ...]:
    if subtask.relation is not SpatialRelation.ROOM:
        return subtask.places.names
    (room,) = subtask.places.names
    there = [piece for piece in flat.furniture if room_name(piece.room) == room]
    places = tuple(sorted(piece.name for piece in there if piece.shape.on))
    if not places:
        raise SkillError(ErrorCode.HOLDS_NOTHING, f"nothing can be put down in {room}")
    return places
