"""Phrases household tasks by everyday templates."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from stma_ros.evaluation.household_tasks.english import listed, pick
from stma_ros.evaluation.household_tasks.everyday.noun_phrases import (
    NounPhrase,
    bare,
    destination,
    named,
    source,
)
from stma_ros.evaluation.household_tasks.everyday.templates import Templates, Wordings
from stma_ros.evaluation.household_tasks.grouping import is_tidying, together
from stma_ros.evaluation.household_tasks.subtasks import (
    Fetch,
    Find,
    Put,
    SetState,
    SpatialRelation,
    Subtask,
)

_GREETING_SHARE, _REASON_SHARE, _CLOSING_SHARE = 0.25, 0.3, 0.25
_LINK_SHARE, _TIDY_SHARE, _WHOLE_SHARE = 0.6, 0.5, 0.45
_REQUESTS = (0.5, 0.3, 0.2)  # shares of sentences with one, two and three requests
_SHORT = 4  # most words of objects in front of the last word of an action

Group: TypeAlias = Sequence[Subtask]
"""Subtasks for one clause."""

_DOUBLED = re.compile(
    r"[^aeiou]*(?:(?<=q)u)?[aeiou][^aeiouwxy]"
)  # verbs such as "put", whose last letter is doubled


def say_everyday(rng: np.random.Generator, templates: Templates, subtasks: Sequence[Subtask]) -> str:
    """Phrases one task as people talk to a robot. Adjacent subtasks that share place or state are combined."""
    said = list(_Speaker(rng, templates).sentences(subtasks))
    opening = rng.random()
    if opening < _GREETING_SHARE:
        said[0] = pick(rng, templates.greetings) + said[0]
    elif opening < _GREETING_SHARE + _REASON_SHARE:
        said.insert(0, pick(rng, templates.reasons))
    if rng.random() < _CLOSING_SHARE:
        said.append(pick(rng, templates.closings))
    return _capitalised(" ".join(said))


@dataclass(frozen=True)
class _Clause:
    """What is said of one group of subtasks.

    Attributes:
        wordings: the templates that fit.
        fields: values of their fields.
        is_certain: whether the objects are certain ones, or all of them.
    """

    wordings: Wordings
    fields: dict[str, str]
    is_certain: bool

    def whole(self, rng: np.random.Generator) -> str:
        """Returns a sentence."""
        statements = self.wordings.statements if self.is_certain else ()
        return pick(rng, self.wordings.sentences + statements).format_map(self.fields)

    def action(self, rng: np.random.Generator) -> str:
        """Returns an action, its verbs marked."""
        is_short = len(self.fields["x"].split()) <= _SHORT
        actions = self.wordings.actions + (self.wordings.short_actions if is_short else ())
        return pick(rng, actions).format_map(self.fields)


class _Speaker:
    """Words one task with one part of the templates."""

    def __init__(self, rng: np.random.Generator, templates: Templates) -> None:
        self._rng, self._templates = rng, templates
        self._used: set[str] = set()

    def sentences(self, subtasks: Sequence[Subtask]) -> Iterator[str]:
        """Yields sentences that begin in lower case."""
        groups = together(subtasks)
        if is_tidying(subtasks) and self._rng.random() < _TIDY_SHARE:
            placed = listed([self._placed(group) for group in groups])
            yield pick(self._rng, self._templates.tidying).format(list=placed)
            return
        rest = groups
        while rest:
            said, asks, count = self._next(rest)
            if len(rest) == len(groups):
                yield said
            elif len(rest) == count and asks:
                yield self._linked(said, self._templates.last_links)
            else:
                more = self._templates.request_links if asks else ()
                yield self._linked(said, (*self._templates.links, *more))
            rest = rest[count:]

    def _next(self, groups: Sequence[Group]) -> tuple[str, bool, int]:
        """Words the first one to three groups; returns the sentence, whether it may begin with the time of its actions,
        and the number of groups."""
        if _is_about_one_vessel(groups[:2]):
            return self._state_and_put(groups[0][0], groups[1]), False, 2
        count = 1 + int(self._rng.choice(len(_REQUESTS), p=_REQUESTS))
        apart = itertools.takewhile(lambda k: not _is_about_one_vessel(groups[k : k + 2]), range(len(groups)))
        clauses = [self._clause(groups[k]) for k in itertools.islice(apart, count)]
        if len(clauses) == 1 and clauses[0].wordings.sentences and self._rng.random() < _WHOLE_SHARE:
            return clauses[0].whole(self._rng), False, 1
        actions = [clause.action(self._rng) for clause in clauses]
        return self._requested(actions), len(actions) != 2, len(actions)  # a pair has times of its own

    def _requested(self, actions: Sequence[str]) -> str:
        """Returns a sentence that asks for one or more actions."""
        if len(actions) == 1:
            fields = {"do": _base(actions[0]), "doing": _gerund(actions[0])}
            requests = self._templates.requests
            if actions[0].startswith("*go "):  # not "go and go and turn off the lamp"
                requests = tuple(request for request in requests if "go " not in request)
            return self._fresh(requests).format_map(fields)
        if len(actions) == 2:
            a, b = actions
            fields = {"a": _base(a), "a_ing": _gerund(a), "b": _base(b), "b_ing": _gerund(b)}
            return self._fresh(self._templates.pairs).format_map(fields)
        return self._fresh(self._templates.lists).format(list=listed([_base(action) for action in actions]))

    def _linked(self, said: str, links: Sequence[str]) -> str:
        return self._fresh(links) + said if self._rng.random() < _LINK_SHARE else said

    def _fresh(self, options: Sequence[str]) -> str:
        """Draws a template that the text does not contain yet, as long as there is one."""
        template = pick(self._rng, [each for each in options if each not in self._used] or options)
        self._used.add(template)
        return template

    def _state_and_put(self, subtask: Subtask, put: Group) -> str:
        """Words the filling or emptying of a vessel together with its placement."""
        assert isinstance(subtask, SetState)
        vessel = named(self._rng, self._templates, [subtask.things])
        clause = self._clause(put)
        called, by_name = ({**clause.fields, **noun.fields()} for noun in (_IT, vessel))
        # Not "pick up it and place it".
        action = pick(self._rng, [each for each in clause.wordings.actions if "{it}" not in each])
        fields = {"then": _base(action.format_map(called)), "then_x": _base(action.format_map(by_name))}
        pattern = pick(self._rng, self._templates.state_and_put[subtask.state])
        return pattern.format_map({**vessel.fields(), **fields})

    def _placed(self, group: Group) -> str:
        """Returns "the book on the desk"."""
        fields = self._clause(group).fields
        return f"{fields['x']} {fields['in_y']}"

    def _clause(self, group: Group) -> _Clause:
        first = group[0]
        things = [subtask.things for subtask in group]
        fields: dict[str, str] = {}
        match first:
            case Find():
                wordings = self._templates.find
                if (
                    first.things.place is not None
                ):  # the place is known: "where did I put it?" would be strange
                    wordings = replace(wordings, sentences=())
                if not first.things.is_definite:  # "a mug", not "one of the mugs"
                    things = [replace(first.things, names=())]
            case Fetch():
                wordings = self._templates.fetch
            case SetState():
                wordings = self._templates.states[first.state]
            case Put():
                place = first.source or first.things.place
                if place is not None:
                    things = [bare(first.things)]
                wordings = self._put(first.relation, is_from=place is not None)
                fields = destination(self._rng, self._templates, first.places, first.relation)
                fields |= source(self._rng, place) if place is not None else {}
        noun = named(self._rng, self._templates, things)
        is_certain = all(each.is_definite or each.is_all for each in things)
        return _Clause(wordings, {**noun.fields(), **fields}, is_certain)

    def _put(self, relation: SpatialRelation, *, is_from: bool) -> Wordings:
        if relation in (SpatialRelation.IN, SpatialRelation.ON):
            return self._templates.put_from if is_from else self._templates.put
        if is_from:
            return self._templates.carry_from
        carry, keep = self._templates.carry, self._templates.keep_in_room
        return carry if relation is SpatialRelation.TO else carry.joined(keep)


_IT = NounPhrase("it", "it", is_many=False, pronoun="it")


def _is_about_one_vessel(groups: Sequence[Group]) -> bool:
    """Whether a vessel is filled or emptied and then put somewhere, which is one sentence."""
    if [len(group) for group in groups] != [1, 1]:
        return False
    state, put = groups[0][0], groups[1][0]
    return (
        isinstance(state, SetState)
        and isinstance(put, Put)
        and state.things == put.things
        and not (put.source or put.things.place)
    )


def _base(action: str) -> str:
    return action.replace("*", "")


def _gerund(action: str) -> str:
    """Returns an action as a noun: "putting the mug on the table"."""
    return re.sub(r"\*(\w+)", lambda verb: _ing(verb[1]), action.removeprefix("*go and "))


def _ing(verb: str) -> str:
    if _DOUBLED.fullmatch(verb):
        return f"{verb}{verb[-1]}ing"
    return f"{verb[:-1] if verb.endswith('e') and not verb.endswith('ee') else verb}ing"


def _capitalised(text: str) -> str:
    """Begins every sentence with a capital letter."""
    return re.sub(r"(^|[.?!] )([a-z])", lambda start: start[1] + start[2].upper(), text)
