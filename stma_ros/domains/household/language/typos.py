"""Corrects typing errors of known words, where exactly one correction can be read."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from stma_ros.domains import noun_words
from stma_ros.domains.household.language import lexicon, verbs
from stma_ros.domains.household.language.common_words import COMMON_WORDS
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.nouns import plural

_GRAMMAR = (
    "the please find where bring put take from into onto next near with all both every and then in on to of off "
    "open close switch turn fill empty tidy away me my could would you can is are there what that which this these "
    "those should must shall ought may was were been needs need want wants back over here again too also maybe for "
    "not if it some any each except unless without only until before after goes belongs moves stays going like give "
    "some thing they them she he we him has have had water contents order location place maybe thats whats wheres "
    "latter former everything anything something while when once "
)
"""Words of the grammar that are corrected, besides verbs, numbers, colours and sizes."""

_USUAL = {"teh": "the", "hte": "the", "adn": "and", "nad": "and", "taht": "that", "wiht": "with", "fo": "of"}
"""Usual typing errors of words that are too short to be told otherwise."""

_MOST_TYPOS = 4
_MOST_TEXTS = 24  # tried


@dataclass(frozen=True)
class Correction:
    """A text with its typing errors corrected.

    Attributes:
        text: the corrected text.
        changes: each unknown word, with the known word in its place.
    """

    text: str
    changes: tuple[tuple[str, str], ...]

    @property
    def is_likely(self) -> bool:
        """Whether all changes are those of typing errors."""
        return all(is_likely(wrong, right) for wrong, right in self.changes)

    @property
    def remarks(self) -> tuple[str, ...]:
        return tuple(f"I read '{wrong}' as '{right}'." for wrong, right in self.changes)


def corrections(text: str, knowledge: CategoryKnowledge) -> Iterator[Correction]:
    """Yields the texts in which each unknown word that is near known ones is one of these."""
    near = {word: found for word in unknown_words(text, knowledge) if (found := near_words(word, knowledge))}
    if not near or len(near) > _MOST_TYPOS or math.prod(map(len, near.values())) > _MOST_TEXTS:
        return
    for choice in itertools.product(*near.values()):
        changes = tuple(zip(near, choice, strict=True))
        corrected = text
        for wrong, right in changes:
            corrected = re.sub(rf"(?<![\w'-]){re.escape(wrong)}(?='s\b|(?![\w'-]))", right, corrected)
        yield Correction(corrected, changes)


def unknown_words(text: str, knowledge: CategoryKnowledge) -> list[str]:
    """Returns the words of a text, in lower case, that are neither names, words of the grammar nor common words."""
    found = re.findall(r"(?<![\w'\u2019-])[a-z]+(?='s\b|(?![\w'\u2019-]))", text.lower())
    return [word for word in dict.fromkeys(found) if len(word) > 2 and not _is_word(word, knowledge)]


@lru_cache(maxsize=4096)
def _is_word(word: str, knowledge: CategoryKnowledge) -> bool:
    """Whether a word is known or common, or a form of such a word and not nearer to a name: "cleaner", "pictures"."""
    vocabulary = _known(knowledge) | COMMON_WORDS
    if (
        word in vocabulary
        or noun_words.COMPARING.fullmatch(word)
        or (word.endswith("s") and not word.endswith("ss") and word[:-1] in vocabulary)
    ):
        return True
    if not any(stem in vocabulary for stem in _stems(word)):
        return False
    return not any(
        distance(word, target) == 1 for target in _targets(knowledge) if target not in verbs.PARTICIPLES
    )


def near_common_words(word: str, knowledge: CategoryKnowledge) -> Sequence[str]:
    """Returns the common words that an unknown word may be, since they differ by one letter."""
    lengths = range(len(word) - 1, len(word) + 2)
    letters = set(word)
    known = (
        common
        for common in COMMON_WORDS | _known(knowledge)
        if len(common) in lengths and len(letters.symmetric_difference(common)) <= 2
    )
    return sorted(common for common in known if distance(word, common) == 1)


@lru_cache(maxsize=1024)
def near_words(word: str, knowledge: CategoryKnowledge) -> Sequence[str]:
    """Returns the known words that are nearest to an unknown one; empty = none is near."""
    fixed = _joined(knowledge).get(word) or _USUAL.get(word)
    if fixed:
        return (fixed,)
    near = {known: distance(word, known) for known in _targets(knowledge) if abs(len(word) - len(known)) <= 2}
    exchanged = [known for known, changes in near.items() if changes == 1 and sorted(word) == sorted(known)]
    if len(exchanged) == 1 and len(word) > 4:  # by far the most common error
        kind = knowledge.canonical(exchanged[0])
        return [
            known for known, changes in near.items() if changes == 1 and knowledge.canonical(known) == kind
        ]
    least = min(near.values(), default=3)
    if len(word) < 3 or least > (2 if len(word) >= 8 else 1):
        return ()
    return [known for known, changes in near.items() if changes == least]


def _stems(word: str) -> Iterator[str]:
    """Yields a word and the words of which it may be a form: "cleaners" is of "clean"."""
    yield word
    for ending in (
        "s",
        "es",
        "er",
        "ers",
        "or",
        "ors",
        "ing",
        "ed",
        "ly",
        "y",
        "ful",
        "less",
        "able",
        "ness",
        "en",
    ):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) > 2:
            yield stem
            yield f"{stem}e"
            if stem[-1] == stem[-2]:
                yield stem[:-1]


def is_likely(wrong: str, right: str) -> bool:
    """Whether a short word is a typing error of another one, rather than another word: "boot" is no book."""
    if wrong[0] != right[0] and sorted(wrong) != sorted(right):
        return False
    if len(wrong) > 4 or len(right) > len(wrong):
        return len(wrong) > 3 or sorted(wrong) == sorted(right)
    exchanged = len(wrong) == len(right) and sorted(wrong) == sorted(right)
    return exchanged or _has_letter_twice(wrong, right)


def distance(one: str, other: str) -> int:
    """Returns the number of insertions, deletions, replacements and exchanges of neighbours between two words."""
    rows = [list(range(len(other) + 1))]
    for i, letter in enumerate(one, start=1):
        row = [i]
        for j, another in enumerate(other, start=1):
            cost = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (letter != another))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == another:
                cost = min(cost, rows[-2][j - 2] + 1)
            row.append(cost)
        rows.append(row)
    return rows[-1][-1]


def _has_letter_twice(word: str, known: str) -> bool:
    """Whether a word is a known one with one letter doubled."""
    return known in (word[:i] + word[i + 1 :] for i in range(1, len(word)) if word[i] == word[i - 1])


@lru_cache(maxsize=8)
def _targets(knowledge: CategoryKnowledge) -> Sequence[str]:
    """Returns the words that are corrections: of names, colours, sizes, verbs, prepositions and numbers."""
    names = set(_names(knowledge)) | set(knowledge.rooms) | set(knowledge.synonyms)
    nouns = {word for name in (*names, *map(plural, names)) for word in re.findall(r"[a-z]+", name)}
    others = {
        *knowledge.colours,
        *noun_words.SIZES,
        *verbs.BASES,
        *verbs.GERUNDS,
        *verbs.PARTICIPLES,
        _GRAMMAR,
        *noun_words.NUMBERS,
    }
    return sorted(word for word in nouns | {w for other in others for w in other.split()} if len(word) > 2)


def _names(knowledge: CategoryKnowledge) -> Sequence[str]:
    return (
        *knowledge.things,
        *knowledge.furniture,
        *knowledge.containers,
        *knowledge.kinds,
        *knowledge.vessels,
    )


def _other_names(knowledge: CategoryKnowledge) -> frozenset[str]:
    """Returns the words of names that no vocabulary has: they are no typing errors, and none is corrected to them."""
    names = (*knowledge.portables, *knowledge.living, *knowledge.places)
    return frozenset(word for name in names for word in re.findall(r"[a-z]+", name))


@lru_cache(maxsize=8)
def _joined(knowledge: CategoryKnowledge) -> Mapping[str, str]:
    """Returns names of two words by what they are when the space is left out: "livingroom"."""
    names = (*_names(knowledge), *knowledge.rooms, *knowledge.synonyms)
    return {name.replace(" ", ""): name for name in names if " " in name and name.replace(" ", "").isalpha()}


@lru_cache(maxsize=8)
def _known(knowledge: CategoryKnowledge) -> frozenset[str]:
    """Returns the words that are never typing errors."""
    vocabulary = (
        noun_words.MATERIALS,
        noun_words.LIMITING_ADJECTIVES,
        noun_words.DROPPED_ADJECTIVES,
        lexicon.KIND_WORDS,
    )
    return (
        frozenset(_targets(knowledge))
        | _other_names(knowledge)
        | lexicon.NOT_PORTABLE
        | frozenset(itertools.chain(*vocabulary))
    )
