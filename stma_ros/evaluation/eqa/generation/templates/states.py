"""Object state recognition: open or closed, on or off."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from stma_ros.evaluation.eqa.generation.episode import Sight
from stma_ros.evaluation.eqa.generation.home import QuestionHome, Thing
from stma_ros.evaluation.eqa.generation.nouns import are, the, the_or_a
from stma_ros.evaluation.eqa.generation.templates.template import (
    NO,
    YES,
    Aim,
    Candidate,
    Template,
    any_aim,
    even_aim,
    yes_or_no,
)

_OPEN, _CLOSED = ("open", "opened"), ("closed", "shut")
_ON, _OFF = ("on", "switched on", "running"), ("off", "switched off", "not running")
_FEWEST = 2  # devices in a room of which some are on


def opens(home: QuestionHome) -> tuple[Thing, ...]:
    """Returns the furniture that can be opened."""
    return tuple(piece for piece in home.pieces if piece.opens)


def devices(home: QuestionHome) -> tuple[Thing, ...]:
    """Returns the things in view that can be switched on."""
    return tuple(thing for thing in home.in_view if thing.is_device)


def _is_open(home: QuestionHome, thing: Thing) -> bool:
    return thing.name in home.state.open_names


def _is_on(home: QuestionHome, thing: Thing) -> bool:
    return thing.name in home.state.on_names


_Holds = Callable[[QuestionHome, Thing], bool]
_Subjects = Callable[[QuestionHome], Iterable[Thing]]


def _asked(
    subjects: _Subjects, holds: _Holds, if_so: tuple[str, ...], if_not: tuple[str, ...]
) -> Callable[[QuestionHome, Aim], Iterator[Candidate]]:
    """Returns the candidates of a question about one state of a thing, with its two answers."""

    def candidates(home: QuestionHome, aim: Aim) -> Iterator[Candidate]:
        for thing in subjects(home):
            answers = if_so if holds(home, thing) else if_not
            named = home.naming.the(thing)
            if answers[0] == aim.answer and named is not None:
                words = {"the": the(named), "are": are(thing.category)}
                yield Candidate(words, answers, (Sight.of(thing.name, from_front=True),))

    return candidates


IS_OPEN = Template(
    "is open",
    ("Is {the} open?", "Did somebody leave {the} open?", "Does {the} stand open?"),
    yes_or_no(),
    _asked(opens, _is_open, (YES,), (NO,)),
)

IS_CLOSED = Template(
    "is closed",
    ("Is {the} closed?", "Is {the} shut?"),
    yes_or_no(),
    _asked(opens, _is_open, (NO,), (YES,)),
)

OPEN_OR_CLOSED = Template(
    "open or closed",
    (
        "Is {the} open or closed?",
        "Is {the} closed or open?",
        "Can you check whether {the} is open or closed?",
    ),
    even_aim((_OPEN[0], _CLOSED[0])),
    _asked(opens, _is_open, _OPEN, _CLOSED),
)

IS_ON = Template(
    "is on",
    (
        "Is {the} on?",
        "Is {the} switched on?",
        "Is {the} turned on?",
        "Did I leave {the} on?",
        "Is {the} running?",
    ),
    yes_or_no(),
    _asked(devices, _is_on, (YES,), (NO,)),
)

ON_OR_OFF = Template(
    "on or off",
    ("Is {the} on or off?", "Is {the} switched on or off?", "Can you check whether {the} is on or off?"),
    even_aim((_ON[0], _OFF[0])),
    _asked(devices, _is_on, _ON, _OFF),
)


def _switched_on(home: QuestionHome, aim: Aim) -> Iterator[Candidate]:
    for room, kind in enumerate(home.room_kinds):
        there = [thing for thing in devices(home) if home.room(thing) == room]
        on = [thing for thing in there if _is_on(home, thing)]
        if home.single_room(kind) is None or len(there) < _FEWEST or len(on) != 1:
            continue
        answers = the_or_a(on[0].category)
        yield Candidate({"room": f"the {kind}"}, answers, (Sight.of(on[0].name, from_front=True),))


def _opened(home: QuestionHome, aim: Aim) -> Iterator[Candidate]:
    for room, kind in enumerate(home.room_kinds):
        there = [piece for piece in home.pieces_in([room]) if piece.opens]
        found = [piece for piece in there if _is_open(home, piece)]
        if home.single_room(kind) is None or len(there) < _FEWEST or len(found) != 1:
            continue
        answers = the_or_a(found[0].category)
        yield Candidate({"room": f"the {kind}"}, answers, (Sight.of(found[0].name, from_front=True),))


WHAT_IS_ON = Template(
    "what is on",
    (
        "Which device in {room} is switched on?",
        "What is switched on in {room}?",
        "Which appliance is running in {room}?",
        "Something in {room} is switched on. What is it?",
    ),
    any_aim,
    _switched_on,
)

WHAT_IS_OPEN = Template(
    "what is open",
    (
        "Which piece of furniture in {room} is open?",
        "What stands open in {room}, apart from doors?",
        "Something in {room} has been left open, and it is not a door. What is it?",
    ),
    any_aim,
    _opened,
)
