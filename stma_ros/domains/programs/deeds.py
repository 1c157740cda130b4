"""What the commands of an activity bring about, as far as the commands alone tell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from stma_ros.domains.programs.binding import Binding, best_pairs, chosen_by_kind
from stma_ros.domains.programs.commands import STATE_AFTER, WALK, Command
from stma_ros.domains.programs.observed_home import kind_of
from stma_ros.domains.programs.wishes import (
    HELD,
    IN,
    IS_STATE,
    ME,
    ON,
    OPPOSITES,
    Wanted,
    Wish,
    asked_state,
)

_OF_PLUGS = frozenset(("plugged in", "plugged out"))
_LIQUID = "water"  # what is poured; all else is emptied, and stays in the hand


@dataclass
class Deeds:
    """What is known of a home from the commands alone.

    Attributes:
        held: What is in the hands.
        places: Relation and name of the place where each thing was put.
        taken: What was in the hands, or taken off, at some time.
        states: Of things, as the commands made them.
        posture: State of the one who acts; empty = upright.
        seat: What the one who acts sat or lay on last.
        has_stood_up: Whether the one who acts did so.
        walks: What was walked to.
        handled: What other commands name.
        walked_before: Of each thing that was handled, the kinds of what was walked to before or with it.
    """

    held: list[str] = field(default_factory=list)
    places: dict[str, tuple[str, str]] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    states: dict[str, set[str]] = field(default_factory=dict)
    posture: str = ""
    seat: str = ""
    has_stood_up: bool = False
    walks: list[str] = field(default_factory=list)
    handled: dict[str, None] = field(default_factory=dict)
    walked_before: dict[str, set[str]] = field(default_factory=dict)

    def apply(self, command: Command) -> None:
        """Takes the effect of a command."""
        verb, names = command.verb, command.names
        if verb in STATE_AFTER:
            states = self.states.setdefault(names[0], set())
            states.discard(OPPOSITES[STATE_AFTER[verb]])
            states.add(STATE_AFTER[verb])
        match verb:
            case "walk to":
                self.walks.append(names[0])
            case "grab":
                self.held.append(names[0])
                self.taken.add(names[0])
                self.places.pop(names[0], None)
            case "put" | "pour":
                if verb == "put" or kind_of(names[0]) == _LIQUID:
                    self._let_go(names[0])
                self.places[names[0]] = command.relation, names[1]
            case "wear":
                self._let_go(names[0])
                self.places[names[0]] = ON, str(ME)
            case "take off":
                self.taken.add(names[0])
                self.places.pop(names[0], None)
            case "drop":
                self._let_go(names[0])
            case "sit on" | "lie on":
                self.posture, self.seat = ("sitting" if verb == "sit on" else "lying"), names[0]
            case "stand up":
                self.posture, self.has_stood_up = "", True
        along = [name for name, place in self.places.items() if place == (ON, str(ME))]
        for name in (*self.held, *along) if verb == WALK else names:
            self.walked_before[name] = set(map(kind_of, self.walks))
        if verb != WALK:
            self.handled |= dict.fromkeys(names)

    def _let_go(self, name: str) -> None:
        if name in self.held:
            self.held.remove(name)


def achieved(deeds: Deeds, wishes: Sequence[Wish], mentioned: Sequence[str]) -> list[Wish]:
    """Returns the wishes that the commands achieve, of different things for different ones.

    With others that they achieve, these also count, of which the commands cannot tell more: a plug that nobody touched,
    the room of a thing that was handled there and not brought, and a further thing that was as is wished before.

    Args:
        deeds: What the commands did.
        wishes: Of the task.
        mentioned: Names of the things that are meant, as the reason at the end has them.
    """
    achievements = _Achievements(deeds, wishes, mentioned)
    done = [wish for wish in wishes if achievements.is_done(wish)]
    return [wish for wish in wishes if wish in done or achievements.was_so_before(wish, done)]


class _Achievements:
    def __init__(self, deeds: Deeds, wishes: Sequence[Wish], mentioned: Sequence[str]) -> None:
        self._deeds = deeds
        self._wishes = wishes
        self._untouched = [name for name in dict.fromkeys(mentioned) if name not in deeds.handled]
        self._rooms = set(self._find_rooms())
        self._bound: dict[Wanted, str] = {}
        self._bind()

    def _find_rooms(self) -> Iterator[str]:
        """Yields the kinds of rooms: where one shall be oneself, and where one walked without handling anything so
        called, or putting something there."""
        for wish in self._wishes:
            if wish.subject == ME and wish.relation == IN and wish.object is not None:
                yield wish.object.kind
        handled = set(map(kind_of, self._deeds.handled))
        yield from (kind_of(name) for name in self._deeds.walks if kind_of(name) not in handled)

    def _bind(self) -> None:
        """Chooses what was handled for the things of the wishes, so that most of these are done; what is left over gets
        what was not handled."""
        things = dict.fromkeys(thing for wish in self._wishes for thing in wish.things)
        self._bound = {**chosen_by_kind(things, self._handled)}
        left = list(self._untouched)
        for thing in (thing for thing in things if thing not in self._bound):
            name = next((name for name in left if kind_of(name) == thing.kind), "")
            if name:
                self._bound[thing] = name
                left.remove(name)

    def _handled(self, things: Sequence[Wanted], others: Binding) -> Binding:
        """Returns what was handled for things of one kind, by what was chosen for the others."""
        self._bound = {**others}
        names = [name for name in self._deeds.handled if kind_of(name) == things[0].kind]
        fitness = [[(self._count(thing, name), 0) for name in names] for thing in things]
        return {things[row]: names[column] for row, column in best_pairs(fitness)}

    def _count(self, thing: Wanted, name: str) -> int:
        """Returns how many wishes about a thing are done if it has this name."""
        self._bound[thing] = name
        count = sum(thing in wish.things and self.is_done(wish) for wish in self._wishes)
        del self._bound[thing]
        return count

    def is_done(self, wish: Wish) -> bool:
        """Whether the commands bring about what is wished; what was so before is not seen in them."""
        if wish.subject == ME:
            return self._places_me(wish)
        name = self._bound.get(wish.subject, "")
        if wish.relation == HELD:
            return name in self._deeds.held if not wish.negated else not self._holds_any(wish.subject.kind)
        if wish.relation == IS_STATE:
            return asked_state(wish) in self._deeds.states.get(name, ())
        assert wish.object is not None, "a relation has an object"
        relation, place = self._deeds.places.get(name, ("", ""))
        placed = relation == wish.relation and self._is(place, wish.object)
        if wish.negated:
            return not placed and name in self._deeds.taken
        is_room = wish.relation == IN and wish.object.kind in self._rooms
        return placed or (is_room and wish.object.kind in self._deeds.walked_before.get(name, ()))

    def was_so_before(self, wish: Wish, done: Sequence[Wish]) -> bool:
        """Whether a wish may have been so before, as far as the commands tell, which have done others."""
        name = self._bound.get(wish.subject, "")
        if wish.relation == IS_STATE and asked_state(wish) in _OF_PLUGS:
            return bool(done) and not _OF_PLUGS & self._deeds.states.get(name, set())
        if wish.relation == IN and not wish.negated and self._is_unbrought(wish, name):
            return any(each.subject == wish.subject for each in done)
        alike = (replace(each, subject=wish.subject, text=wish.text) for each in done)
        return name in self._untouched and wish.relation != HELD and wish in alike

    def _is_unbrought(self, wish: Wish, name: str) -> bool:
        """Whether nothing is said of what a thing shall be in, or it was handled before one walked to any room."""
        assert wish.object is not None, "a relation has an object"
        named = set(map(kind_of, (*self._deeds.walks, *self._deeds.handled)))
        before = self._deeds.walked_before.get(name, set())
        return wish.object.kind not in named or (wish.object.kind in self._rooms and not before & self._rooms)

    def _holds_any(self, kind: str) -> bool:
        return any(kind_of(name) == kind for name in self._deeds.held)

    def _places_me(self, wish: Wish) -> bool:
        deeds = self._deeds
        if wish.relation == IS_STATE:
            is_so = deeds.posture == wish.state
            return is_so is not wish.negated and (not wish.negated or deeds.has_stood_up)
        assert wish.object is not None, "a relation has an object"
        if wish.relation == ON:
            return wish.negated or (bool(deeds.seat) and self._is(deeds.seat, wish.object))
        last = kind_of(deeds.walks[-1]) if deeds.walks else ""
        if wish.negated:
            return last != wish.object.kind
        # In which room the things are to which one walks is not told.
        return last == wish.object.kind or (bool(last) and last not in self._rooms)

    def _is(self, name: str, thing: Wanted) -> bool:
        if thing == ME or name == str(ME):
            return thing == ME and name == str(ME)
        return name == self._bound.get(thing, name) and kind_of(name) == thing.kind
