"""Answers what is asked of one thing, of all of a kind, or of any of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from stma_ros.domains.eqa.finding import NO, YES, Finding
from stma_ros.domains.eqa.meant_things import MeantThings, best, is_sure
from stma_ros.domains.eqa.question import AnswerForm, Quantifier, QuestionKind, TypedQuestion
from stma_ros.domains.eqa.scene import KnownThing
from stma_ros.memory.nouns import listed, plural

SAME = "same"
"""The value for which "are the chairs the same colour" asks."""


class ValueRules:
    """The rules for one question and the things that it means."""

    def __init__(
        self,
        question: TypedQuestion,
        meant: MeantThings,
        found: Sequence[KnownThing],
        certain: Collection[str],
    ) -> None:
        """Takes a question.

        Args:
            question: with a target.
            meant: what it means.
            found: the things that it is about, at least one.
            certain: ids of those of which what is asked is certain, as far as it was seen.
        """
        assert question.target is not None
        self._question = question
        self._target = question.target
        self._meant = meant
        self._certain = certain
        # "The lamp" is rather a lamp than a floor lamp.
        alike = [thing for thing in found if thing.category == self._target.category]
        self._found = alike if alike and meant.quantifier is None else found

    def of_values(self, values: Mapping[str, str], asked: str) -> Finding:
        """Returns the answer by the values of a state or an attribute.

        Args:
            values: those that were seen, by the ids of the things.
            asked: the value for which the question asks, if it asks for one.
        """
        told = [thing for thing in self._found if thing.id in values]
        if not told:
            return Finding("", best(self._found), missing=self._value_of(self._found[0]))
        if asked == SAME:
            return self._compared(told, values)
        is_about_one = self._meant.quantifier is None
        if self._question.answer_form is AnswerForm.YES_NO:
            holds = {name: (value == asked) is not self._question.negated for name, value in values.items()}
            if not is_about_one:
                return self.of_several(holds)
            values = {name: YES if is_so else NO for name, is_so in holds.items()}
        return self._of_one(told, values) if is_about_one else self._listed(told, values)

    def of_several(self, holds: Mapping[str, bool]) -> Finding:
        """Returns whether something holds for all, any or none of the things. holds: by ids, where it is told."""
        is_of_all = self._meant.quantifier is Quantifier.ALL
        telling = [
            thing for thing in self._found if holds.get(thing.id) is not is_of_all and thing.id in holds
        ]
        answers = (NO, YES) if is_of_all or self._meant.quantifier is Quantifier.NO else (YES, NO)
        if not telling:
            return Finding(answers[1], tuple(self._found), self._are_all_told(holds), self._open(holds))
        chosen = best([thing for thing in telling if thing.id in self._certain] or telling)
        # Where it holds for some, "the lamps" may be those or the others.
        is_vague = is_of_all and self._target.quantifier is None and len(telling) < len(self._found)
        missing = f"which {plural(self._target.category)} are meant" if is_vague else ""
        return Finding(answers[0], chosen, chosen[0].id in self._certain and not is_vague, missing)

    def _of_one(self, told: Sequence[KnownThing], values: Mapping[str, str]) -> Finding:
        """Returns the value of the thing that is seen best; others of which it may be asked must have the same one."""
        (thing,) = best(told)
        agree = all(values.get(each.id) == values[thing.id] for each in filter(is_sure, self._found))
        is_complete = agree and thing.id in self._certain
        missing = "" if agree else f"which {self._target.category} is meant"
        return Finding(values[thing.id], (thing,), is_complete, missing)

    def _listed(self, told: Sequence[KnownThing], values: Mapping[str, str]) -> Finding:
        names = dict.fromkeys(values[thing.id] for thing in told)
        return Finding(listed(names), tuple(told), self._are_all_told(values), self._open(values))

    def _compared(self, told: Sequence[KnownThing], values: Mapping[str, str]) -> Finding:
        """Returns whether all things have the same value."""
        if len(told) < 2:
            return Finding("", tuple(told), missing="what it is compared with")
        if len(set(values.values())) > 1:
            return Finding(NO, tuple(told), all(thing.id in self._certain for thing in told))
        return Finding(YES, tuple(told), self._are_all_told(values), self._open(values))

    def _are_all_told(self, values: Collection[str]) -> bool:
        """Whether it is certain of all things, and no further one may be meant. values: ids of those that tell it."""
        is_certain = all(thing.id in values and thing.id in self._certain for thing in self._found)
        return is_certain and self._meant.are_all_known(self._found)

    def _open(self, values: Collection[str]) -> str:
        """Returns what would have to be seen before it is told of all things."""
        unseen = next((thing for thing in self._found if thing.id not in values), None)
        if unseen is not None:
            return self._value_of(unseen)
        return "" if self._are_all_told(values) else "whether there are more"

    def _value_of(self, thing: KnownThing) -> str:
        """Returns in words what is asked of a thing."""
        if self._question.kind is QuestionKind.ATTRIBUTE:
            return f"the {self._question.attribute} of the {thing.category}"
        return f"whether the {thing.category} is {self._question.state}"
