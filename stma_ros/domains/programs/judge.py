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
from stma_ros.domains.programs.deeds import Deeds, achieved
from stma_ros.domains.programs.observed_home import kind_of
from stma_ros.domains.programs.wishes import HELD, IN, ME, ON, Wish, read_wishes
from stma_ros.memory.graph_text import stems
from stma_ros.roles.judge import JudgedStep, Judgement, JudgeQuery, Score
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import TaskNotUnderstoodError
from stma_ros.types.planning import Result

_COMMAND = re.compile(
    r"\b(?:walk to|grab|drop|open|close|switch on|switch off|plug in|unplug|wash|wipe|wear|take off|sit on|lie on) "
    r"\S+_\d+\b|\b(?:put|pour) \S+_\d+ (?:on|in|into) \S+_\d+\b|\bstand up\b"
)
_NAME = re.compile(r"[\w-]+_\d+\b")
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
    met = achieved(trace.deeds, wishes, _NAME.findall(trace.reason))
    return len(met) / len(wishes), f"the commands achieve {len(met)} of {len(wishes)} wishes"


@dataclass
class _Trace:
    """The course of an activity.

    Attributes:
        wishes: Of the task.
        deeds: What the commands have done.
        reason: For the last step.
        has_ended: Whether the task was ended.
        row: The last command, and how often it was given in a row.
    """

    wishes: Sequence[Wish]
    deeds: Deeds = field(default_factory=Deeds)
    reason: str = ""
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
        if verb == "grab" and names[0] in self.deeds.held:
            yield 0.0, f"{names[0]} was in a hand already"
        elif verb == "grab" and len(self.deeds.held) >= HANDS:
            yield 0.0, "both hands were full"
        if verb in (*PLACING, "wear") and names[0] not in self.deeds.held:
            yield 0.0, f"{names[0]} was in no hand"
        if verb == "put" and self.deeds.places.get(names[1], ("", ""))[1] == names[0]:
            yield 0.0, f"{names[1]} is on or in {names[0]}"
        if verb == WALK and self.deeds.posture:
            yield 0.0, "one has to stand up first"
        if step.action.skill in _DONE:
            yield from (
                (0.0, f"{name} is still in a hand") for name in self.deeds.held if self._is_to_be_put(name)
            )

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
        return name not in self.deeds.places and HELD not in wanted and not wanted.isdisjoint((ON, IN))

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
        if after is not None and after in self.deeds.states.get(names[0], ()) and text != last:
            yield DOUBTFUL, f"{names[0]} was {after} already, as far as is known"

    def _apply(self, step: JudgedStep, command: Command) -> None:
        text = str(step.action)
        last, times = self.row
        self.reason = step.rationale
        self.row = (text, times + 1 if text == last else 1)
        self.has_ended = self.has_ended or step.action.skill in words.ENDINGS
        if command.verb and step.result not in (Result.FAILED, Result.CANCELED):
            self.deeds.apply(command)


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
