"""Reads the clause before a colon: a request with a placeholder, a wish for no thing, or a heading."""

from __future__ import annotations

import re
from dataclasses import dataclass

from stma_ros.domains import noun_words
from stma_ros.domains.household.language import lexicon, noun_spans, remark_limits, rewriting
from stma_ros.domains.household.language.patterns import PREPOSITION
from stma_ros.domains.household.language.request_sequence import RequestSequence
from stma_ros.domains.household.language.requests import RequestReader
from stma_ros.domains.household.language.rewriting import Rewriter
from stma_ros.domains.household.language.unread import LimitingWordError, UnreadError

_PLACEHOLDER = re.compile(
    r"\b(?:(?:these|the following|the next|a few|some|several|two|three|four|five|six|\d) (?:\w+ )?(?:things|items"
    r"|objects)|something(?: to \w+)?|the (?:groceries|shopping|goods|belongings|rest of it)|a thing|one thing"
    r"|the following|(?:these|this)(?! (?:place|room|house|flat|home|mess|kitchen|lot)\b)|all of this|(?<=bring )it"
    r"|(?<=find )it|(?<=me )it)\b"
)
_SORTING = re.compile(
    r"(?:(?:put|place|move|shift|relocate|return|sort|tidy|arrange|rearrange|organi[sz]e|straighten|do"
    r"|correct)(?: (?:up|away|out|back|round))* (?:(?:all|some|a few|several|the|these|those|this|that|my|our"
    r"|the following|a couple of|a bit of|the rest of|two|three|four|five|six|\d)(?: of)? )*(?:(?:last|few|remaining"
    r"|following|various|other|bits and|odds and) )*(?:things?|items?|objects?|stuff|bits|pieces|ends|belongings|mess"
    r"|clutter|chaos|lot|them|it|this|these|those|that|following|place|room|house|flat|home|tidying|sorting"
    r"|an? (?:[\w-]+ )?(?:tidy|tidy[ -]up|pick[ -]?up|clear[ -]up|clean[ -]?up|sort[ -]out|once-over|round of tidying))"
    r"|(?:this|here|below|the following) (?:is|are) (?:where|how) (?:(?:i|we) (?:want|like|would like|need"
    r"|keep) )?(?:everything|it all|all of it|(?:(?:the|my|our|these|those|all) )*things|stuff|these|those|them|it"
    r"|(?:the|this|our) (?:place|room|house|flat))\b(?:(?! (?:not|never|if|unless)\b).)*|(?:i|we) (?:want|need"
    r"|would like|like) (?:the|this|my|our) (?:place|room|house|flat|home|kitchen) (?:to look|to be|arranged|set up"
    r"|kept|tidied|sorted)|(?:tidy|sort|straighten)(?: (?:up|out|round|around|away))*)(?: (?:up|away|out|back|over"
    r"|around|right|properly|in order|straight|tidy|neat|sorted|for me|for us|after (?:me|us)|now|today|please"
    r"|as follows|accordingly|like (?:this|so|that)|(?:in )?this way|as listed|as described|(?:to|in|into|back to"
    r"|back in|back into) (?:their|its|the) (?:(?:proper|right|usual|correct|own|rightful|assigned) )*(?:places?|spots?"
    r"|homes?|positions?)|where (?:it|they)(?: all)? (?:belongs?|should be|should go|goes|go|lives?|ought to be"
    r"|are supposed to be|has to go|have to go)))*"
)
"""Asks for order, of things that are named with their places after the colon."""
_LIMITED = re.compile(
    r"\b(?:not(?! where)|no|never|nothing|none|if|unless|until|except|without|only|or|instead)\b"
)
_DESCRIBED = re.compile(r"\b(?:the|my|our|all|every) (?P<word>\w+) \w")
_WISHED_STUFF = re.compile(
    rf"(?:bring|put) (?:some |more |a bit of |a little )*(?P<x>(?:(?! {PREPOSITION} )[^&])+)(?: {PREPOSITION}"
    rf" (?P<place>.+))?"
)


@dataclass(frozen=True)
class HeadingReader:
    """Reads the headings of one text."""

    reader: RequestReader
    rewriter: Rewriter

    def read(self, text: str, explanation: str, sequence: RequestSequence) -> str:
        """Reads the clause before a colon, either together with its explanation or as a heading.

        Args:
            text: the clause before the colon.
            explanation: the clause after it.
            sequence: is given the requests of the clause.

        A room alone is where the requests of the sentence are.

        Returns:
            The clause with the explanation in place of its placeholder; empty if the explanation is read on its own.

        Raises:
            UnreadError: the clause asks for something that is not read.
        """
        if rewriting.is_unsupported(explanation):
            raise UnreadError(explanation)
        if self.reader.is_room_name(text):
            self.reader.go_to(text)
            return ""
        self._check_name(text)
        if rewriting.is_unsupported(text) and not self.rewriter.to_imperative(explanation):
            raise UnreadError(text)  # "fix this: the lamp on the desk"
        plain = self.rewriter.to_imperative(text)
        places = self.rewriter.add_verb(explanation)
        is_tidying = plain.startswith("tidy ") or not _PLACEHOLDER.search(text)
        if places and (_SORTING.fullmatch(text) or (is_tidying and self._is_heading(text))):
            return (
                ""  # "a few things need to be tidied away: the box in the wardrobe & the cake on the counter"
            )
        if not self.rewriter.to_imperative(explanation):
            filled = _PLACEHOLDER.sub(lambda _: explanation, text, count=1)
            if filled != text and (self.rewriter.to_imperative(filled) or not places):
                return filled
        try:
            sequence.requests.extend(self.reader.read(plain, sequence.stage))
        except LimitingWordError:
            raise
        except UnreadError as error:
            is_request = re.match(r"(?:put|open|close|switch|fill|empty) ", plain)
            purpose = self.purpose(plain)
            is_passed = purpose or remark_limits.is_intention(text) or self._is_heading(text)
            if not is_passed and (is_request or remark_limits.limits(text)):
                raise (error if plain else UnreadError(text)) from None
            self.reader.read_remark(purpose or text)  # "tidy up the kitchen: ..."
        return ""

    def _check_name(self, text: str) -> None:
        """Raises LimitingWordError for the name of a thing or room that is not understood: "the dirty kitchen: ..."."""
        if not noun_spans.is_noun_phrase(text):
            return
        try:
            self.reader.nouns.read(text)
        except LimitingWordError:
            raise
        except UnreadError:
            pass  # "the following: ..."

    def purpose(self, plain: str, *, certain: bool = False) -> str:
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

    def _is_heading(self, text: str) -> bool:
        """Whether a clause before a colon names no thing and limits nothing: "a few things need doing: ..."."""
        described = _DESCRIBED.search(text)
        if _LIMITED.search(text) or (described and described["word"] in noun_words.LIMITING_ADJECTIVES):
            return False
        return not any(self.reader.is_handled(self.reader.knowledge.canonical(word)) for word in text.split())
