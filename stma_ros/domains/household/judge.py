"""Judges finished household tasks by rules, from the text of the task, the rationales and the actions alone.

A step is coherent if its reason speaks of what the action does and its action is possible after the actions before;
relevant, if it moves something that the task names, or searches; and sensible, if it neither undoes nor repeats what
was just done. The task is complete as far as its actions bring about its goals.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from stma_ros.domains.household.belief_index import kind_in_id
from stma_ros.domains.household.goals import (
    FindGoal,
    Goal,
    PlaceGoal,
    StateGoal,
    goals_of,
    named_kinds,
    question_of,
)
from stma_ros.domains.household.outcome_index import Key, key
from stma_ros.domains.household.task_parser import SymbolicTaskParser
from stma_ros.domains.judge_scores import DOUBTFUL, TRIES, at_the_end, judgement, not_understood
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.descriptions import Description
from stma_ros.memory.graph_text import stems
from stma_ros.roles.judge import JudgedStep, Judgement, JudgeQuery, Score
from stma_ros.roles.task_parser import TaskQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.goals import ALL
from stma_ros.types.planning import Result

_ACTION = re.compile(r"\b[a-z_]+\([\w, ]*\)")
_IN_HAND = re.compile(r"\b(?P<thing>\w+_\d+) is in the robot's hand")

_STATE_AFTER = {
    words.SKILL_OPEN: words.STATE_OPEN,
    words.SKILL_CLOSE: words.STATE_CLOSED,
    words.SKILL_SWITCH_ON: words.STATE_ON,
    words.SKILL_SWITCH_OFF: words.STATE_OFF,
}
_VESSEL_STATE_AFTER = {words.SKILL_FILL: words.STATE_FULL, words.SKILL_EMPTY: words.STATE_EMPTY}
_OF_THE_HAND = (*words.PLACINGS, *_VESSEL_STATE_AFTER)
_SEARCHING = (
    words.SKILL_EXPLORE,
    words.SKILL_LOOK_AROUND,
    words.SKILL_NAVIGATE,
    words.SKILL_OPEN,
    words.SKILL_CLOSE,
)


class SymbolicJudge:
    """A JudgeRole for household tasks."""

    def __init__(self, knowledge: CategoryKnowledge) -> None:
        self._knowledge = knowledge
        self._parser = SymbolicTaskParser(knowledge)

    def answer(self, query: JudgeQuery) -> Judgement:
        """Returns the scores; those of a task whose text is not understood are 0."""
        parsed = self._parser.answer(TaskQuery(query.task))
        if parsed.error:
            return not_understood(query, f"the task is not understood: {parsed.error.text}")
        read = TemporalBelief(goals=parsed.goals)
        asked = question_of(read)
        goals = () if asked is not None else goals_of(read)
        state = _Traced(self._knowledge, named_kinds(goals), asks=asked is not None)
        steps = tuple(state.judge(step) for step in query.steps)
        return judgement(query, steps, *at_the_end(query, *self._achieved(query, state, goals)))

    def _achieved(self, query: JudgeQuery, state: _Traced, goals: Sequence[Goal]) -> tuple[float, str]:
        """Returns the share of the task that its actions achieve, and says so. goals: empty = it is a question."""
        if not goals:
            last = query.steps[-1].action.skill
            answered = last in (words.SKILL_ANSWER, words.SKILL_FINISH_UNVERIFIED)
            return (1.0, "answered") if answered else (0.0, "the question was not answered")
        met = [goal for goal in goals if state.achieves(goal)]
        count = len(met) - state.lacking(met)
        return count / len(goals), f"the actions achieve {count} of {len(goals)} goals"


@dataclass
class _Traced:
    """What is known of the home from the actions alone.

    Attributes:
        knowledge: of categories.
        named: categories that the task names.
        asks: whether the task is a question.
        held: id of the thing in the hand; empty = none.
        last_held: id of the thing that was in the hand last.
        places: relation and id of the place where each thing was put.
        states: of things, as the actions made them.
        reported: ids of things that were reported.
        visited: ids of things to which the robot went last.
        row: the last action, and how often it was done in a row.
    """

    knowledge: CategoryKnowledge
    named: Collection[str]
    asks: bool
    held: str = ""
    last_held: str = ""
    places: dict[str, tuple[str, str]] = field(default_factory=dict)
    states: dict[str, set[str]] = field(default_factory=dict)
    reported: list[str] = field(default_factory=list)
    visited: str = ""
    has_ended: bool = False
    row: tuple[Key | None, int] = (None, 0)

    def judge(self, step: JudgedStep) -> Score:
        """Returns the score of the next step, and takes its effect."""
        self._believe(step)
        faults = [*self._incoherent(step), *self._irrelevant(step), *self._senseless(step)]
        self._apply(step)
        if not faults:
            return Score(1.0, "it follows from its reason, serves the task, and makes sense")
        worst = min(value for value, _ in faults)
        return Score(worst, "; ".join(text for _, text in faults))

    # -- the criteria: what speaks against a step, each with the score that it leaves

    def _incoherent(self, step: JudgedStep) -> Iterator[tuple[float, str]]:
        if self.has_ended:
            yield 0.0, "the task had ended before"
        if not step.rationale.strip():
            yield 0.0, "there is no reason for it"
        elif not self._speaks_of(step):
            yield 0.0, "its reason speaks of something else"
        skill = step.action.skill
        if skill == words.SKILL_PICK and self.held:
            may_have_failed = step.action.target == self.held
            yield DOUBTFUL if may_have_failed else 0.0, f"{self.held} was in the hand already"
        if skill in _OF_THE_HAND and not self.held:
            yield 0.0, "nothing was in the hand"
        target = step.action.target
        if skill == words.SKILL_PLACE_IN and words.STATE_CLOSED in self.states.get(target, ()):
            yield 0.0, f"{target} had been closed"
        if skill in words.MANIPULATIONS and self.visited and not self._is_near(target):
            yield DOUBTFUL, f"the robot had gone to {self.visited}, not to {target}"

    def _believe(self, step: JudgedStep) -> None:
        """Takes what a reason says of the hand: that an action before failed may be told nowhere else."""
        said = _IN_HAND.search(step.rationale)
        if said is not None and said["thing"] in (*self.places, self.last_held):
            self.held = said["thing"]
            self.places.pop(self.held, None)

    def _speaks_of(self, step: JudgedStep) -> bool:
        """Whether a reason names the target of its action, and announces no other action instead."""
        announced = _ACTION.findall(step.rationale)
        if announced and str(step.action) not in announced:
            return False
        if not step.action.arguments or step.action.skill in words.ENDINGS:
            return True
        said = stems(step.rationale)
        names = [*step.action.arguments, *([self.held] if step.action.skill in _OF_THE_HAND else [])]
        return any(name in step.rationale or stems(kind_in_id(name)) & said for name in names if name)

    def _irrelevant(self, step: JudgedStep) -> Iterator[tuple[float, str]]:
        skill, target = step.action.skill, step.action.target
        if skill in _SEARCHING or skill in words.ENDINGS or self.asks:
            return
        if skill in _OF_THE_HAND:
            if self.held and not self._is_named(self.held):
                yield DOUBTFUL, f"the task does not name {self.held}"
        elif not self._is_named(target):
            yield 0.0, f"the task does not name {target}"

    def _senseless(self, step: JudgedStep) -> Iterator[tuple[float, str]]:
        skill, target = step.action.skill, step.action.target
        last, times = self.row
        if (
            skill in _STATE_AFTER
            and _STATE_AFTER[skill] in self.states.get(target, ())
            and key(step.action) != last
        ):
            yield DOUBTFUL, f"{target} was {_STATE_AFTER[skill]} already, as far as is known"
        if key(step.action) == last and times >= TRIES:
            yield 0.0, f"it was tried {times} times in a row before"
        elif key(step.action) == last and skill in words.MOTIONS:
            yield DOUBTFUL, "it had just been done"

    # -- effects

    def _apply(self, step: JudgedStep) -> None:
        action, target = step.action, step.action.target
        last, times = self.row
        self.row = (key(action), times + 1 if key(action) == last else 1)
        self.has_ended = self.has_ended or action.skill in words.ENDINGS
        if step.result in (Result.FAILED, Result.CANCELED):
            return
        if action.skill == words.SKILL_NAVIGATE:
            self.visited = target
        elif action.skill in (words.SKILL_EXPLORE, words.SKILL_LOOK_AROUND):
            self.visited = ""
        elif action.skill == words.SKILL_PICK:
            self.held = self.last_held = target
            self.places.pop(target, None)
        elif action.skill in words.PLACINGS:
            if self.held:
                self.places[self.held] = words.RELATION_AFTER[action.skill], target
            self.held = ""
        elif action.skill in _VESSEL_STATE_AFTER:
            self._set_state(self.held, _VESSEL_STATE_AFTER[action.skill])
        elif action.skill in _STATE_AFTER:
            self._set_state(target, _STATE_AFTER[action.skill])
        elif action.skill == words.SKILL_REPORT:
            self.reported.append(target)

    def _set_state(self, thing: str, state: str) -> None:
        states = self.states.setdefault(thing, set())
        states.discard(words.OPPOSITE_STATE[state])
        states.add(state)

    def achieves(self, goal: Goal) -> bool:
        """Whether the actions bring a goal about; what held before is not seen in them."""
        match goal:
            case FindGoal():
                return any(self._is(name, goal.what) for name in self.reported) or (
                    goal.beside and self._is(self.visited, goal.what)
                )
            case StateGoal():
                done = [
                    n for n, states in self.states.items() if goal.state in states and self._is(n, goal.what)
                ]
                return len(done) >= max(goal.count, 1)
            case PlaceGoal():
                if goal.relation == words.HELD_BY:
                    return self._is(self.held, goal.what)
                placed = self._placed(goal)
                if goal.count == ALL:  # what was taken and is not there at the end is one of them, too
                    return bool(placed) and not self._is(self.held, goal.what)
                return len(placed) >= goal.count

    def _placed(self, goal: PlaceGoal) -> set[str]:
        """Returns the ids of the things that were put where a goal wants them."""
        return {name for name in self.places if self._is(name, goal.what) and self._is_at(name, goal)}

    def lacking(self, goals: Iterable[Goal]) -> int:
        """Returns how many things too few there are for goals that seem achieved each by itself: things of one kind and
        of several colours are several things."""
        by_colour: dict[str, dict[tuple[str, ...], set[str]]] = {}
        for goal in goals:
            if isinstance(goal, PlaceGoal) and goal.what.colours and goal.relation != words.HELD_BY:
                placed = by_colour.setdefault(goal.what.category, {})
                placed.setdefault(goal.what.colours, set()).update(self._placed(goal))
        return sum(max(len(each) - len(set().union(*each.values())), 0) for each in by_colour.values())

    def _is_at(self, name: str, goal: PlaceGoal) -> bool:
        relation, place = self.places[name]
        if goal.is_on_floor and goal.destination is not None:
            beside = goal.destination.place if goal.destination.relation == words.NEAR else None
            return relation == words.NEAR and (beside is None or self._is(place, beside))
        if goal.relation in (words.NEAR, words.IN_ROOM):
            return True  # which rooms and neighbours a place has is not seen in the actions
        if relation == words.NEAR:
            return False  # on the floor
        if goal.destination is None:
            return True
        if goal.is_away:
            return not self._is(place, goal.destination)
        return goal.relation in ("", relation) and self._is(place, goal.destination)

    def _is_near(self, target: str) -> bool:
        """Whether the robot went to a thing, or to where it put it, as far as is known."""
        _, place = self.places.get(target, ("", ""))
        return self.visited in (target, place) or target not in self.places

    def _is(self, name: str, what: Description) -> bool:
        return bool(name) and self._may_be(name, what.category)

    def _is_named(self, name: str) -> bool:
        return any(self._may_be(name, kind) for kind in self.named)

    def _may_be(self, name: str, wanted: str) -> bool:
        """Whether a thing is of a kind, or taken for it: what is called a cup may be meant by a mug."""
        return self.knowledge.is_kind(kind_in_id(name), wanted) or self.knowledge.is_alike(
            kind_in_id(name), wanted
        )
