"""Reads corrections ("the blue mug, no wait, the red one") and contrasts ("the red mug, not the blue one")."""

from __future__ import annotations

import re
from dataclasses import dataclass

from stma_ros.domains.household.language import noun_spans, verbs
from stma_ros.domains.household.language.noun_phrase import NounPhrases
from stma_ros.domains.household.language.noun_spans import Span
from stma_ros.domains.household.language.patterns import PREPOSITION
from stma_ros.domains.household.language.politeness import without_politeness
from stma_ros.domains.household.language.quantities import NUMBER
from stma_ros.domains.household.language.rewriting import Rewriter
from stma_ros.domains.household.language.unread import UnreadError
from stma_ros.memory.nouns import is_plural, plural

_STRONG = (
    r"(?:no(?! (?:rush|hurry|one|need|worries|problem|pressure|stress|longer|more|matter)\b)|wait|hold on|hang"
    r" on|i mean|i meant|or rather|rather|make that|make it|scratch that|correction|oops|my mistake"
    r"|on second thoughts?)"
)
_WEAK = r"(?:oh|ah|sorry|pardon|actually)"
_WORD = rf"(?:{_STRONG}|{_WEAK})"
_MARK = re.compile(
    rf"(?:\s*[.,;:]\s*|\s+(?=or rather ))(?!(?:oh|ah|sorry)[\s.,;:]+(?:and|also|plus|then|another thing"
    rf"|one more thing|before i forget)\b)(?P<mark>{_WORD}(?:[\s.,;:]+{_WORD})*)(?:[\s.,;:]+|$)"
)
_CORRECTION_END = re.compile(
    rf"\s*(?:[.,;:]|\b(?:and|then)\b(?= (?:then |please )?(?:{'|'.join(verbs.BASES)})\b)|$)"
)
_CLAUSE_START = re.compile(r"(?:[.,;:]|\b(?:and|then)\b)\s*")
_ADDITION = re.compile(r"\b(?:also|too|as well|in addition)\b")
_PRONOUN = re.compile(r"\b(?:it|them|that)\b")
_SOURCES = ("from", "out of", "off", "off of")
_NOT = re.compile(
    r"\s*,?\s*(?:and |but )?(?<!do )(?<!is )(?<!are )(?<!should )(?<!must )\bnot "
    r"(?P<other>(?:the|my|our|a|an|any) [^.,;:]+?)\s*(?=[.,;:]|$)"
)
_APPOSITION = re.compile(
    r"(?:^|(?<=\. ))(?P<clause>[^.;:]*?\b(?:the|a|an|my|our|all|both|every|each|two|three|four|five)\b[^.;:]*?)"
    r"(?P<wish>, if possible,?|, ideally,?|, preferably,?|,)\s*"
    r"(?P<said>(?:the|a|an|my) (?:(?!and\b|or\b)[\w'-]+ )*?ones?(?! of\b)(?: (?!and\b|or\b)[\w'-]+)*)(?=\s*(?:[.;]"
    r"|$)|,?"
    r" (?:in|on|into|onto|to|from|please)\b)"
)
_STARTED = re.compile(r"\b(?:the|my|our|an?) (?:[\w-]+ )?[\w-]+$")
_MOST = 4  # corrections of one text

_REMEDY = "Say the whole task again as it is meant."


