"""Chooses the next command of an activity."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from stma_ros.domains.programs.believed_home import BelievedHome
from stma_ros.domains.programs.binding import Binding, bind, holds, staying_in_hand
from stma_ros.domains.programs.commands import HANDS, STATE_AFTER, Command, read_command
from stma_ros.domains.programs.contradictions import excluded
from stma_ros.domains.programs.observed_home import YOU
from stma_ros.domains.programs.search import places_to_look
from stma_ros.domains.programs.wishes import (
    HELD,
    IN,
    IS_STATE,
    ME,
    ON,
    Wanted,
    Wish,
    asked_state,
    place_of_state,
    read_wishes,
    rooms_of_places,
    seats_in_their_rooms,
)
from stma_ros.roles.planner import PlanAnswer, PlanQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ErrorCode, TaskNotUnderstoodError
from stma_ros.types.experience import RuleOfThumb
from stma_ros.types.planning import Action

_FINISH, _GIVE_UP = Action(words.SKILL_FINISH), Action(words.SKILL_GIVE_UP)
_MAX_CHOICES = 8  # things of a kind that are tried in turn where nothing can be done with the first
_MAX_VISITS = 2  # of a thing to which nothing could be done then: what looks closed does not always open

_MAKES: Final = {state: verb for verb, state in reversed(STATE_AFTER.items())}  # the first verb of each state

_POSTURES: Final = {"sit on": "sitting", "lie on": "lying"}

_NEEDS_HAND: Final = ("grab", "open", "plug in", "unplug")


@dataclass(frozen=True)
class _Next:
    """A command, and why it is the next one."""

    command: str
    why: str


def next_action(query: PlanQuery, rules: Sequence[RuleOfThumb] = ()) -> PlanAnswer:
    """Returns the next command with its reason, or the end of the task.

    Args:
        query: The question to a planner.
        rules: What experience tells of where things are; a prior for the search, and no more.

    Raises:
        TaskNotUnderstoodError: The task does not say how things shall be in the end.
    """
    return _Choice(query, rules).answer()


class _Choice:
    def __init__(self, query: PlanQuery, rules: Sequence[RuleOfThumb]) -> None:
        self._query = query
        self._rules = rules
        self._home = BelievedHome(query)
        told = read_wishes(query.task, self._home.shown_states)
        self._kept = {wish.subject for wish in told if wish.relation == HELD and not wish.negated}
        self._worn = {
            wish.subject for wish in told if wish.object == ME and wish.relation == ON and not wish.negated
        }
        self._postures = {
            wish.state
            for wish in told
            if wish.subject == ME and wish.relation == IS_STATE and not wish.negated
        }
        self._implied = (
            *rooms_of_places(told, self._home.room_kinds),
            *(seats_in_their_rooms(told) if self._postures else ()),
        )
        self._wishes = (*told, *self._implied)
        self._places = {wish.object for wish in told if wish.relation in (ON, IN) and not wish.negated}
        self._refused = {str(action) for action in query.rejected} | set(self._home.failed)
        self._in_hand = staying_in_hand(told, self._home)
        self._bound: Binding = {}

    def answer(self) -> PlanAnswer:
        self._bound = bind(self._wishes, self._home)
        if not self._open_wishes():
            return PlanAnswer("end the task", (_FINISH,), self._all_done())
        if contradiction := excluded(self._wishes, self._home.room_kinds):
            why = f"Not all of this can be so: {'; '.join(wish.text for wish in contradiction)}."
            return PlanAnswer("end the task", (_GIVE_UP,), why, ErrorCode.CONTRADICTION)
        avoided: set[str] = set()
        for _ in range(_MAX_CHOICES):
            blocked = ""
            for wish in sorted(self._open_wishes(), key=self._order):
                found = self._toward(wish)
                if found is not None:
                    return self._act(wish, found)
                name = self._handled(wish)
                if name and not self._missing((wish,)):
                    blocked = blocked or name
                    if name not in avoided:
                        break
            if not blocked or blocked in avoided:
                break
            avoided.add(blocked)
            self._bound = bind(self._wishes, self._home, avoided)
        return self._give_up()

    def _handled(self, wish: Wish) -> str:
        """Returns the thing or seat that is handled for a wish; empty = none, or none is known."""
        thing = wish.object if wish.subject == ME and wish.relation == ON else wish.subject
        return self._bound.get(thing, "") if thing is not None else ""

    def _open_wishes(self) -> list[Wish]:
        """Returns what is not so yet. Where a place is matters only until what belongs there is there."""
        found = [wish for wish in self._wishes if not holds(wish, self._bound, self._home, self._in_hand)]
        needed = {wish.object for wish in found if wish not in self._implied}
        return [wish for wish in found if wish not in self._implied or wish.subject in needed]

    def _give_up(self) -> PlanAnswer:
        self._bound = bind(self._wishes, self._home)
        self._check_names()
        open_wishes = "; ".join(wish.text for wish in self._open_wishes())
        why = f"With all that was found, nothing leads on. It is not so yet: {open_wishes}."
        failure = ErrorCode.NONE if self._missing(self._wishes) else ErrorCode.IMPOSSIBLE
        return PlanAnswer("end the task", (_GIVE_UP,), why, failure)

    def _check_names(self) -> None:
        """Raises TaskNotUnderstoodError where nothing is called as a wish calls its thing, but something by the last
        word of it: the words before say which one is meant."""
        for wish in self._wishes:
            for kind in self._missing((wish,)):
                described, _, noun = kind.replace("_", " ").rpartition(" ")
                if described and f"{described} {noun}" in wish.text.lower() and self._home.of_kind(noun):
                    raise TaskNotUnderstoodError(
                        f"nothing is called {kind}, and which {noun} is meant by {described!r} is not understood"
                    )

    def _act(self, wish: Wish, found: _Next) -> PlanAnswer:
        action = Action(words.SKILL_COMMAND, (found.command,))
        return PlanAnswer(
            wish.text, (action,), f"The aim: {wish.text}. {found.why} So {found.command} is next."
        )

    def _all_done(self) -> str:
        named = {str(thing): name for thing, name in self._bound.items()}
        told = "; ".join(f"{thing} is {name}" for thing, name in named.items())
        asked_for = "; ".join(wish.text for wish in self._wishes if wish not in self._implied)
        return f"All that was asked for is so: {asked_for}. Here, {told}."

    # -- order

    def _order(self, wish: Wish) -> tuple[tuple[int, int], bool, bool]:
        """Returns when a wish is worked on: of those of a phase, first those about what is in the hand, then those
        about what is in this room."""
        name = self._bound.get(wish.subject, "")
        return self._phase(wish), not self._home.is_held(name), self._home.room_of(name) != self._home.here

    def _phase(self, wish: Wish) -> tuple[int, int]:
        """Returns when a wish is worked on, of those that are open.

        What others come on or into is placed first, since they do not stay there when it is taken. What is missing is
        looked for before states are made, since what is switched on does not open. What is held, the rooms of things
        that go along, and where and how one is oneself, comes last, since the rest would undo it. Who shall sit or lie
        in the end goes to the room first; who shall not, leaves the seat for it, and takes it while a hand is free to
        clear it.
        """
        if self._missing((wish,)):
            return 1, 0
        if wish.subject == ME:
            if self._postures or wish.relation == IN:
                return 4, wish.relation != IN
            return 3, 0 if len(self._kept) >= HANDS else 2
        if wish.relation in (ON, IN) and wish.subject in self._places:
            return 0, -1
        if wish.relation == HELD:
            return 3, 1
        if wish.relation == IN and wish.subject in self._kept | self._worn:
            return 3, 3
        if wish.relation == IS_STATE:
            return 2, place_of_state(wish)
        return 0, wish.negated

    def _missing(self, wishes: Iterable[Wish]) -> list[str]:
        """Returns the kinds of things that are not known."""
        things = dict.fromkeys(thing for wish in wishes for thing in wish.things)
        return [thing.kind for thing in things if thing not in self._bound]

    # -- what leads to a wish

    def _toward(self, wish: Wish) -> _Next | None:
        if self._missing((wish,)):
            return self._look_for(self._missing((wish,)))
        if wish.subject == ME:
            return self._place_myself(wish)
        name = self._bound[wish.subject]
        if wish.relation == HELD:
            return self._do(f"drop {name}") if wish.negated else self._take(name)
        if wish.relation == IS_STATE:
            state = asked_state(wish)
            return self._do(f"{_MAKES[state]} {name}") if state in _MAKES else None
        return self._put(wish, name)

    def _put(self, wish: Wish, name: str) -> _Next | None:
        assert wish.object is not None, "a relation has an object"
        if wish.object == ME:
            return self._dress(wish, name)
        place = self._bound[wish.object]
        if place in self._home.seen.rooms:
            room = self._other_room(place) if wish.negated else place
            return self._bring(wish.subject, name, room) if room else None
        if wish.negated:
            return self._take(name)
        if wish.object in self._kept and not self._home.is_held(place):
            return self._take(place)  # what lies on a thing does not stay there when it is taken
        if not self._home.is_held(name):
            return self._take(name)
        if wish.relation == ON:
            return self._do(f"put {name} on {place}")
        return self._allowed(f"pour {name} into {place}", "") or self._do(f"put {name} in {place}")

    def _dress(self, wish: Wish, name: str) -> _Next | None:
        if wish.relation != ON:
            return None
        if wish.negated:
            return self._do(f"take off {name}")
        return self._do(f"wear {name}") if self._home.is_held(name) else self._take(name)

    def _bring(self, thing: Wanted, name: str, room: str) -> _Next | None:
        """Returns what leads to a thing in a room: there it is put down, unless it is to be held or worn."""
        is_worn = thing in self._worn and (ON, YOU) in self._home.places(name)
        if not is_worn and not self._home.is_held(name):
            return self._take(name)
        return self._walk(room) if room != self._home.here else self._do(f"drop {name}")

    def _other_room(self, room: str) -> str:
        """Returns this room or, if it is the given one, another room; empty = there is none."""
        rooms = (self._home.here, *self._home.seen.rooms)
        return next((each for each in rooms if each and each != room), "")

    def _take(self, name: str) -> _Next | None:
        """Returns what leads to a thing in the hand; None if it is there, or nothing leads there."""
        return None if self._home.is_held(name) else self._do(f"grab {name}")

    def _place_myself(self, wish: Wish) -> _Next | None:
        if wish.relation == IN:
            assert wish.object is not None, "a relation has an object"
            room = self._bound[wish.object]
            room = self._other_room(room) if wish.negated else room
            return self._walk(room) if room else None
        verbs = [
            verb for verb, posture in _POSTURES.items() if posture in (self._postures or _POSTURES.values())
        ]
        if wish.negated:
            return self._do("stand up")
        if wish.relation == ON:
            assert wish.object is not None, "a relation has an object"
            ways = [f"{verb} {self._bound[wish.object]}" for verb in verbs]
            return self._do(next((way for way in ways if way in self._home.commands), ways[0]))
        if any(w.relation == ON and w.subject == ME and not w.negated for w in self._wishes):
            return None  # it comes with the seat
        seats = sorted(command for command in self._home.commands if command.startswith(verbs[0]))
        return self._allowed(seats[0], "") if seats else self._do("stand up")

    # -- one command, and what has to come before it

    def _do(self, text: str) -> _Next | None:
        """Returns a command, or what makes it possible; None if nothing does."""
        if text in self._home.commands:
            return self._allowed(text, "")
        command = read_command(text)
        if not command.names:
            return None
        return self._free_hand(command) or self._come_near(command.names[-1]) or self._prepare(command)

    def _free_hand(self, command: Command) -> _Next | None:
        """Returns what frees a hand where one is needed."""
        if command.verb not in _NEEDS_HAND or self._home.has_free_hand:
            return None
        kept = {self._bound[thing] for thing in self._kept if thing in self._bound}
        needed = set(self._bound.values())
        held = sorted(self._home.seen.held, key=lambda name: (name in kept, name in needed, name))
        drops = (f"drop {name}" for name in held if name not in command.names)
        return next(
            (self._allowed(drop, "Both hands are full.") for drop in drops if drop in self._home.commands),
            None,
        )

    def _come_near(self, name: str) -> _Next | None:
        """Returns what leads to a thing; None if one is there, as far as is known."""
        home = self._home
        if home.is_near(name) or home.walks_in_vain(name) >= _MAX_VISITS:
            return None
        if home.is_seen(name):
            return self._walk(name)
        room = home.room_of(name)
        if room and room != home.here:
            return self._walk(room, f"{name} was seen there.")
        holder = home.holder(name)
        if holder and words.STATE_CLOSED in home.states(holder):
            return self._do(f"open {holder}")
        return None

    def _prepare(self, command: Command) -> _Next | None:
        """Returns what has to be so before a command on a thing that is near."""
        verb, name = command.verb, command.names[-1]
        states = self._home.states(name)
        if verb == "open" and "on" in states:
            return self._do(f"switch off {name}")
        if verb == "switch on" and "plugged out" in states:
            return self._do(f"plug in {name}")
        if verb == "put" and command.relation == IN and words.STATE_CLOSED in states:
            return self._do(f"open {name}")
        if verb == "sit on" and self._home.seen.states:
            return self._do("stand up")
        return self._clear(name) if verb in ("sit on", "lie on") else None

    def _clear(self, seat: str) -> _Next | None:
        """Returns what takes a thing off a seat: there is room for few things and people."""
        wished = set(self._bound.values())
        load = (
            name for name in self._home.names if (ON, seat) in self._home.places(name) and name not in wished
        )
        found = next(filter(None, map(self._take, sorted(load))), None)
        return found and _Next(found.command, f"There may be no place left on {seat}. {found.why}".rstrip())

    def _walk(self, name: str, why: str = "") -> _Next | None:
        if name == self._home.here:
            return None
        for poured in self._poured():
            return self._allowed(f"drop {poured}", f"In the hand, {poured} would not stay where it is.")
        command = f"walk to {name}"
        if command in self._home.commands:
            return self._allowed(command, why)
        return self._allowed("stand up", f"{name} is not near.") if self._can("stand up") else None

    def _poured(self) -> Iterator[str]:
        """Yields what is still in a hand, and already where it shall stay."""
        for wish in self._wishes:
            if (
                wish.relation == IN
                and wish.subject not in self._kept
                and wish.object != ME
                and not wish.negated
            ):
                name, place = (self._bound.get(each, "") for each in (wish.subject, wish.object) if each)
                if self._home.is_held(name) and (IN, place) in self._home.places(name):
                    yield name

    def _can(self, command: str) -> bool:
        possible = command in self._home.commands and command not in self._refused
        return possible and not self._home.leads_nowhere(command)

    def _allowed(self, command: str, why: str) -> _Next | None:
        return _Next(command, why) if self._can(command) else None

    # -- search

    def _look_for(self, missing: Sequence[str]) -> _Next | None:
        for place in places_to_look(self._query.task, missing, self._home, self._rules):
            is_room = place in self._home.seen.rooms
            found = self._walk(place) if is_room else self._do(f"open {place}")
            if found is not None:
                where = "was not seen yet" if is_room else "is closed"
                return _Next(
                    found.command, f"No {missing[0]} was found so far; {place} {where}. {found.why}".rstrip()
                )
        return None
