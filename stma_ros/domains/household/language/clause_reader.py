"""Reads the clauses of a text in order, as requests and remarks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from stma_ros.domains.household.language import (
    complaints,
    conditions,
    either_place,
    frames,
    hints,
    ignored_remarks,
    limits,
    reasons,
    remark_limits,
    rewriting,
    second_thoughts,
    undone,
)
from stma_ros.domains.household.language.headings import HeadingReader
from stma_ros.domains.household.language.movements import MovementReader
from stma_ros.domains.household.language.patterns import AND, I_WANT, REMEDY, STATE
from stma_ros.domains.household.language.pending_condition import PendingCondition
from stma_ros.domains.household.language.remedies import Remedies
from stma_ros.domains.household.language.request import Request
from stma_ros.domains.household.language.request_sequence import RequestSequence
from stma_ros.domains.household.language.requests import RequestReader
from stma_ros.domains.household.language.rewriting import Rewriter
from stma_ros.domains.household.language.sentence import Clause
from stma_ros.domains.household.language.unread import UnreadError
from stma_ros.domains.household.language.verbless_requests import VerblessReader

_EXISTS = re.compile(r"there (?:should|must|ought to|has to) (?:still )?be ")
"""Of what the next clause asks for, this tells where it is: "there should be a lemon in the fridge, bring it"."""
_PRONOUN = re.compile(r"\b(?:it|them|they|him|her|these|those|this|that)\b|\bone(?= is\b|$)")
_IS_SAME = re.compile(r"\bthe same\b")
"""The object of a clause that leaves it out: "have a hunt round"."""
_ALL_OF_THEM = re.compile(
    rf"{AND}(?:all|both|each|every|each and every|every single)(?: one)?(?: of (?:them|these"
    rf"|those))?$"
)


_FRAGMENT = re.compile(
    rf"{STATE}|(?:back )?(?:in|on|into|onto|to|next to|beside) (?:the|my|our|its) (?:(?! with )[^&])+"
)
"""What is to become of a thing that was named alone."""
_ABOUT_IT = re.compile(
    r"(?:put|bring|take|tidy|fill|empty|find|open|close|switch on|switch off|start|stop) (?:it|them|one(?! of)|that"
    r"|those)\b"
)
_GERUND = re.compile(r"(?!(?:some|any|every|no)thing\b)\w+ing\b")
_CHANGES_IT = re.compile(r"(?:open|close|switch on|switch off|start|stop|fill|empty) (?:it|them)\b")
_VAGUE = re.compile(
    r"(?:i|we) (?:want|need|would like|feel like|am looking for) (?:something|anything) to \w+"
)
_WISH = re.compile(rf"{I_WANT}\b")
_TIDYING = re.compile(r"(?:tidy|sort|clear|clean|straighten|organi[sz]e)\b")


@dataclass
class ClauseReader:
    """Reads one text, clause by clause.

    Attributes:
        reader: of single requests.
        rewriter: of clauses.
        polite: whether the text contains "please", so that an object alone is a request ("two spoons, please").
        sequence: the requests read so far.
        topic: an object that is named before the request for it ("the dishwasher, start it"); empty = none.
        in_headed_room: whether the sentence begins with the name of a room ("the kitchen: ...").
        last_remark: the clause before, if it requests nothing; empty = it does.
        ignored: remarks that were left out.
        headings: clauses before a colon that request nothing.
        background: the clause that says only when the rest of its sentence is wanted ("when you close it, ..."); empty
            = none, or the rest has been read.
    """

    reader: RequestReader
    rewriter: Rewriter
    polite: bool = False
    sequence: RequestSequence = field(default_factory=RequestSequence)
    topic: str = ""
    in_headed_room: bool = False
    last_remark: str = ""
    ignored: list[str] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)
    background: str = ""

    def __post_init__(self) -> None:
        self._headings = HeadingReader(self.reader, self.rewriter)
        self._verbless = VerblessReader(self.reader, self.rewriter)
        self._condition = PendingCondition(self.reader)
        self._movements = MovementReader(self.reader)
        self._remedies = Remedies(self.reader, self.rewriter)

    def read(self, clauses: Sequence[Clause]) -> list[Request]:
        """Returns the requests of all clauses. Raises UnreadError."""
        carried = ""
        for clause, following in zip(clauses, (*clauses[1:], None), strict=False):
            if clause.begins_sentence:
                self._end_sentence()
                if self.in_headed_room:
                    self.reader.destination = None
                    self.in_headed_room = False
                self.reader.begin_sentence()
                self._request_topic_alone(clause.text)
            if clause.begins_sentence or clause.in_sequence:
                self.sequence.end_sentence()
            text = _ALL_OF_THEM.sub("", carried or clause.text)
            carried = ""
            focus = self.reader.mentions.focus
            self.sequence.stage += clause.in_sequence
            before = self.sequence.number
            if following is not None and following.explains:
                self.in_headed_room = self.reader.is_room_name(text)
                carried = self._read_before_colon(text, following.text)
            else:
                self._read(clause, text, following)
            if self.sequence.number > before:
                self.background = text if clause.is_background else ""
            if self.reader.mentions.focus is focus:
                self.reader.mentions.focus = ()
            self.sequence.stage += clause.leads
        self._end_sentence()
        self.sequence.end_sentence()
        requests = self.sequence.requests
        if self.topic and self.polite:
            requests.extend(self._verbless.object_alone(self.topic, self.sequence.stage))
            self.topic = ""
        if not self.topic:
            self._remedies.request(self.sequence)
        ignored_remarks.check(self.reader, self.ignored, requests)
        ignored_remarks.check_limits(self.reader, (*self.ignored, *self.headings), requests)
        if self.topic or not requests:
            raise UnreadError(self.topic or "a text without a request")
        return requests

    def _end_sentence(self) -> None:
        """Raises UnreadError if a sentence only says when something is wanted: "when you close it, be careful"."""
        self._condition.end()
        if self.background:
            raise UnreadError(self.background)

    def _request_topic_alone(self, following: str) -> None:
        """Requests an object that a polite sentence names and the next one is not about: "two spoons, please"."""
        if not self.topic or not self.polite or _PRONOUN.search(following) or _FRAGMENT.fullmatch(following):
            return
        try:
            self.sequence.requests.extend(self._verbless.object_alone(self.topic, self.sequence.stage))
            self.topic = ""
        except UnreadError:
            pass  # "my back hurts": what is named there is mentioned

    def _read_before_colon(self, text: str, explanation: str) -> str:
        """Reads the clause before a colon; returns it with its explanation if they are one request."""
        before = len(self.sequence.requests)
        whole = self._headings.read(text, explanation, self.sequence)
        if not whole and len(self.sequence.requests) == before:
            self.last_remark = text
            self.headings.append(text)
        return whole

    def _read(self, clause: Clause, text: str, following: Clause | None) -> None:
        """Reads one clause. Raises UnreadError."""
        if self.topic and _FRAGMENT.fullmatch(text):
            text, self.topic = f"{self.topic} {text}", ""  # "the mug? on the table, please"
        if second_thoughts.are_in(text) and (
            limits.PERSON.match(text) or not self.rewriter.to_imperative(text)
        ):
            raise UnreadError(text)
        if self._read_context(clause, text, following):
            return
        remedy = complaints.remedy(text, following.text if following else "")
        if REMEDY.fullmatch(text) and self.sequence.requests and not self.last_remark:
            return  # "it should be empty, see to it"
        plain = self.rewriter.to_imperative(
            reasons.remedy(self.last_remark, text) or ("" if remedy else text)
        )
        purpose = self._purpose(plain, following)
        if purpose:
            self.reader.read_remark(purpose)
            return
        said_before, self.last_remark = self.last_remark, "" if plain else text
        if plain:
            read = self.reader.read(plain, self.sequence.stage)
            if _WISH.match(text) and not all(map(self._is_thing, read)):
                raise UnreadError(text)  # "I need some flavour in my meal"
            if following is None or not _CHANGES_IT.match(self.rewriter.to_imperative(following.text)):
                either_place.check_wish(text, plain)
            either_place.check_receiver(text, [request.goal for request in read], self.reader.knowledge)
            if following is not None:
                either_place.check_sight(text, following.text)
            if _TIDYING.match(text) and not all(map(self.reader.knows, read)):
                raise UnreadError(text, "does not say what to put away")  # "sort the mess out"
            self._request(clause, text, read)
        elif (
            REMEDY.fullmatch(text)
            and following is not None
            and hints.AMBIENCE.fullmatch(said_before.removeprefix("it is "))
        ):
            return  # "it is dark here: do something about it and turn on the lamp"
        else:
            self._read_without_request(clause, text, following, remedy)

    def _read_context(self, clause: Clause, text: str, following: Clause | None) -> bool:
        """Reads a clause that says under which condition, where or why something is requested; False for others.

        Raises:
            UnreadError: the clause cannot be read, or may be a request.
        """
        if remark_limits.needs_no_thing(text):
            return True
        if remark_limits.is_event(text):
            self.reader.read_remark(text)
            self.ignored.append(text)
            return True
        condition = conditions.read(text)
        if condition is not None:
            self._condition.begin(condition, self.sequence.last)
            return True
        if following is not None and undone.action(text, following.text):
            self.last_remark = text
            return True
        if self._movements.read(text, following, self.sequence) or self._read_hint(text):
            return True
        if hints.is_exclusion(self.reader, text, self.sequence.last) or self._read_reason(text, following):
            return True
        is_apart = clause.comes_next or (
            following is not None and following.comes_first
        )  # "get it on the shelf after ..."
        is_about_next = following is not None and not is_apart and self._is_about_it(following.text)
        if not is_about_next:
            either_place.check_imperative(text)
        if following is None:
            return False
        if _EXISTS.match(text) and is_about_next:
            self.reader.read_remark(text)
            return True
        return bool(_VAGUE.fullmatch(text))

    def _read_hint(self, text: str) -> bool:
        """Adds a place or looks to the objects of the last clause ("it is on the shelf"); False for other clauses."""
        last = self.sequence.last
        is_about_remark = bool(self.last_remark) and self.reader.mentions.groups[-1:] != [
            tuple(request.phrase for request in last)
        ]
        described = None if is_about_remark else hints.described(self.reader, text, last)
        if described is not None:
            self.sequence.replace_last(described)
        return described is not None

    def _purpose(self, plain: str, following: Clause | None) -> str:
        """Returns what a wish is for that no robot can grant, if the same sentence goes on with a request for it.

        An example is "some music would be good, so turn on the radio".
        """
        goes_on = following is not None and not following.begins_sentence
        if following is None or not goes_on or not self.rewriter.to_imperative(following.text):
            return ""
        return self._headings.purpose(plain, certain=True)

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
        if remark_limits.is_about_people(text) or frames.is_conversation(text):
            return
        if remark_limits.is_intention(text):
            self.reader.read_remark(text)
        elif remedy:
            self._remedies.read(text, remedy)
        elif clause.is_background and remark_limits.is_activity(text):
            raise UnreadError(text)  # "before working out where it is, ..."
        elif not remark_limits.may_be_ignored(text, follows_request=bool(self.sequence.requests)):
            raise UnreadError(text)
        elif self._is_topic(text, following):
            self.reader.read_remark(text)
            self.topic = text
        elif self.rewriter.add_verb(text) and not remark_limits.is_statement(text, ignore_place=True):
            try:
                self._request(
                    clause,
                    text,
                    self._verbless.placement(text, self.sequence.stage, is_listed=bool(self.headings)),
                )
            except UnreadError:
                self.reader.read_remark(text)  # "a towel from the bathroom: bring it here"
                self.topic = text
        else:
            self.reader.read_remark(text)
            self.ignored.append(text)
            if reasons.tells_state(text):
                self.reader.focus()  # "the box is closed, it should be open"
            if not remark_limits.is_statement(text):
                self.topic = text

    def _read_reason(self, text: str, following: Clause | None) -> bool:
        """Reads a statement that says why the next clause asks something for its object; False for other clauses."""
        is_action = rewriting.begins_imperative(text) or _GERUND.match(text)
        if following is None or is_action:
            return False
        named = reasons.thing(text, self.rewriter.to_imperative(following.text))
        if named:
            self.reader.read_remark(named)
            self.reader.focus()
            self.last_remark = text
            if not reasons.is_general(text):
                self.topic = text  # the next clause has to request something for it
        return bool(named)

    def _is_topic(self, text: str, following: Clause | None) -> bool:
        """Whether a clause names an object that the next one places: "the pan on the stove? It goes there"."""
        if following is None or not self.rewriter.add_verb(text) or remark_limits.is_statement(text):
            return False
        return self._is_about_it(following.text)

    def _is_about_it(self, text: str) -> bool:
        """Whether a clause says what to do with a thing that was named before."""
        return bool(_ABOUT_IT.match(self.rewriter.to_imperative(text)))

    def _is_thing(self, request: Request) -> bool:
        """Whether a request is about a known kind of thing, or a particular one."""
        return self.reader.knows(request) or request.phrase.definite

    def _request(self, clause: Clause, text: str, read: Sequence[Request]) -> None:
        """Adds the requests of a clause. Raises UnreadError."""
        self._condition.check(read)
        if (
            self.topic
            and not _PRONOUN.search(text)
            and not _IS_SAME.search(self.rewriter.to_imperative(text))
        ):
            raise UnreadError(self.topic)
        self.topic = ""
        self._movements.passes_through = False
        self.sequence.add(clause, read)
