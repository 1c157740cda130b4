"""A question of a task by the beliefs of one step: its answer, how sure that is, and what to look at for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from stma_ros.domains.eqa.answer_rules import AnswerRules
from stma_ros.domains.eqa.finding import Finding
from stma_ros.domains.eqa.meant_things import is_sure
from stma_ros.domains.eqa.question import QuestionKind, Relation, TypedQuestion
from stma_ros.domains.household.belief_index import BeliefIndex, KnownObject, is_certain
from stma_ros.domains.household.belief_scene import TOLD_RELATIONS, BeliefScene
from stma_ros.domains.household.feasibility import Access
from stma_ros.domains.household.outcome_index import OutcomeIndex, action
from stma_ros.domains.household.recall import Recall
from stma_ros.memory.states import dimension
from stma_ros.types import vocabulary as words
from stma_ros.types.planning import Action
from stma_ros.types.standard import Time

_LASTING = frozenset((QuestionKind.ATTRIBUTE,))
"""Kinds of questions about what does not change: a thing that was moved keeps its colour."""


class Inquiry:
    """The question of a task by the beliefs of one step.

    Attributes:
        question: that is asked.
        finding: what the beliefs answer.
    """

    def __init__(
        self,
        question: TypedQuestion,
        view: BeliefIndex,
        history: OutcomeIndex,
        access: Access,
        recall: Recall,
    ) -> None:
        self.question = question
        self._view = view
        self._history = history
        self._access = access
        self._recall = recall
        self._scene = BeliefScene(view, tuple(self._surveyed()))
        self._rules = AnswerRules(question, self._scene, view.knowledge)
        self.finding: Finding = self._rules.find()

    @property
    def is_settled(self) -> bool:
        """Whether the answer is known, so that nothing more needs to be looked at."""
        return self.finding.is_complete and not self._is_negative and not any(self._doubted())

    @cached_property
    def looks(self) -> tuple[tuple[str, tuple[Action, ...]], ...]:
        """What to look at, as pairs of an id and the actions, for an answer that rests on it: what was seen too long
        ago or not well, and the inside of what the question names."""
        found = ((name, self._look_at(name)) for name in dict.fromkeys(self._unclear()))
        return tuple((name, actions) for name, actions in found if actions)

    @property
    def out_of_reach(self) -> tuple[str, ...]:
        """Ids of the things that are to be looked at, and to which no way is known."""
        if self.is_settled:
            return ()
        return tuple(
            name for name in dict.fromkeys(self._unclear()) if self._access.approach_object(name) is None
        )

    def is_sure(self, hidden: Sequence[str]) -> bool:
        """Whether the answer is as sure as it has to be to be asserted.

        Args:
            hidden: ids of places that were not seen and may hold what is asked for.
        """
        if not self.finding.answer or self.finding.is_guess or not self._is_told:
            return False
        if self._is_negative:
            is_seen = not hidden and not any(self._outdated())
            is_seen = is_seen and not any(self._of_unknown_state())
            return is_seen and not self._rules.meant.has_doubtful_targets
        return (
            self.finding.is_complete and all(map(is_sure, self.finding.things)) and not any(self._doubted())
        )

    @property
    def things(self) -> tuple[KnownObject, ...]:
        """The things that the answer rests on."""
        return tuple(self._view.objects[thing.id] for thing in self.finding.things)

    @property
    def text(self) -> str:
        """The answer; what was seen before the task began is told with its time and its room."""
        before = [thing for thing in self.things if self._recall.is_earlier(self._seen(thing))]
        if not before:
            return self.finding.answer
        oldest = min(before, key=self._seen)
        kind = self._view.rooms.get(self._view.room_of(oldest), "")
        where = f" in the {kind}" if kind and kind not in self.finding.answer else ""
        return f"{self.finding.answer} (seen {self._recall.ago(self._seen(oldest))}{where})"

    # -- evidence

    @property
    def _is_negative(self) -> bool:
        """Whether what was not seen may refute the answer."""
        return self.finding.is_absence or not self.finding.things

    @property
    def _is_told(self) -> bool:
        """Whether the belief can tell what is asked: it holds no heights, for example."""
        return all(place.relation in TOLD_RELATIONS for place in self.question.places)

    @property
    def _names_colour(self) -> bool:
        """Whether the answer depends on the colour of a thing."""
        target = self.question.target
        return self.question.attribute == "colour" or (target is not None and bool(target.colours))

    def _doubted(self) -> Iterator[KnownObject]:
        """Yields the things of the answer that may have changed since they were seen, or whose state or colour is
        a guess."""
        for thing in self.things:
            portable = self._view.knowledge.is_portable(thing.category)
            may_move = portable and self.question.kind not in _LASTING and not thing.held
            is_disputed = self._names_colour and bool(thing.other_colours)
            may_have_moved = may_move and self._recall.is_old(thing.last_seen)
            if is_disputed or may_have_moved or self._is_of_doubted_state(thing):
                yield thing

    def _is_of_doubted_state(self, thing: KnownObject) -> bool:
        """Whether the state of a thing, if the question names one, is not known for certain or was seen long ago."""
        if not self.question.state or self.question.kind is QuestionKind.ATTRIBUTE:
            return False
        fact = thing.state_fact(dimension(self.question.state))
        return fact is None or not is_certain(fact) or self._recall.is_old(fact.last_seen)

    def _outdated(self) -> Iterator[KnownObject]:
        """Yields the places where a thing that is carried about may have been put since they were seen."""
        target = self.question.target
        if target is not None and target.category and not self._view.knowledge.is_portable(target.category):
            return
        for thing in self._named_places() or tuple(self._furniture()):
            if self._recall.is_old(thing.last_seen) and self._recall.is_earlier(thing.last_seen):
                yield thing

    def _named_places(self) -> tuple[KnownObject, ...]:
        """Returns the things that may be the places that the question names."""
        kinds = [mark.category for place in self.question.places for mark in place.landmarks]
        is_kind = self._view.knowledge.is_kind
        return tuple(
            thing.known
            for thing in self._scene.things
            if any(is_kind(thing.category, kind) for kind in kinds if kind)
        )

    def _furniture(self) -> Iterator[KnownObject]:
        """Yields the furniture of the room that the question names, or of the home."""
        room = self.question.room
        for thing in self._scene.things:
            if self._view.knowledge.is_furniture(thing.category) and (not room or thing.room_kind == room):
                yield thing.known

    def _seen(self, thing: KnownObject) -> Time:
        """Returns when a thing, or the state that is asked for, was seen last."""
        fact = thing.state_fact(dimension(self.question.state)) if self.question.state else None
        return fact.last_seen if fact is not None else thing.last_seen

    # -- looks

    def _unclear(self) -> Iterator[str]:
        if not self._is_negative:
            yield from (thing.id for thing in self._doubted())
            # What is on or in a thing shows when the robot stands before it, which is a goal of its own.
            asks_what = self.question.kind is QuestionKind.WHAT_IS and self.question.places
            if not self.finding.is_complete and not asks_what:
                yield from (thing.id for thing in self.finding.things)
        elif self.question.places:
            yield from (thing.id for thing in self._outdated())
        yield from (thing.id for thing in self._of_unknown_state())
        yield from self._unopened()

    def _of_unknown_state(self) -> Iterator[KnownObject]:
        """Yields the things that may be in the state by which a question describes what it asks for: those of a room of
        "What is switched on in the bathroom?", the lamps of "How many lamps are on?"."""
        question, target, room = self.question, self.question.target, self.question.room
        is_known = self.finding.is_complete and not self._is_negative
        if is_known or not question.state:
            return
        if question.kind in (QuestionKind.EXISTENCE, QuestionKind.COUNT):
            named = (self._view.objects[thing.id] for thing in self._rules.meant.in_any_state())
            yield from filter(self._is_of_doubted_state, named)
        if question.kind is not QuestionKind.WHAT_IS or (target is not None and target.category):
            return
        can_be = self._view.knowledge.can_be
        for thing in self._scene.things:
            in_room = not room or thing.room_kind == room
            if (
                in_room
                and can_be(thing.category, question.state)
                and not thing.known.state(dimension(self.question.state))
            ):
                yield thing.known

    def _unopened(self) -> Iterator[str]:
        """Yields the containers that the question names and that were not looked into."""
        if self.is_settled or Relation.IN not in {place.relation for place in self.question.places}:
            return
        yield from (thing.id for thing in self._named_places() if self._is_closed_book(thing.id))

    def _is_closed_book(self, name: str) -> bool:
        """Whether a container has an inside that was not in view."""
        is_container = self._view.knowledge.is_container(self._view.objects[name].category)
        return is_container and not self._access.was_looked_into(name)

    def _look_at(self, name: str) -> tuple[Action, ...]:
        """Returns the actions that show a thing from nearby; empty if that was done, or cannot be."""
        thing = self._view.objects[name]
        way = self._access.approach_object(name)
        if way is None:
            return ()
        holder = name if name in self._unopened() else thing.inside
        opening = self._access.open_actions(holder) if holder else ()
        actions = (*way, *opening)
        if not actions or self._history.succeeded(actions[-1]) or not self._access.is_feasible(actions):
            return ()
        return actions

    def _surveyed(self) -> Iterator[str]:
        """Yields the things before which the robot has stood, without those whose inside is asked for and not seen."""
        asks_inside = Relation.IN in {place.relation for place in self.question.places}
        for name in self._view.objects:
            went = self._history.succeeded(action(words.SKILL_NAVIGATE, name))
            if (went or self._access.stands_at(name)) and not (asks_inside and self._is_closed_book(name)):
                yield name
