"""Reads the clauses of a text in order: requests, remarks in between, and what belongs together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from stma_ros.domains.household.goals import Goal, PlaceGoal
from stma_ros.domains.household.language import noun_phrase, rewriting, sentence, verbs
from stma_ros.domains.household.language.noun_phrase import UnreadError
from stma_ros.domains.household.language.patterns import PREPOSITION
from stma_ros.domains.household.language.requests import Request, RequestReader
from stma_ros.domains.household.language.rewriting import Rewriter
from stma_ros.domains.household.language.sentence import Clause
from stma_ros.types import vocabulary as words
from stma_ros.types.goals import ALL

_REMARK = re.compile(
    r"(?!(?:what|when|why|who|how|which|is|are|do|does|did|was|were|can|could)\b).*\b(?:i|we|you|he|she"
    r"|they|it|there|this|that"
    r"|nobody|someone|somebody|everyone|is|are|was|were|am|has|had|have|lost|forgot|left|needs?|wants?"
    r"|looks?|feels?|smells?"
    r"|loves?|likes?|got|spilled|seems?|always|thirsty|hungry|cold|dark)\b.*"
)
# What forbids something, or makes it depend on something else, is no remark that could be passed over.
_ORDER = re.compile(
    r"^(?:do not|never|no|not)\b|\b(?:must|should|shall|need|may|ought) not\b|\b(?:avoid|refrain|unless"
    r"|until|if|whether|or|except"
    r"|instead|(?:would|had|will) rather|rather than|forbidden|forbid|no need|not to|never|but|i"
    r" mean(?:t)?|on second thoughts?|scratch that|correction)\b"
    r"|\b(?:should|must|ought to|needs? (?:to|\w+ing)|(?:has|have) to(?! be$)|want|would like|make sure"
    r"|ensure)\b"
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
_PRONOUN = re.compile(r"\b(?:it|them|they|him|her|these|those|this|that)\b|\bone(?= is\b|$)")
_DETERMINED = re.compile(r"(?:the|a|an|my|our|all|every|both|two|three|four|five)\b")
_PLACEHOLDER = re.compile(
    r"\b(?:(?:these|the following|the next|a few|some|several|two|three|four|five|six|\d) (?:\w+"
    r" )?(?:things|items|objects)"
    r"|something(?: to \w+)?|the (?:groceries|shopping|goods|belongings|rest of it)|a thing|one thing|the"
    r" following|these|this|all of this|(?<=bring )it|(?<=find"
    r" )it|(?<=me )it)\b"
)
_ALL_OF_THEM = re.compile(
    rf"{sentence.AND}(?:all|both|each|every|each and every|every single)(?: one)?(?: of (?:them|these"
    rf"|those))?$"
)


_VAGUE = re.compile(
    r"(?:i|we) (?:want|need|would like|feel like|am looking for) (?:something|anything) to \w+"
)
_CONDITION = re.compile(
    r"(?:when|whenever|if|once|while|as soon as|until|till|unless|in case|provided|assuming|only)\b"
)
# What somebody else does, or did: what follows may be more of it ("I will take the mug and put it in the sink").
_BASE_FORMS = "|".join(base for base in verbs.BASES if base not in verbs.SAME_IN_THE_PAST)
_OTHERS = re.compile(
    r"(?:(?:did|do|does|can|could|will|would|should|shall|may) )?(?:i|we|he|she|they|nobody) "
    r"(?:(?:will|would|shall|can|could|may|might|already|(?:want|wants|have|has|had|need|needs) to"
    r"|(?:am |are |is )?going to|did|do|always|usually|often|never) )?(?:\w+ )?"
    rf"(?:{_BASE_FORMS}) (?:up |down |off |on |out |away )?"
    r"(?:the|a|an|my|our|it|them|all|every|some|these|those|this|that)\b"
)
_OUT_OF_PLACE = re.compile(
    r"(?P<x>.+) (?:(?:is|are) not where (?:it|they) (?:should be|belongs?|goes?|was|were)"
    rf"|(?:does|do|should|must) not (?:belong|go|be) (?P<place>{PREPOSITION} .+))"
)


@dataclass
class ClauseReader:
    """One text, clause by clause.

    stage: counts the "then"s. topic: a thing named in front of the request for it ("the dishwasher, start it").
    polite: whether the text says "please", so that a thing alone asks for it ("two spoons, please").
    """

    reader: RequestReader
    rewriter: Rewriter
    requests: list[Request] = field(default_factory=list)
    stage: int = 0
    topic: str = ""
    polite: bool = False
    passing: bool = False  # through a room, where the robot was sent just before
    latest: int = 0  # where the requests of the last clause begin
    postponed: Sequence[Request] = ()

    def read(self, clauses: Sequence[Clause]) -> list[Request]:
        """The requests of all clauses. Raises UnreadError."""
        carried = ""
        for clause, following in zip(clauses, (*clauses[1:], None), strict=False):
            said = _ALL_OF_THEM.sub("", carried or clause.text)
            carried = ""
            self.stage += clause.in_sequence
            if following is not None and following.explains:
                carried = self._explained(said, following.text)
            else:
                self._read(clause, said, following)
            self.stage += clause.leads
        self.requests.extend(self.postponed)
        if self.topic and self.polite:
            self.requests.extend(self._handed(self.topic))
            self.topic = ""
        if self.topic or not self.requests:
            raise UnreadError(self.topic or "a text without a request")
        return self.requests

    def _explained(self, said: str, explanation: str) -> str:
        """What comes before a colon is read with what comes after it, or as a mere heading of it."""
        if rewriting.beyond(explanation):
            raise UnreadError(explanation)
        if not self.rewriter.plain(explanation):
            filled = _PLACEHOLDER.sub(lambda _: explanation, said, count=1)
            if filled != said:
                return filled
        try:
            self.requests.extend(self.reader.read(self.rewriter.plain(said), self.stage))
        except UnreadError:
            if _ORDER.search(said) or _OTHERS.match(said) or _CONDITION.match(said):
                raise
            self.reader.remark(said)  # "tidy up the kitchen: ..."
        return ""

    def _read(self, clause: Clause, said: str, following: Clause | None) -> None:
        is_last = following is None
        sent = _GO.fullmatch(said)
        if sent and sent["goes"] and self._ends_there(sent["place"], following):
            self.requests.append(self.reader.approach(sent["place"], self.stage, there=self.passing))
            self.passing = False
            return
        if sent and not is_last:
            self.reader.go(sent["place"])
            self.passing = self.reader.is_room(sent["place"])
            return
        if self._hint(said) or self._excluded(said) or (_VAGUE.fullmatch(said) and not is_last):
            return
        out_of_place = _OUT_OF_PLACE.fullmatch(said)
        if out_of_place:
            self.reader.remark(f"{out_of_place['x']} {out_of_place['place'] or ''}")
            self.topic = said  # and something is to be done about it
            return
        plain = self.rewriter.plain(said)
        if plain:
            self._request(clause, said, self.reader.read(plain, self.stage))
        elif (
            _ORDER.search(said)
            or rewriting.beyond(said)
            or _OTHERS.match(said)
            or _CONDITION.match(said)
            or rewriting.begins_imperative(said)
        ):
            raise UnreadError(said)
        elif self.rewriter.verbless(said) and not _REMARK.fullmatch(said):
            try:
                self._request(clause, said, self._placed(said))
            except UnreadError:
                self.reader.remark(said)  # "a towel from the bathroom: bring it here"
                self.topic = said
        else:
            self.reader.remark(said)
            if not _REMARK.fullmatch(said):
                self.topic = said

    def _ends_there(self, place: str, following: Clause | None) -> bool:
        """Whether the robot is sent somewhere and is not told what to do there; through a room it only passes."""
        if following is None:
            return True
        further = _GO.fullmatch(following.text)
        return further is not None and bool(further["goes"]) and not self.reader.is_room(place)

    def _request(self, clause: Clause, said: str, read: Sequence[Request]) -> None:
        """Puts the requests of a clause where they belong in the order of doing."""
        if self.topic and not _PRONOUN.search(said):
            raise UnreadError(self.topic)
        self.topic = ""
        self.passing = False
        if clause.comes_next:
            self.postponed = read
        elif clause.comes_first:
            earlier = [replace(request, stage=self.stage - 1) for request in read]
            self.requests[self.latest : self.latest] = earlier
        else:
            self.latest = len(self.requests)
            self.requests.extend(read)
            self.stage += bool(self.postponed)
            self.requests.extend(replace(request, stage=self.stage) for request in self.postponed)
            self.postponed = ()

    def _hint(self, said: str) -> bool:
        """Whether it says where the thing is that was just asked for, or what it looks like: "it is on the shelf"."""
        match = _HINT.fullmatch(said)
        latest = self.requests[self.latest :]
        if not match or not latest or re.search(r"\bnot\b", match["rest"]):
            return False
        if not all(map(self.reader.nouns.is_adjectives, match["rest"].split(sentence.AND)[1:])):
            return False
        if any(isinstance(r.goal, PlaceGoal) and r.goal.destination is not None for r in latest):
            return False
        self.requests[self.latest :] = [
            self.reader.described(request, match["rest"].replace(sentence.AND, " ")) for request in latest
        ]
        return True

    def _excluded(self, said: str) -> bool:
        """Whether it says where what was just asked for is not to be: "in the cupboard, not on the table"."""
        match = re.fullmatch(rf"not (?P<place>{PREPOSITION} (?:the|my|our|a) [^&]+)", said)
        goals = [request.goal for request in self.requests[self.latest :]]
        if match is None or not goals:
            return False
        other = noun_phrase.take_apart(f"thing {match['place']}")[1][0][1]
        return not self.reader.lists.is_room(other) and all(
            isinstance(goal, PlaceGoal) and goal.destination is not None and goal.relation != words.IN_ROOM
            for goal in goals
        )

    def _handed(self, said: str) -> tuple[Request, ...]:
        """A thing and a courtesy, without a verb: "two spoons, please". Raises UnreadError."""
        requests = self.reader.read(f"bring {said}", self.stage)
        knowledge = self.reader.knowledge
        for goal in (request.goal for request in requests):
            if (
                not knowledge.knows(goal.what.category)
                or not knowledge.is_portable(goal.what.category)
                or not _fetched(goal, said)
            ):
                raise UnreadError(said)
        return requests

    def _placed(self, said: str) -> tuple[Request, ...]:
        """Things and a place, without a verb: understood where the one can be put in or on the other."""
        requests = self.reader.read(self.rewriter.verbless(said), self.stage)
        knowledge = self.reader.knowledge
        towards = re.search(r"\b(?:to|into|onto)\b", said)
        for goal in (request.goal for request in requests):
            named = knowledge.is_known(goal.what.category) or _DETERMINED.match(said)
            fits = isinstance(goal, PlaceGoal) and (towards or goal.relation in (words.IN, words.ON))
            if not (named and fits and knowledge.is_portable(goal.what.category)):
                raise UnreadError(said)
        return requests


def _fetched(goal: Goal, said: str) -> bool:
    """Whether it is a thing, or so many of them, and no mere word: "apples" may be any number of them."""
    return goal.what.place is None and (goal.count != ALL or bool(_DETERMINED.match(said)))