@dataclass(frozen=True)
class Corrections:
    """Applies the corrections of a normalised text to what they correct."""

    rewriter: Rewriter
    nouns: NounPhrases

    def applied(self, text: str) -> str:
        """Returns the text as if it had been said right at once.

        Raises:
            UnreadError: it is not clear what a correction stands for.
        """
        for _ in range(_MOST):
            corrected = self._corrected(text)
            if corrected == text:
                break
            text = corrected
        return self._without_contrasts(self._with_appositions(text))

    def _corrected(self, text: str) -> str:
        """Returns the text with its first correction applied."""
        for match in _MARK.finditer(text):
            before, after = text[: match.start()], text[match.end() :]
            end = _CORRECTION_END.search(after)
            assert end is not None  # the end of the text matches
            said, rest = after[: end.start()].strip(), after[end.start() :]
            strong = re.search(rf"\b{_STRONG}\b", match["mark"]) is not None
            last = self._last_clause(before)
            corrected = self._correct(
                before[last:], said, strong=strong, alone=not before[:last].strip(" .,;:")
            )
            if corrected:
                if re.match(rf"\s*, (?:{PREPOSITION} )", rest):
                    rest = rest.replace(",", "", 1)
                return f"{before[:last]}{corrected}{rest}"
            in_sentence = "." not in text[match.start() : match.start("mark")]
            if strong or (in_sentence and noun_spans.names_only(_without_courtesy(said))):
                raise UnreadError(
                    f"{match['mark']} {said}".strip(), "is a correction that I cannot place", _REMEDY
                )
        return text

    def _last_clause(self, text: str) -> int:
        """Returns the index at which the last clause with a request begins."""
        starts = [match.end() for match in _CLAUSE_START.finditer(text)]
        for start in reversed(starts):
            if self._imperative(text[start:]):
                return start
        return 0

    def _imperative(self, clause: str) -> str:
        return self.rewriter.to_imperative(without_politeness(clause.strip(" .,;:")))

    def _correct(self, clause: str, said: str, *, strong: bool, alone: bool) -> str:
        """Returns the corrected clause; empty = what was said corrects nothing in it.

        Args:
            clause: the last clause before the correction.
            said: the correction.
            strong: whether the words before the correction always announce one.
            alone: whether the clause is the only request so far.
        """
        if re.fullmatch(NUMBER, said):
            counted = [span for span in noun_spans.noun_phrases(clause) if noun_spans.number(span.text)]
            number = noun_spans.number(counted[0].text) if len(counted) == 1 else None
            if number:
                return counted[0].replaced(clause, number.replaced(counted[0].text, said))
            any_one = [span for span in noun_spans.noun_phrases(clause) if re.match(r"an? ", span.text)]
            if len(any_one) != 1:
                return ""
            return any_one[0].replaced(clause, plural(re.sub(r"^an?", said, any_one[0].text)))
        started = _STARTED.search(clause)
        if started and self.nouns.is_adjectives(started[0]) and noun_spans.noun_phrases(said)[:1]:
            return clause[: started.start()] + said  # "the red, sorry, the green cushion"
        preposition = noun_spans.preposition(said)
        if preposition:
            places = noun_spans.places(clause)
            same = len(places) == 1 and (preposition in _SOURCES) == (
                noun_spans.preposition(places[0].text) in _SOURCES
            )
            return places[0].replaced(clause, said) if same else ""
        if noun_spans.is_noun_phrase(said) or re.match(r"(?:the|my|our) (?:\w+ )?ones? ", said):
            span = self._meant(clause, said)
            return span.replaced(clause, self._with_noun(said, span.text)) if span else ""
        return self._replaced_request(clause, said, strong=strong, alone=alone)

    def _replaced_request(self, clause: str, said: str, *, strong: bool, alone: bool) -> str:
        said = _without_courtesy(said)
        new, old = self._imperative(said), self._imperative(clause)
        if not new:
            return ""
        if not old or _ADDITION.search(said) or not (_verb(new) == _verb(old) or (strong and alone)):
            if _ADDITION.search(said) and not strong:
                return ""
            raise UnreadError(said, "may correct what was said before, or add to it", _REMEDY)
        objects = noun_spans.noun_phrases(clause)
        if not _PRONOUN.search(said):
            return said
        return _PRONOUN.sub(objects[0].text, said, count=1) if objects else ""

    def _meant(self, clause: str, said: str) -> Span | None:
        """Returns the only noun phrase of a clause that another one can stand for; None = there is not one."""
        spans = noun_spans.noun_phrases(clause)
        knowledge = self.nouns.knowledge
        if re.search(r"\bones?\b", said):
            told = noun_spans.attributes(said, knowledge)
            alike = [span for span in spans if noun_spans.attributes(span.text, knowledge) & told]
            spans = spans if len(spans) == 1 else alike
        else:
            kind = self._class_of(said)
            spans = [span for span in spans if self._class_of(span.text) == kind]
        return spans[0] if len(spans) == 1 else None

    def _class_of(self, span: str) -> str:
        knowledge = self.nouns.knowledge
        category = knowledge.canonical(noun_spans.noun(span, knowledge))
        if knowledge.is_room(category):
            return "room"
        return "furniture" if knowledge.is_furniture(category) else "thing"

    def _with_noun(self, said: str, span: str) -> str:
        """Returns "the red mug" for "the red one" in place of "the blue mug"."""
        noun = noun_spans.noun(span, self.nouns.knowledge)
        return re.sub(r"\bones?\b", noun, said, count=1)

    def _with_all(self, said: str, span: str) -> str:
        """Returns "the two small red mugs" for "the small ones" that tells more of "the two red mugs"."""
        more = noun_spans.adjectives(span, self.nouns.knowledge)
        number = noun_spans.number(span)
        whole = re.sub(r"\b(?=ones?\b)", f"{more} " if more else "", said, count=1)
        if number is not None and noun_spans.number(whole.replace("one", "")) is None:
            whole = re.sub(r"^(\w+) ", rf"\1 {number.text} ", whole)
        return self._with_noun(whole, span)

    def _without_contrasts(self, text: str) -> str:
        """Returns the text without "not the blue one" after "the red mug", which excludes nothing more.

        Raises:
            UnreadError: an exclusion says more than the text before it.
        """
        match = _NOT.search(text)
        if match is None or not re.search(r"[,]|\band\b|\bbut\b", match[0].split("not")[0]):
            return text
        before = text[: match.start()]
        clause = before[self._last_clause(before) :]
        span = self._meant(clause, match["other"])
        if span is None or not self._exclude(span.text, self._with_noun(match["other"], span.text)):
            raise UnreadError(
                f"not {match['other']}", "is an exception that I cannot keep", "Name what is meant instead."
            )
        return self._without_contrasts(before + text[match.end() :])

    def _with_appositions(self, text: str) -> str:
        """Returns "bring a red mug" for "bring a mug, a red one".

        Raises:
            UnreadError: it is not clear what the last part describes.
        """
        match = _APPOSITION.search(text)
        if match is None:
            return text
        start = self._last_clause(match["clause"])
        clause, said = match["clause"][start:], match["said"]
        span = self._meant(clause, said)
        knowledge = self.nouns.knowledge
        told = noun_spans.attributes(said, knowledge)
        goes_on = text[match.end() :].strip(" ,")
        contrasts = span is not None and told & noun_spans.attributes(span.text, knowledge)
        if match["wish"] == "," and contrasts and noun_spans.places(clause) and noun_spans.places(goes_on):
            return text  # "the blue mug on the table, the red one on the shelf"
        differ = span is not None and bool(re.search(r"\bones\b", said)) != (
            is_plural(span.text) or span.text.startswith(("every ", "each "))
        )
        if span is None or contrasts or differ or match["wish"] != ",":
            raise UnreadError(said, "may describe what was named before, or be another thing", _REMEDY)
        described = span.replaced(clause, self._with_all(said, span.text))
        return f"{text[: match.start() + start]}{described}{text[match.end() :]}"

    def _exclude(self, one: str, other: str) -> bool:
        """Whether nothing fits two noun phrases."""
        first, second = self.nouns.read(one).what, self.nouns.read(other).what
        if not self.nouns.knowledge.are_related(first.category, second.category):
            return True
        colours = bool(first.colours and second.colours) and not set(first.colours) & set(second.colours)
        return colours or bool(first.size and second.size and first.size != second.size)


def _without_courtesy(said: str) -> str:
    return re.sub(r" instead$", "", without_politeness(said))


def _verb(imperative: str) -> str:
    """Returns the verb of a plain imperative; opposite states have the same."""
    verb = imperative.split()[0]
    return {"close": "open", "stop": "switch", "start": "switch", "bring": "take", "empty": "fill"}.get(
        verb, verb
    )
