"""Answers typed questions by what is known of a scene."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from stma_ros.domains.eqa.aims import rooms_asked
from stma_ros.domains.eqa.finding import NO, NOTHING, YES, Finding
from stma_ros.domains.eqa.meant_things import MeantThings, best, clearest, is_looked_into, is_sure, state_fact
from stma_ros.domains.eqa.noun_phrase import NounPhrases
from stma_ros.domains.eqa.overlooked_words import OverlookedWords
from stma_ros.domains.eqa.purposes import people_on, serving_kinds
from stma_ros.domains.eqa.question import (
    Amount,
    AnswerForm,
    Quantifier,
    QuestionKind,
    Relation,
    TypedQuestion,
)
from stma_ros.domains.eqa.room_rules import RoomRules, asks_for_rooms
from stma_ros.domains.eqa.scene import KnownThing, Scene
from stma_ros.domains.eqa.value_rules import ValueRules
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.nouns import listed, with_article
from stma_ros.memory.states import TOLD
from stma_ros.types import vocabulary as words

_LARGER = re.compile(
    r"\b(?:(?:bigg|larg|gre?at)(?:er|est)|more (?:(?:floor )?space|spacious|room)"
    r"|(?P<smaller>small(?:er|est)|less (?:(?:floor )?space|spacious|room)))\b"
)
"""Compares the sizes of rooms."""

_OF_THINGS = (QuestionKind.ATTRIBUTE, QuestionKind.STATE, QuestionKind.RELATION)
"""Kinds of questions that scenes answer of things, and not of rooms."""

_FREE = 2  # things on a place that leave free space there, at most


class AnswerRules:
    """The rules for one question and one scene, a method for each kind of question."""

    def __init__(
        self, question: TypedQuestion, scene: Scene[KnownThing], knowledge: CategoryKnowledge
    ) -> None:
        self._question = question
        self._scene = scene
        self._knowledge = knowledge
        self.meant = MeantThings(question, scene, knowledge)

    def find(self) -> Finding:
        """Returns the answer as far as it is known; a guess to a question with words that no rule reads."""
        finding = self._found()
        overlooked = OverlookedWords(self._question, self.meant, self._knowledge)
        if words_left := overlooked.of(finding):
            missing = finding.missing or f"how to tell {' '.join(words_left)!r}"
            return replace(finding, missing=missing, is_guess=True)
        return replace(finding, is_guess=True) if overlooked.denies_the_unknown(finding) else finding

    def _found(self) -> Finding:
        if asks_for_rooms(self._question, self._knowledge):
            return RoomRules(self._question, self._scene, self._knowledge, self.meant).find()
        if self._question.kind in _OF_THINGS and self.meant.is_about_a_room:
            return self.unknown()  # whether the kitchen is clean
        return _RULES[self._question.kind](self)

    def existence(self) -> Finding:
        finding = self._is_there()
        return finding.denied if self.meant.quantifier is Quantifier.NO else finding

    def _is_there(self) -> Finding:
        found = self.meant.targets()
        sure = [thing for thing in found if self._is_settled(thing)]
        amount = self._question.target.amount if self._question.target is not None else None
        if amount is not None:
            return self._is_amount(amount, sure)
        if sure:
            return Finding(YES, best(sure), is_complete=True)
        if found:
            return Finding(YES, best(found), missing=f"a closer look at {_the(found[0])}")
        return self._none(NO)

    def _is_settled(self, thing: KnownThing) -> bool:
        """Whether a target is certain, and in the room that the question names."""
        return self.meant.is_certain(thing) and self.meant.is_surely_there(thing)

    def _is_amount(self, amount: Amount, sure: Sequence[KnownThing]) -> Finding:
        """Returns whether there are as many things as the question says. sure: those that certainly are among them."""
        if amount.most is None and len(sure) >= amount.least:
            return Finding(YES, tuple(sure), is_complete=True)
        if amount.most is not None and len(sure) > amount.most:
            return Finding(NO, tuple(sure), is_complete=True)
        counted = self._count_things()
        return replace(counted, answer=YES if amount.includes(int(counted.answer)) else NO, is_absence=True)

    def count(self) -> Finding:
        target = self._question.target
        if target is not None and target.category == "person" and self._question.purpose:
            return self._count_people()
        return self._count_things()

    def _count_things(self) -> Finding:
        targets, marks = self.meant.targets(), self.meant.marks()
        if not targets and not marks:
            return self._none("0", "whether there are any")
        found = [thing for thing in targets if is_sure(thing)]
        is_complete = self.meant.is_mark_surveyed() if marks else self.meant.is_all_seen
        is_complete = is_complete and not self.meant.of_unknown_state()
        if unclear := [thing for thing in found if not self._is_settled(thing)]:
            return Finding(str(len(found)), tuple(found), missing=f"a closer look at {_the(unclear[0])}")
        things = (*found, *best(marks)) if found or marks else self.meant.showing_the_room()
        missing = "" if is_complete else "whether there are more"
        return Finding(str(len(found)), things, is_complete, missing, is_absence=not marks)

    def _count_people(self) -> Finding:
        """Counts the people for whom there are seats or beds."""
        marks = best(self.meant.marks())
        if not marks and self.meant.missing_mark():
            return self._absent_mark() or Finding("", missing=self._unseen())
        found = self.meant.holding_people()
        number = sum(people_on(thing.category, thing.longest) for thing in found)
        # Chairs hide behind a table.
        is_seen = bool(found) and self.meant.is_mark_surveyed() if marks else self.meant.is_all_seen
        missing = "" if is_seen else "whether there are more seats"
        return Finding(str(number), (*found, *marks), is_seen, missing, is_absence=not found)

    def attribute(self) -> Finding:
        targets = self.meant.targets()
        if not targets:
            return self._absent()
        is_colour = self._question.attribute == "colour"
        values = {thing.id: thing.colour for thing in targets if is_colour and thing.colour}
        asked = self._knowledge.colour(self._question.state) or self._question.state
        return self._asked_of(targets).of_values(values, asked)

    def state(self) -> Finding:
        targets = self.meant.targets()
        if not targets:
            return self._absent()
        asked = self._question.state
        facts = {thing.id: fact for thing in targets if (fact := state_fact(thing, asked)) is not None}
        doubtful = frozenset(name for name, fact in facts.items() if fact.confidence < TOLD)
        return self._asked_of(targets, doubtful).of_values(
            {name: fact.object for name, fact in facts.items()}, asked
        )

    def _asked_of(self, targets: Sequence[KnownThing], doubtful: Collection[str] = frozenset()) -> ValueRules:
        """Returns the rules for what is asked of things. doubtful: ids of those of which it is not certain."""
        certain = (thing.id for thing in targets if thing.id not in doubtful and self.meant.is_certain(thing))
        return ValueRules(self._question, self.meant, targets, frozenset(certain))

    def where(self) -> Finding:
        found = best(self.meant.targets())
        if not found:
            return self._absent()
        (thing,) = found
        place = self._place_of(thing)
        is_place = place != _in_room(thing) or self.meant.is_room_known(thing)
        is_complete = bool(place) and is_place and self.meant.is_certain(thing)
        return Finding(place, found, is_complete, "" if is_complete else "more of its place")

    def room_of(self) -> Finding:
        found = best(self.meant.targets())
        if not found:
            return self._absent()
        (thing,) = found
        is_complete = self.meant.is_room_known(thing) and self.meant.is_certain(thing)
        return Finding(thing.room_kind, found, is_complete, "" if is_complete else "more of the room")

    def what_is(self) -> Finding:
        found = self.meant.unnamed()
        sure = [thing for thing in found if is_sure(thing)]
        marks = self.meant.marks()
        if sure and marks and self._question.relation not in (Relation.ON, Relation.IN):
            nearest = self.meant.nearest(sure, marks)
            is_complete = self.meant.is_mark_surveyed() or self.meant.stands_at_mark(nearest)
            missing = "" if is_complete else f"more of what is around {_the(marks[0])}"
            return Finding(with_article(nearest.category), (nearest, *best(marks)), is_complete, missing)
        if sure:
            largest_first = sorted(sure, key=lambda thing: -thing.longest)
            names = dict.fromkeys(with_article(thing.category) for thing in largest_first)
            # More may lie there than is seen from afar.
            is_complete = not marks or self.meant.is_mark_surveyed()
            missing = "" if is_complete else "a closer look"
            return Finding(listed(names), tuple(sure), is_complete, missing)
        if found:
            return Finding(with_article(found[0].category), best(found), missing="a closer look")
        return self._absent_mark() or self._nothing_there()

    def which(self) -> Finding:
        """Answers which of the options is nearest to the landmark; without options it is a question for a thing."""
        if not self._question.options:
            is_compared = bool(self._question.attribute)  # "which chair is the largest"
            return self._not_told("how they compare") if is_compared else self.what_is()
        rooms = rooms_asked(self._question, self._knowledge)
        if len(rooms) == len(self._question.options):
            return self._larger_room(rooms)
        marks = best(self.meant.marks())
        if not marks:
            return self._absent_mark() or Finding("", missing=self._unseen())
        named = {option: best(self.meant.named(option)) for option in self._question.options}
        near = {
            option: distance
            for option, found in named.items()
            if found and not math.isnan(distance := self._scene.distance(found[0].id, marks[0].id))
        }
        if not near:
            return Finding("", marks, missing="the things to choose from")
        things = (*marks, *(thing for found in named.values() for thing in found))
        missing = "" if len(near) == len(named) else "one of the things to choose from"
        if not missing and len(set(near.values())) < len(near):
            missing = "how far away they are"
        return Finding(min(near, key=lambda option: near[option]), things, not missing, missing)

    def _larger_room(self, rooms: Sequence[str]) -> Finding:
        compared = _LARGER.search(self._question.text.lower())
        if compared is None:
            return self._not_told("how the rooms compare")
        extents = [self._scene.extent(room) for room in rooms]
        if any(map(math.isnan, extents)):
            return Finding("", missing="one of the rooms to choose from")
        shown = clearest([thing for thing in self._scene.things if thing.room_kind in rooms])
        wanted = min(extents) if compared["smaller"] else max(extents)
        answer = self._question.options[extents.index(wanted)]
        is_complete = self.meant.is_all_seen
        return Finding(answer, shown, is_complete, "" if is_complete else "more of the rooms")

    def relation(self) -> Finding:
        if self._question.options:
            return self._chosen_place()
        if self.meant.quantifier is Quantifier.ALL and (everything := self.meant.like(self._question.target)):
            there = frozenset(thing.id for thing in self.meant.targets())
            holds = {thing.id: (thing.id in there) is not self._question.negated for thing in everything}
            doubtful = [each.id for each in everything if each.id in there and not self._is_settled(each)]
            return self._asked_of(everything, doubtful).of_several(holds)
        finding = self._is_at_place()
        return finding.denied if self.meant.quantifier is Quantifier.NO else finding

    def _is_at_place(self) -> Finding:
        targets = self.meant.targets()
        found = best(list(filter(self._is_settled, targets)) or targets)
        if found and is_sure(found[0]):
            is_complete = self._is_settled(found[0])
            missing = "" if is_complete else f"a closer look at {_the(found[0])}"
            return Finding(NO if self._question.negated else YES, found, is_complete, missing)
        things, marks = best(self.meant.called_so()), best(self.meant.marks())
        answer = YES if self._question.negated else NO
        is_complete = bool(things and marks) and self.meant.is_certain(things[0])
        missing = self._unseen()
        if is_complete and self._question.relation is Relation.SAME_ROOM:
            # That no picture shows both tells nothing while their rooms may be the same one.
            kinds = {thing.room_kind for thing in (*things, *marks)}
            is_complete = all(map(self.meant.is_room_known, (*things, *marks))) and len(kinds) > 1
            is_complete = is_complete or self.meant.is_all_seen
            missing = "" if is_complete else "more of their rooms"
        return Finding(answer, (*things, *marks), is_complete, missing, is_absence=True)

    def _chosen_place(self) -> Finding:
        """Returns at which of two places a thing is; which one is open if it is at neither, or things are at both."""
        holding = {
            option: found
            for option in self._question.options
            if (found := self._at(option)).things and found.answer == YES
        }
        if not holding:
            return Finding("", missing=f"at which of the places it is, {' or '.join(self._question.options)}")
        option, found = next(iter(holding.items()))
        return replace(found, answer=option, is_complete=found.is_complete and len(holding) == 1)

    def _at(self, place: str) -> Finding:
        """Returns whether the thing is at a place, which is given in words: "on the table"."""
        located = NounPhrases(self._knowledge).read(place)
        asked = replace(self._question, options=(), places=located.places, room=located.room)
        return AnswerRules(asked, self._scene, self._knowledge).relation()

    def space(self) -> Finding:
        marks = best(self.meant.marks())
        if not marks:
            return self._absent_mark() or Finding("", missing="how much room is left")
        (mark,) = marks
        held = [
            fact
            for fact in self._scene.facts
            if fact.object == mark.id and fact.predicate in (words.IN, words.ON)
        ]
        is_hidden = self._question.relation is Relation.IN and self._knowledge.is_container(mark.category)
        is_seen = mark.is_surveyed and not (is_hidden and not is_looked_into(mark))
        missing = "" if is_seen else f"what is {'in' if is_hidden else 'on'} {_the(mark)}"
        return Finding(YES if len(held) <= _FREE else NO, marks, is_sure(mark) and is_seen, missing)

    def function(self) -> Finding:
        kinds = serving_kinds(self._question, self._knowledge)
        if not kinds:
            return Finding("", missing=f"what serves to {self._question.purpose or 'do this'}")
        found = self.meant.serving()
        there = [thing for thing in found if is_sure(thing) and self.meant.is_surely_there(thing)]
        sure = [thing for thing in found if is_sure(thing)][:1]
        form = self._question.answer_form
        if form is AnswerForm.YES_NO:
            if not found:
                return self._none(NO)
            shown = tuple(there[:1] or sure)
            answer = f"{YES}, {with_article((*shown, *found)[0].category)}"
            return Finding(answer, shown, is_complete=bool(there), missing="" if there else "a closer look")
        if not found:
            return Finding("", missing=self._unseen())
        thing = (sure or found)[0]
        # The stove is where soup is cooked; what it is cooked in may be somewhere else, and is what people mean.
        is_place = self._knowledge.is_portable(kinds[0]) and not self._knowledge.is_portable(thing.category)
        is_best = bool(sure) and (not is_place or self.meant.is_all_seen)
        if form is AnswerForm.ROOM:
            is_complete = is_best and self.meant.is_room_known(thing)
            return Finding(thing.room_kind, (thing,), is_complete, "" if is_complete else "more of the room")
        answer = self._place_of(thing) if form is AnswerForm.PLACE else ""
        missing = "" if is_best or not sure else f"whether there is {with_article(kinds[0])}"
        return Finding(answer or f"the {thing.category}", (thing,), is_best, missing)

    def room_kind(self) -> Finding:
        rooms = [thing.room_kind for thing in self._scene.things if thing.room_kind]
        return Finding(max(rooms, key=rooms.count, default=""), missing="more of the room")

    def unknown(self) -> Finding:
        return self._not_told("what the question asks")

    def _not_told(self, what: str) -> Finding:
        """Returns that a scene does not tell what is asked."""
        return Finding("", missing=what)

    # -- denials and texts

    def _none(self, answer: str, missing: str = "") -> Finding:
        """Returns an answer that holds if nothing of what was asked for is there."""
        if hiding := self.meant.hiding():
            return Finding(answer, best(hiding), missing=f"what is in {_the(hiding[0])}", is_absence=True)
        if surfaces := self.meant.not_looked_over():
            missing = f"what is on {_the(surfaces[0])}"
            return Finding(answer, self.meant.showing_the_room(), missing=missing, is_absence=True)
        if uncoloured := self.meant.of_unknown_colour():
            missing = f"the colour of {_the(uncoloured[0])}"
            return Finding(answer, tuple(uncoloured[:1]), missing=missing, is_absence=True)
        if undecided := self.meant.of_unknown_state():
            state = f"whether {_the(undecided[0])} is {self._question.state}"
            return Finding(answer, tuple(undecided[:1]), missing=state, is_absence=True)
        is_complete = self.meant.is_all_seen
        missing = "" if is_complete else missing or self._unseen()
        return Finding(answer, self.meant.showing_the_room(), is_complete, missing, is_absence=True)

    def _absent(self) -> Finding:
        target = self._question.target
        return self._none(f"there is no {target.text if target is not None else 'such thing'}")

    def _absent_mark(self) -> Finding | None:
        """Returns that there is no such thing as the place that the question names; None if it was seen."""
        name = self.meant.missing_mark()
        return self._none(f"there is no {name}", f"no {name} was seen yet") if name else None

    def _nothing_there(self) -> Finding:
        """Returns that nothing is at the places that the question names, which is complete once they were seen well."""
        marks = best(self.meant.marks())
        if not marks:
            return self._none(NOTHING) if self._question.room else Finding("", missing=self._unseen())
        seen_well = is_sure(marks[0]) and marks[0].is_surveyed
        return Finding(NOTHING, marks, seen_well, "" if seen_well else f"more of {_the(marks[0])}")

    def _unseen(self) -> str:
        target = self._question.target
        return f"no {target.text} was seen yet" if target is not None else "nothing that fits was seen yet"

    def _place_of(self, thing: KnownThing) -> str:
        room = f" {_in_room(thing)}" if self.meant.is_room_known(thing) else ""
        for predicate in (words.IN, words.ON, words.NEAR):
            for fact in self._scene.facts:
                if fact.predicate == predicate and thing.id in (fact.subject, fact.object):
                    if predicate != words.NEAR and fact.subject != thing.id:
                        continue
                    other = fact.object if fact.subject == thing.id else fact.subject
                    mark = self._scene.find(other)
                    if mark is not None:
                        return (
                            f"{'next to' if predicate == words.NEAR else predicate} the {mark.category}{room}"
                        )
        return _in_room(thing)


def _in_room(thing: KnownThing) -> str:
    return f"in the {thing.room_kind}" if thing.room_kind else ""


def _the(thing: KnownThing) -> str:
    return f"the {thing.category}"


_RULES: Mapping[QuestionKind, Callable[[AnswerRules], Finding]] = {
    QuestionKind.EXISTENCE: AnswerRules.existence,
    QuestionKind.COUNT: AnswerRules.count,
    QuestionKind.ATTRIBUTE: AnswerRules.attribute,
    QuestionKind.STATE: AnswerRules.state,
    QuestionKind.WHERE: AnswerRules.where,
    QuestionKind.ROOM_OF: AnswerRules.room_of,
    QuestionKind.WHAT_IS: AnswerRules.what_is,
    QuestionKind.WHICH: AnswerRules.which,
    QuestionKind.RELATION: AnswerRules.relation,
    QuestionKind.SPACE: AnswerRules.space,
    QuestionKind.FUNCTION: AnswerRules.function,
    QuestionKind.ROOM_KIND: AnswerRules.room_kind,
    QuestionKind.KNOWLEDGE: AnswerRules.unknown,
}
