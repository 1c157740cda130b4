"""Reads the clauses of a text in order, as requests and remarks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from stma_ros.domains.household.goals import Goal, PlaceGoal, StateGoal
from stma_ros.domains.household.language import (
    complaints,
    conditions,
    lexicon,
    noun_phrase,
    reasons,
    remark_limits,
    rewriting,
    sentence,
)
from stma_ros.domains.household.language.conditions import Condition
from stma_ros.domains.household.language.patterns import I_WANT, PARTICIPLE, PREPOSITION, REMEDY, STATE
from stma_ros.domains.household.language.politeness import without_politeness
from stma_ros.domains.household.language.requests import Request, RequestReader
from stma_ros.domains.household.language.rewriting import Rewriter
from stma_ros.domains.household.language.sentence import Clause
from stma_ros.domains.household.language.unread import LimitingWordError, UnreadError
from stma_ros.types import vocabulary as words
from stma_ros.types.goals import ALL

_REMARK = re.compile(
    r"(?!(?:what|when|why|who|how|which|is|are|do|does|did|was|were|can|could)\b).*\b(?:i|we|you|he|she"
    r"|they|it|there|this|that"
    r"|nobody|someone|somebody|everyone|is|are|was|were|am|has|had|have|lost|forgot|left|needs?|wants?"
    r"|looks?|feels?|smells?"
    r"|loves?|likes?|got|spilled|seems?|always|thirsty|hungry|cold|dark|ended|went|came|stood|sat|lay|fell"
    r"|stands?|lies"
    r"|hurts?|aches?|comes|arrives?|leaves|visits?|returns|works?|starts|begins|rings|calls|stinks|broke|sits?|hangs?|turned|landed|does|did|do|can|could|will|would|may|might|be|been)\b.*"
)
_PLACE_OF_DESTINATION = re.compile(
    rf"(?P<placed>(?:^|& )(?:(?! that | which )[^&])*? {PREPOSITION} [^&]+?) (?:that|which) (?:is"
    rf"|are)(?= {PREPOSITION} )"
)
_GO = re.compile(
    r"(?:(?P<goes>go|walk|head|drive|move|run|come|proceed|nip|pop|hop|return|travel|step)(?: over| back| down|"
    r" up)? (?:to|into|in)"
    r"|(?:look|have a look|check) (?:in|into|inside|on|at)) (?P<place>(?:(?! for ).)+)"
)
_HINT = re.compile(
    r"(?:it|they|that|this|one)(?: (?:is|are|was|were|should be|may be|might be|must be|could be|ought to"
    r" be|can be|lies|lie|stands"
    r"|sits|hangs))(?: (?:probably|usually|perhaps|maybe|still|likely|lying|standing|kept|hiding|found"
    r"|somewhere))* (?P<rest>.+)"
)
_EXISTS = re.compile(r"there (?:should|must|ought to|has to) (?:still )?be ")
"""Of what the next clause asks for, this tells where it is: "there should be a lemon in the fridge, bring it"."""
_LIMITED = re.compile(r"\b(?:not|no|never|nothing|none|if|unless|until|except|without|only|or|instead)\b")
_WISHED_STUFF = re.compile(
    rf"(?:bring|put) (?:some |more |a bit of |a little )*(?P<x>(?:(?! {PREPOSITION} )[^&])+)(?: {PREPOSITION} (?P<place>.+))?"
)
_TO_BE_CHANGED = re.compile(rf"\w+ (?:should|must|ought to) be (?:{STATE}|{PARTICIPLE}(?: on| off)?)")
_PRONOUN = re.compile(r"\b(?:it|them|they|him|her|these|those|this|that)\b|\bone(?= is\b|$)")
_DETERMINED = re.compile(r"(?:the|a|an|my|our|all|every|both|two|three|four|five)\b")
_PLACEHOLDER = re.compile(
    r"\b(?:(?:these|the following|the next|a few|some|several|two|three|four|five|six|\d) (?:\w+"
    r" )?(?:things|items|objects)"
    r"|something(?: to \w+)?|the (?:groceries|shopping|goods|belongings|rest of it)|a thing|one thing|the"
    r" following|(?:these|this)(?! (?:place|room|house|flat|home|mess|kitchen|lot)\b)|all of this|(?<=bring )it"
    r"|(?<=find"
    r" )it|(?<=me )it)\b"
)
_TIDYING_OF_SOME = re.compile(rf"tidy (?:{_PLACEHOLDER.pattern})")
_ALL_OF_THEM = re.compile(
    rf"{sentence.AND}(?:all|both|each|every|each and every|every single)(?: one)?(?: of (?:them|these"
    rf"|those))?$"
)


_OF_PEOPLE = re.compile(r"(?:i|we|he|she|they|nobody|no one|(?:some|every)(?:one|body)|(?:my|our) \w+)\b")
_GET = re.compile(
    rf"(?!.* (?:{STATE}|{PARTICIPLE})(?: (?:on|off))?$)"
    r"(?:get|getting) (?!me\b|us\b|rid\b)(?:(?! (?:from|out of|off|for|to|into|onto|inside|back|over|out|and"
    r"|that|which) )[^&])+?"
    r" (?:on|in) (?:the|my|our) (?:(?! (?:to|into|onto|for|and) )[^&])+"
)
"""To get the mug on the table is to take it from there, or to bring it there."""
_VAGUE = re.compile(
    r"(?:i|we) (?:want|need|would like|feel like|am looking for) (?:something|anything) to \w+"
)
_WISH = re.compile(rf"{I_WANT}\b")
_TIDYING = re.compile(r"(?:tidy|sort|clear|clean|straighten|organi[sz]e)\b")
_AMBIENCE = re.compile(
    r"(?:(?:so|very|too|really|rather|quite|getting|a bit|a little|terribly) )*(?:cold|hot|warm|dark|late|early|loud"
    r"|noisy|bright|stuffy|freezing|chilly|raining|sunny|windy|time|urgent|important|enough|fine|ok|okay|cool)"
    r"(?: (?:in )?here| outside| inside| in (?:the|my|our) \w+(?: room)?)?"
)


@dataclass
class ClauseReader:
    """Reads one text, clause by clause.

    Attributes:
        reader: of single requests.
        rewriter: of clauses.
        requests: read so far.
        stage: number of "then" so far.
        topic: an object that is named before the request for it ("the dishwasher, start it"); empty = none.
        polite: whether the text contains "please", so that an object alone is a request ("two spoons, please").
        passes_through: whether the previous clause sends the robot to a room.
        last_start: index of the first request of the last clause.
        postponed: requests that come after the others of their sentence.
        last_remark: the clause before, if it requests nothing; empty = it does.
        remedies: imperatives that end the states of which the text complains.
        ignored: remarks that were left out.
        condition: under which the requests of this sentence are made; None = none.
        meets_condition: whether a request of this sentence asks for what the condition is about.
    """

    reader: RequestReader
    rewriter: Rewriter
    requests: list[Request] = field(default_factory=list)
    stage: int = 0
    topic: str = ""
    polite: bool = False
    passes_through: bool = False
    last_start: int = 0
    postponed: Sequence[Request] = ()
    last_remark: str = ""
    remedies: list[str] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    condition: Condition | None = None
    meets_condition: bool = False

    def read(self, clauses: Sequence[Clause]) -> list[Request]:
        """Returns the requests of all clauses. Raises UnreadError."""
        carried = ""
        for clause, following in zip(clauses, (*clauses[1:], None), strict=False):
            if clause.begins_sentence:
                self._end_condition()
                self._request_topic_alone(clause.text)
            if clause.begins_sentence or clause.in_sequence:
                self._carry_out_postponed()
            text = _ALL_OF_THEM.sub("", carried or clause.text)
            carried = ""
            focus = self.reader.mentions.focus
            self.stage += clause.in_sequence
            if following is not None and following.explains:
                carried = self._read_before_colon(text, following.text)
            else:
                self._read(clause, text, following)
            if self.reader.mentions.focus is focus:
                self.reader.mentions.focus = ()
            self.stage += clause.leads
        self._end_condition()
        self._carry_out_postponed()
        if self.topic and self.polite:
            self.requests.extend(self._read_without_verb(self.topic))
            self.topic = ""
        if not self.topic:
            self._request_remedies()
        self._check_ignored()
        if self.topic or not self.requests:
            raise UnreadError(self.topic or "a text without a request")
        return self.requests

    def _check_ignored(self) -> None:
        """Raises UnreadError for a remark on a certain thing that no request is about: it may be one, unread."""
        named = {name for request in self.requests for name in _names(request.goal)}
        for remark in self.ignored:
            if _OF_PEOPLE.match(remark):
                continue
            for noun in re.findall(r"\bthe ((?:[\w-]+ )?[\w-]+)", remark):
                words_of = noun.split()
                found = [self.reader.knowledge.canonical(w) for w in (noun, words_of[0], words_of[-1])]
                if any(map(self._is_handled, found)) and not named & set(found):
                    raise UnreadError(remark)

    def _is_handled(self, category: str) -> bool:
        """Whether requests can be about a category, rather than a room or a living being."""
        return self.reader.knowledge.is_known(category) and not self.reader.knowledge.is_room(category)

    def _request_topic_alone(self, following: str) -> None:
        """Requests an object that a polite sentence names and the next one is not about: "two spoons, please"."""
        if not self.topic or not self.polite or _PRONOUN.search(following):
            return
        try:
            self.requests.extend(self._read_without_verb(self.topic))
            self.topic = ""
        except UnreadError:
            pass  # "my back hurts": what is named there is mentioned

    def _request_remedies(self) -> None:
        """Requests to end the states of which the text complains, except those of things it has a request for."""
        for remedy in self.remedies:
            known = {request.phrase.what for request in self.requests}
            read = self.reader.read(remedy, self.stage)
            self.requests.extend(request for request in read if request.phrase.what not in known)

    def _read_before_colon(self, text: str, explanation: str) -> str:
        """Reads the clause before a colon, either together with its explanation or as a heading.

        Returns:
            The clause with the explanation in place of its placeholder; empty if the explanation is read on its own.
        """
        if rewriting.is_unsupported(explanation):
            raise UnreadError(explanation)
        heads_placements = _TIDYING_OF_SOME.fullmatch(
            self.rewriter.to_imperative(text)
        ) and self.rewriter.add_verb(explanation)
        if not self.rewriter.to_imperative(explanation) and not heads_placements:
            filled = _PLACEHOLDER.sub(lambda _: explanation, text, count=1)
            if filled != text and (self.rewriter.to_imperative(filled) or not self.rewriter.add_verb(explanation)):
                return filled
        if heads_placements:
            return (
                ""  # "a few things need to be tidied away: the box in the wardrobe & the cake on the counter"
            )
        try:
            self.requests.extend(self.reader.read(self.rewriter.to_imperative(text), self.stage))
        except LimitingWordError:
            raise
        except UnreadError:
            plain = self.rewriter.to_imperative(text)
            is_request = re.match(r"(?:put|open|close|switch|fill|empty) ", plain)
            purpose = self._purpose(plain)
            is_passed = purpose or remark_limits.is_intention(text) or self._is_heading(text)
            if not is_passed and (is_request or remark_limits.limits(text)):
                raise
            self.last_remark = text
            self.reader.read_remark(purpose or text)  # "tidy up the kitchen: ..."
        return ""

    def _is_heading(self, text: str) -> bool:
        """Whether a clause before a colon names no thing and limits nothing: "a few things need doing: ..."."""
        return not _LIMITED.search(text) and not any(
            self._is_handled(self.reader.knowledge.canonical(word)) for word in text.split()
        )

    def _purpose(self, plain: str, *, certain: bool = False) -> str:
        """Returns the place in a wish for no thing ("some fresh air in the bedroom: ..."), or the wish.

        Args:
            plain: imperative of the wish.
            certain: whether it must be known that no robot can bring what is wished.
        """
        wished = _WISHED_STUFF.fullmatch(plain)
        if wished is None:
            return ""
        noun = wished["x"].split()[-1]
        if certain:
            is_thing = noun not in lexicon.NOT_PORTABLE
        else:
            is_thing = self.reader.knowledge.knows(self.reader.knowledge.canonical(noun))
        return "" if is_thing else wished["place"] or wished["x"]

    def _read(self, clause: Clause, text: str, following: Clause | None) -> None:
        is_last = following is None
        condition = conditions.read(text)
        if condition is not None:
            self._read_condition(condition)
            return
        movement = _GO.fullmatch(text)
        if movement and movement["goes"] and self._is_final_destination(movement["place"], following):
            self.requests.append(
                self.reader.approach(movement["place"], self.stage, in_last_room=self.passes_through)
            )
            self.passes_through = False
            return
        if movement and not is_last:
            self.reader.go_to(movement["place"])
            self.passes_through = self.reader.is_room(movement["place"])
            return
        if self._read_hint(text) or self._is_exclusion(text) or (_VAGUE.fullmatch(text) and not is_last):
            return
        if self._read_reason(text, following):
            return
        if following is not None and complaints.undone(text, following.text):
            self.last_remark = text
            return
        if following is not None and _EXISTS.match(text) and self._is_about_it(following.text):
            self.reader.read_remark(text)
            return
        if _GET.fullmatch(text) and not (following and self._is_about_it(following.text)):
            raise UnreadError(
                text,
                "may say where a thing is, or where to put it",
                "Say 'from' before the present place, or 'put'.",
            )
        remedy = complaints.remedy(text, following.text if following else "")
        plain = self.rewriter.to_imperative(
            reasons.remedy(self.last_remark, text) or ("" if remedy else text)
        )
        if (
            following is not None
            and not following.begins_sentence
            and self.rewriter.to_imperative(following.text)
        ):
            purpose = self._purpose(plain, certain=True)
            if purpose:
                self.reader.read_remark(purpose)  # "some music would be good, so turn on the radio"
                return
        said_before, self.last_remark = self.last_remark, "" if plain else text
        if plain:
            read = self.reader.read(plain, self.stage)
            if _WISH.match(text) and not all(map(self._is_thing, read)):
                raise UnreadError(text)  # "I need some flavour in my meal"
            if _TIDYING.match(text) and not all(map(self.reader.knows, read)):
                raise UnreadError(text, "does not say what to put away")  # "sort the mess out"
            self._request(clause, text, read)
        elif following is not None and REMEDY.fullmatch(text) and _AMBIENCE.fullmatch(said_before.removeprefix("it is ")):
            return  # "it is dark here: do something about it and turn on the lamp"
        elif not (REMEDY.fullmatch(text) and self.requests and not said_before):
            self._read_without_request(
                clause, text, following, remedy
            )  # otherwise "it should be empty, see to it"

    def _read_without_request(self, clause: Clause, text: str, following: Clause | None, remedy: str) -> None:
        """Reads a clause that is no request, or names objects and a place without a verb.

        Args:
            clause: the clause.
            text: its words.
            following: the next clause; None = there is none.
            remedy: what the clause complains of, as an imperative; empty = of nothing.

        Raises:
            UnreadError: the clause cannot be ignored.
        """
        if remark_limits.is_about_people(text):
            return
        if remark_limits.is_intention(text):
            self.reader.read_remark(text)
        elif remedy:
            self._read_complaint(text, remedy)
        elif not remark_limits.may_be_ignored(text, follows_request=bool(self.requests)):
            raise UnreadError(text)
        elif self._is_topic(text, following):
            self.reader.read_remark(text)
            self.topic = text
        elif self.rewriter.add_verb(text) and not _REMARK.fullmatch(
            _PLACE_OF_DESTINATION.sub(r"\g<placed>", text)
        ):
            try:
                self._request(clause, text, self._read_placement(text))
            except UnreadError:
                self.reader.read_remark(text)  # "a towel from the bathroom: bring it here"
                self.topic = text
        else:
            self.reader.read_remark(text)
            self.ignored.append(text)
            if not _REMARK.fullmatch(text):
                self.topic = text

    def _read_complaint(self, text: str, remedy: str) -> None:
        """Reads a statement of how something wrongly is, which a text that requests nothing else asks to end."""
        imperative = self.rewriter.to_imperative(without_politeness(remedy))
        if not imperative:
            raise UnreadError(text)
        self.reader.read_remark(re.sub(r"^(?:switch (?:on|off)|\w+) ", "", imperative))
        self.remedies.append(imperative)

    def _read_reason(self, text: str, following: Clause | None) -> bool:
        """Reads a statement that says why the next clause asks something for its object; False for other clauses."""
        if following is None or rewriting.begins_imperative(text):
            return False
        named = reasons.thing(text, self.rewriter.to_imperative(following.text))
        if named:
            self.reader.read_remark(named)
            self.reader.focus()
            self.last_remark = text
            self.topic = text  # the next clause has to request something for it
        return bool(named)

    def _is_topic(self, text: str, following: Clause | None) -> bool:
        """Whether a clause names an object that the next one places: "the pan on the stove? It goes there"."""
        if following is None or not self.rewriter.add_verb(text) or _REMARK.fullmatch(text):
            return False
        return bool(re.match(r"put (?:it|them|that|those) ", self.rewriter.to_imperative(following.text)))

    def _is_about_it(self, text: str) -> bool:
        """Whether a clause says what to do with a thing that was named before."""
        return bool(
            re.match(r"(?:put|bring|take|tidy|fill|empty|find) (?:it|them|one)\b", self.rewriter.to_imperative(text))
        )

    def _is_thing(self, request: Request) -> bool:
        """Whether a request is about a known kind of thing, or a particular one."""
        return self.reader.knows(request) or request.phrase.definite

    def _is_final_destination(self, place: str, following: Clause | None) -> bool:
        """Whether the robot is sent to a place without a request there; a room before another place is not final."""
        if following is None:
            return True
        next_destination = _GO.fullmatch(following.text)
        return (
            next_destination is not None and bool(next_destination["goes"]) and not self.reader.is_room(place)
        )

    def _request(self, clause: Clause, text: str, read: Sequence[Request]) -> None:
        """Adds the requests of a clause in the order in which they have to be carried out."""
        if self.condition is not None:
            self._check_condition(self.condition, read)
        if self.topic and not _PRONOUN.search(text):
            raise UnreadError(self.topic)
        self.topic = ""
        self.passes_through = False
        if clause.comes_next:
            self.postponed = (*self.postponed, *read)
        elif clause.comes_first:
            earlier = [replace(request, stage=self.stage - 1) for request in read]
            self.requests[self.last_start : self.last_start] = earlier
        else:
            self.last_start = len(self.requests)
            self.requests.extend(read)

    def _carry_out_postponed(self) -> None:
        """Adds the requests that come after the others of the sentence that ends."""
        self.stage += bool(self.postponed)
        self.requests.extend(replace(request, stage=self.stage) for request in self.postponed)
        self.postponed = ()

    def _read_condition(self, condition: Condition) -> None:
        """Reads a condition on a state, before its request or after it. Raises UnreadError."""
        if not condition.comes_first:
            self._check_condition(condition, self.requests[self.last_start :])
            return
        if not self.reader.mentions.is_pronoun(condition.thing):
            self.reader.read_remark(condition.thing)
        self.condition, self.meets_condition = condition, False

    def _check_condition(self, condition: Condition, requests: Sequence[Request]) -> None:
        """Raises UnreadError unless requests ask for nothing but the opposite of the state in a condition."""
        self.meets_condition = True
        for request in requests:
            is_wanted = isinstance(request.goal, StateGoal) and request.goal.state == condition.wanted
            if not is_wanted or not self.reader.is_about(condition.thing, request):
                raise condition.error
        if len(requests) != 1:
            raise condition.error

    def _end_condition(self) -> None:
        """Ends the sentence of a condition. Raises UnreadError if no request was made under it."""
        if self.condition is not None and not self.meets_condition:
            raise self.condition.error
        self.condition = None

    def _read_hint(self, text: str) -> bool:
        """Adds a place or looks to the objects of the last clause ("it is on the shelf"); False for other clauses."""
        match = _HINT.fullmatch(text)
        last = self.requests[self.last_start :]
        if (
            not match
            or not last
            or self._is_about_remark()
            or re.search(r"\bnot\b", match["rest"])
            or _TO_BE_CHANGED.fullmatch(text)
            or _AMBIENCE.fullmatch(match["rest"])
        ):
            return False
        if len(last) > 1 and re.match(r"(?:it|this|that|one) (?:is|was|lies|stands|sits|hangs)\b", text):
            raise UnreadError(text)  # "bring the pen and the book. it is on the desk"
        if not all(map(self.reader.nouns.is_adjectives, match["rest"].split(sentence.AND)[1:])):
            return False
        if any(isinstance(r.goal, PlaceGoal) and r.goal.destination is not None for r in last):
            return False
        self.requests[self.last_start :] = [
            self.reader.with_description(request, match["rest"].replace(sentence.AND, " "))
            for request in last
        ]
        return True

    def _is_about_remark(self) -> bool:
        """Whether the clause before is a remark that named something else than the last request."""
        last = tuple(request.phrase for request in self.requests[self.last_start :])
        return bool(self.last_remark) and self.reader.mentions.groups[-1] != last

    def _is_exclusion(self, text: str) -> bool:
        """Whether a clause excludes another place for the last request: "in the cupboard, not on the table"."""
        match = re.fullmatch(rf"not (?P<place>{PREPOSITION} (?:the|my|our|a) [^&]+)", text)
        goals = [request.goal for request in self.requests[self.last_start :]]
        if match is None or not goals:
            return False
        other = noun_phrase.split_places(f"thing {match['place']}")[1][0][1]
        return not self.reader.lists.is_room(other) and all(
            isinstance(goal, PlaceGoal) and goal.destination is not None and goal.relation != words.IN_ROOM
            for goal in goals
        )

    def _read_without_verb(self, text: str) -> tuple[Request, ...]:
        """Reads an object without a verb in a polite text: "two spoons, please". Raises UnreadError."""
        requests = self.reader.read(f"bring {text}", self.stage)
        knowledge = self.reader.knowledge
        for goal in (request.goal for request in requests):
            if (
                not knowledge.knows(goal.what.category)
                or not self.reader.lists.is_portable(goal.what.category)
                or not _is_definite(goal, text)
            ):
                raise UnreadError(text)
        return requests

    def _read_placement(self, text: str) -> tuple[Request, ...]:
        """Reads objects and a place without a verb, if the objects can be put there. Raises UnreadError."""
        requests = self.reader.read(self.rewriter.add_verb(text), self.stage)
        knowledge = self.reader.knowledge
        has_direction = re.search(r"\b(?:to|into|onto)\b", text)
        for goal in (request.goal for request in requests):
            named = knowledge.is_known(goal.what.category) or _DETERMINED.match(text)
            fits = isinstance(goal, PlaceGoal) and (has_direction or goal.relation in (words.IN, words.ON))
            if not (named and fits and self.reader.lists.is_portable(goal.what.category)):
                raise UnreadError(text)
        return requests


def _names(goal: Goal) -> Iterator[str]:
    """Yields the categories of a goal, with those of its places and the words in them."""
    for thing in (goal.what, goal.destination if isinstance(goal, PlaceGoal) else None):
        while thing is not None:
            yield thing.category
            yield from thing.category.split()
            thing = thing.place


def _is_definite(goal: Goal, text: str) -> bool:
    """Whether a text names one object or a number of them; a bare plural such as "apples" leaves the number open."""
    return goal.what.place is None and (goal.count != ALL or bool(_DETERMINED.match(text)))
