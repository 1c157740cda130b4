"""Judges finished activities by rules, from the text of the task, the reasons and the commands alone.

A step is coherent if its reason speaks of what it handles and it can follow the steps before; relevant, if the task
names what it handles, or it searches or makes way; sensible, if it does not repeat or undo what was just done. The task
is complete as far as the commands bring about what it asks for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from stma_ros.domains.judge_scores import DOUBTFUL, TRIES, at_the_end, judgement, not_understood
from stma_ros.domains.programs.commands import HANDS, PLACING, STATE_AFTER, WALK, Command, read_command
from stma_ros.domains.programs.observed_home import kind_of
from stma_ros.domains.programs.wishes import HELD, IN, IS_STATE, ME, ON, OPPOSITES, Wanted, Wish, read_wishes
from stma_ros.memory.graph_text import stems
from stma_ros.roles.judge import JudgedStep, Judgement, JudgeQuery, Score
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import TaskNotUnderstoodError
from stma_ros.types.planning import Result

_COMMAND = re.compile(
    r"\b(?:walk to|grab|drop|open|close|switch on|switch off|plug in|unplug|wash|wipe|wear|take off|sit on|lie on) "
    r"\S+_\d+\b|\b(?:put|pour) \S+_\d+ (?:on|in|into) \S+_\d+\b|\bstand up\b"
)
_OF_PLUGS = frozenset(("plugged in", "plugged out"))
_LIQUID = "water"  # what is poured; all else is emptied, and stays in the hand
_ROOMS = frozenset(
    ("bathroom", "bedroom", "kids_bedroom", "dining_room", "living_room", "home_office", "kitchen", "hall")
)
_DONE = (words.SKILL_FINISH, words.SKILL_FINISH_UNVERIFIED)
_SEARCHING = ("walk to", "open", "stand up", "drop")


class ProgramsJudge:
    """A JudgeRole for activities."""

    def answer(self, query: JudgeQuery) -> Judgement:
        """Returns the scores; those of a task whose text is not understood are 0."""
        try:
            wishes = read_wishes(query.task)
        except TaskNotUnderstoodError as error:
            return not_understood(query, str(error))
        trace = _Trace(wishes)
        steps = tuple(map(trace.judge, query.steps))
        return judgement(query, steps, *at_the_end(query, *_achieved(trace, wishes)))


def _achieved(trace: _Trace, wishes: Sequence[Wish]) -> tuple[float, str]:
    """Returns the share of the task that its commands achieve, and says so."""
    met = [wish for wish in wishes if trace.achieves(wish)]
    return len(met) / len(wishes), f"the commands achieve {len(met)} of {len(wishes)} wishes"


@dataclass
class _Trace:
    """What is known of the home from the commands alone.

    Attributes:
        wishes: Of the task.
        held: What is in the hands.
        places: Relation and name of the place where each thing was put.
        taken: What was in the hands, or taken off, at some time.
        states: Of things, as the commands made them.
        posture: State of the one who acts; empty = upright.
        seat: What the one who acts sat or lay on last.
        has_stood_up: Whether the one who acts did so.
        walked: Kinds of what was walked to.
        walked_before: Of each thing that was handled, the kinds of what was walked to before or with it.
        has_ended: Whether the task was ended.
        row: The last command, and how often it was given in a row.
    """

    wishes: Sequence[Wish]
    held: list[str] = field(default_factory=list)
    places: dict[str, tuple[str, str]] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    states: dict[str, set[str]] = field(default_factory=dict)
    posture: str = ""
    seat: str = ""
    has_stood_up: bool = False
    walked: set[str] = field(default_factory=set)
    walked_before: dict[str, set[str]] = field(default_factory=dict)
    has_ended: bool = False
    row: tuple[str, int] = ("", 0)

    def judge(self, step: JudgedStep) -> Score:
        """Returns the score of the next step, and takes its effect."""
        command = _command(step)
        faults = [
            *self._incoherent(step, command),
            *self._irrelevant(command),
            *self._senseless(step, command),
        ]
        self._apply(step, command)
        if not faults:
            return Score(1.0, "it follows from its reason, serves the task, and makes sense")
        return Score(min(value for value, _ in faults), "; ".join(text for _, text in faults))

    def _incoherent(self, step: JudgedStep, command: Command) -> Iterator[tuple[float, str]]:
        verb, names = command.verb, command.names
        if self.has_ended:
            yield 0.0, "the task had ended before"
        if not step.rationale.strip():
            yield 0.0, "there is no reason for it"
        elif not _speaks_of(step, names):
            yield 0.0, "its reason speaks of something else"
        if verb == "grab" and names[0] in self.held:
            yield 0.0, f"{names[0]} was in a hand already"
        elif verb == "grab" and len(self.held) >= HANDS:
            yield 0.0, "both hands were full"
        if verb in (*PLACING, "wear") and names[0] not in self.held:
            yield 0.0, f"{names[0]} was in no hand"
        if verb == "put" and self.places.get(names[1], ("", ""))[1] == names[0]:
            yield 0.0, f"{names[1]} is on or in {names[0]}"
        if verb == WALK and self.posture:
            yield 0.0, "one has to stand up first"
        if step.action.skill in _DONE:
            yield from ((0.0, f"{name} is still in a hand") for name in self.held if self._is_to_be_put(name))

    def _irrelevant(self, command: Command) -> Iterator[tuple[float, str]]:
        verb, names = command.verb, command.names
        if not verb or verb in _SEARCHING:
            return
        kinds = {thing.kind for wish in self.wishes for thing in wish.things}
        handled = names[:1] if verb in PLACING else names
        for name in handled:
            if kind_of(name) not in kinds and not self._makes_way(verb) and not self._is_seat(verb):
                yield 0.0, f"the task does not name {name}"
        if verb in PLACING and kind_of(names[1]) not in kinds:
            yield DOUBTFUL, f"the task does not name {names[1]}"

    def _is_to_be_put(self, name: str) -> bool:
        """Whether a thing in a hand shall be somewhere else; what was poured is there already."""
        kind = kind_of(name)
        wanted = {wish.relation for wish in self.wishes if wish.subject.kind == kind and not wish.negated}
        return name not in self.places and HELD not in wanted and not wanted.isdisjoint((ON, IN))

    @staticmethod
    def _makes_way(verb: str) -> bool:
        return verb in ("close", "switch off")

    def _is_seat(self, verb: str) -> bool:
        return verb in ("sit on", "lie on") and any(wish.subject == ME for wish in self.wishes)

    def _senseless(self, step: JudgedStep, command: Command) -> Iterator[tuple[float, str]]:
        verb, names, text = command.verb, command.names, str(step.action)
        last, times = self.row
        if text == last and (times >= TRIES or verb == WALK):
            yield (0.0 if times >= TRIES else DOUBTFUL), "it had just been done"
        after = STATE_AFTER.get(verb)
        if after is not None and after in self.states.get(names[0], ()) and text != last:
            yield DOUBTFUL, f"{names[0]} was {after} already, as far as is known"

    def _apply(self, step: JudgedStep, command: Command) -> None:
        verb, names, text = command.verb, command.names, str(step.action)
        last, times = self.row
        self.row = (text, times + 1 if text == last else 1)
        self.has_ended = self.has_ended or step.action.skill in words.ENDINGS
        if not verb or step.result in (Result.FAILED, Result.CANCELED):
            return
        if verb in STATE_AFTER:
            states = self.states.setdefault(names[0], set())
            states.discard(OPPOSITES[STATE_AFTER[verb]])
            states.add(STATE_AFTER[verb])
        match verb:
            case "walk to":
                self.walked.add(kind_of(names[0]))
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
            self.walked_before[name] = set(self.walked)

    def _let_go(self, name: str) -> None:
        if name in self.held:
            self.held.remove(name)

    # -- what the commands achieve

    def achieves(self, wish: Wish) -> bool:
        """Whether the commands bring about what is wished; what was so before is not seen in them."""
        if wish.subject == ME:
            return self._places_me(wish)
        if wish.relation == HELD:
            held = any(_is(name, wish.subject) for name in self.held)
            return held is not wish.negated
        if wish.relation == IS_STATE:
            wanted = OPPOSITES.get(wish.state, wish.state) if wish.negated else wish.state
            made = [states for name, states in self.states.items() if _is(name, wish.subject)]
            if wanted in _OF_PLUGS and not any(states & _OF_PLUGS for states in made):
                return True  # nobody touched the plug, so that it is as it was
            return any(wanted in states for states in made)
        return self._is_placed(wish)

    def _is_placed(self, wish: Wish) -> bool:
        assert wish.object is not None, "a relation has an object"
        placed = any(
            _is(name, wish.subject) and relation == wish.relation and _is(place, wish.object)
            for name, (relation, place) in self.places.items()
        )
        if wish.negated:
            return not placed and any(_is(name, wish.subject) for name in self.taken)
        in_room = wish.object.kind in _ROOMS and self._may_be_in_room(wish.subject, wish.object.kind)
        return placed or in_room

    def _may_be_in_room(self, thing: Wanted, room: str) -> bool:
        """Whether a thing was handled or carried after the walk to a room, or just handled if there was no such
        walk, as in the room in which one begins."""
        return any(
            room in before or room not in self.walked
            for name, before in self.walked_before.items()
            if _is(name, thing)
        )

    def _places_me(self, wish: Wish) -> bool:
        if wish.relation == IS_STATE:
            return (self.posture == wish.state) is not wish.negated and (
                not wish.negated or self.has_stood_up
            )
        if wish.object is None or wish.negated:
            return True
        if wish.relation == ON:
            return bool(self.seat) and _is(self.seat, wish.object)
        return bool(self.walked)  # in which room the things are to which one walks is not told


def _command(step: JudgedStep) -> Command:
    """Returns the command of a step; an empty one for the end of a task, or other text."""
    is_command = step.action.skill == words.SKILL_COMMAND and _COMMAND.fullmatch(str(step.action))
    return read_command(str(step.action)) if is_command else Command("")


def _speaks_of(step: JudgedStep, names: Sequence[str]) -> bool:
    """Whether a reason names what its command handles, and announces no other command instead."""
    announced = _COMMAND.findall(step.rationale)
    if announced and str(step.action) not in announced:
        return False
    said = stems(step.rationale)
    return not names or any(name in step.rationale or stems(kind_of(name)) & said for name in names)


def _is(name: str, thing: Wanted) -> bool:
    return thing == ME if name == str(ME) else kind_of(name) == thing.kind
