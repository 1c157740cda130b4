"""Refuses the words of a noun phrase that say which object is meant and that a camera cannot tell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from stma_ros.domains import noun_words
from stma_ros.domains.household.language import lexicon, verbs
from stma_ros.domains.household.language.common_words import COMMON_NOUNS, COMMON_WORDS
from stma_ros.domains.household.language.unread import LimitingWordError
from stma_ros.memory.category_knowledge import CategoryKnowledge

_SUBJECT = r"(?:i|we|you|he|she|they|(?:my|our) \w+)"
_HARMLESS_CLAUSE = re.compile(
    rf"\s*(?:(?:that|which|where) )?{_SUBJECT}(?: (?:have|has|had|am|are|is|was|were|just|always|also|really"
    r"|would|will|may|might|must|can|could|did|do|currently|usually|seem|to))*"
    r"(?: (?:left|lost|put|placed|dropped|forgot|forgotten|misplaced|mislaid|needs?|wants?|like to have|required?"
    r"|looking for|searching for|missing|missed|sees?|finds?|spot|own|have|has|had|got|keep|kept|stored?|asked for"
    r"|mean|meant|mentioned|talked about|talking about|after|told you about|(?<=can )use))?"
    r"(?: (?:somewhere|anywhere|around|about|there|here|behind|lying|standing|at home|down|on|in|it|so much"
    r"|badly|back))*"
)
_TELLS_WHICH = re.compile(r".* (?:own|needs?|had)(?: (?:so much|badly|here|there|at home|around|about))*")
"""Of one thing, this says why it is wanted; of several, it picks some of them: "the plates that we need"."""
_THROWN_AWAY = re.compile(
    r"\b(?:throw|toss|chuck|discard|bin|trash|get rid of|dispose of) [^.,;]*?\b(?P<thing>\w+)"
    rf" (?P<clause>(?:(?:that|which) )?{_SUBJECT} (?:own|needs?|had))(?= (?:away|out|in|into|from|and)\b|\s*[.,;]|$)"
)
PERSON = re.compile(
    r"\b(?:he|she|they|someone|somebody|everyone|everybody|(?:my|our|the) (?:\w+ )?(?:wife|husband|partner"
    r"|daughter|son|mother|father|mum|mom|dad|sister|brother|grandma|grandpa|friends?|guests?|child|children|kids?"
    r"|baby|one|man|woman|lady|neighbours?|neighbors?|boy|girl|boss|colleague|aunt|uncle|dog|cat|family)"
    r"|mum|mom|dad|granny|grandma|grandpa|daddy|mommy|mummy)\b(?!')"
)
_OTHERS = re.compile(
    r"\b(?P<owner>his|her|their) (?!(?:(?:usual|proper|right|own|correct|respective) )*(?:places?|spots?|homes?"
    r"|way)\b)"
    r"(?P<thing>(?:(?:red|blue|green|yellow|black|white|big|small|own) )*\w+)"
)


_VERBS = frozenset((*verbs.BASES, *verbs.PARTICIPLES, *verbs.GERUNDS, *lexicon.VERBS_OF_PLACE))
_WORD = re.compile(r"[a-z]{3,}")
_ADJECTIVE_ENDING = re.compile(
    r"(?:ed|ly|y|ful|less|ous|ive|able|ible|ish|al|ic|ant|ent|ary|ory|en|est|ier|ian|ese|esque|like|proof|free|sized)$"
)
_BETTER_ONE = re.compile(
    rf"\b(?:is|are) (?:[a-z]+ )??(?P<word>{'|'.join(sorted(noun_words.LIMITING_ADJECTIVES))})\b.*"
    r"\b(?P<thing>another(?: one)?|a (?:new|different) one)(?=\s*[.,;])"
)
"""Asks for one that is not so: "my mug is dirty, bring me another"."""
_OWN_PLACE = re.compile(
    r"\b(?:in|into|on|onto) (?:its|their) own (?!(?:places?|spots?|homes?)\b)(?P<thing>\w+)"
)


# A clause about the person who left or wants an object does not describe it.
_CLAUSE_ABOUT_PERSON = re.compile(
    r"\s+(?:(?:that|which|where) )?(?:(?:i|we|you|he|she|they)(?: .*)?|(?<!of )(?<!\ball )(?<!\bboth )(?:my|our"
    r"|your) \w+"
    r" (?!.*\bof\b).+)$"
)


def check_owner(text: str) -> None:
    """Raises LimitingWordError for things that are told apart by more than their looks.

    These are "her mug" in a text that has named nobody before, "in its own bowl", "another" than a dirty one, and "the
    medicine that she had" if it is thrown away.
    """
    thrown = _THROWN_AWAY.search(text)
    if thrown:
        raise LimitingWordError(thrown["clause"], thrown["thing"])
    other = _BETTER_ONE.search(text)
    if other:
        raise LimitingWordError(other["word"], "one")
    apart = _OWN_PLACE.search(text)
    if apart:
        raise LimitingWordError("own", apart["thing"])
    for match in _OTHERS.finditer(text):
        if not PERSON.search(text[: match.start()]):
            raise LimitingWordError(match["owner"], match["thing"])


def without_clause(thing: str) -> tuple[str, str]:
    """Returns a phrase without a clause about a person, and that clause."""
    match = _CLAUSE_ABOUT_PERSON.search(thing)
    return (thing[: match.start()], match[0]) if match else (thing, "")


def check_clause(clause: str, thing: str, *, many: bool) -> None:
    """Raises LimitingWordError for a relative clause that says which object is meant: "that I was reading".

    Args:
        clause: the clause; empty = none.
        thing: the object that it describes.
        many: whether it describes several objects.
    """
    if clause and not (_HARMLESS_CLAUSE.fullmatch(clause) and not (many and _TELLS_WHICH.fullmatch(clause))):
        raise LimitingWordError(clause.strip(), thing)


def check_comparison(noun: str) -> None:
    """Raises LimitingWordError for a noun phrase that compares or counts things: "second mug", "nearest lamp"."""
    compared = noun_words.COMPARING.search(noun)
    if compared:
        raise LimitingWordError(compared[0], noun.split()[-1])


def check_modifiers(knowledge: CategoryKnowledge, modifiers: Sequence[str], category: str) -> None:
    """Raises LimitingWordError for words before a known category that form no kind of it: "striped" towel.

    Args:
        knowledge: of categories.
        modifiers: words that are neither colours nor sizes.
        category: canonical name of the known category.
    """
    if modifiers and knowledge.is_room(" ".join(modifiers)):
        return  # "bedroom cupboard"
    for word in modifiers:
        is_kind = word in _kind_words(knowledge) or _may_form_kind(word)
        if not is_kind or knowledge.is_container(category) or knowledge.is_room(category):
            raise LimitingWordError(word, category)


def is_of_rare_kind(knowledge: CategoryKnowledge, seen: str, wanted: str) -> bool:
    """Whether what was seen is perhaps not wanted, since a noun says which of its kind is: "mason" jar.

    Args:
        knowledge: of categories.
        seen: canonical name of what was seen.
        wanted: canonical name of what is wanted, of which `seen` may be the last words.
    """
    if seen == wanted or knowledge.is_known(wanted) or not wanted.endswith(f" {seen}"):
        return False
    known = _kind_words(knowledge)
    return any(word not in known and _may_form_kind(word) for word in wanted.removesuffix(seen).split())


def _may_form_kind(word: str) -> bool:
    """Whether a word may be a noun that forms a kind with the one after it, and is for sure no adjective: "lawn" chair;
    most words that are not common are such nouns: "mason" jar."""
    if word in COMMON_WORDS or word in noun_words.MATERIALS or word in noun_words.LIMITING_ADJECTIVES:
        return word in COMMON_NOUNS
    return bool(_WORD.fullmatch(word)) and word not in _VERBS and not _ADJECTIVE_ENDING.search(word)


@lru_cache(maxsize=8)
def _kind_words(knowledge: CategoryKnowledge) -> frozenset[str]:
    """Returns the nouns that form names of common kinds: "coffee" in "coffee machine"."""
    names = (*knowledge.things, *knowledge.furniture, *knowledge.containers, *knowledge.rooms)
    return lexicon.KIND_WORDS | {word for name in names for word in name.split()} - noun_words.MATERIALS
