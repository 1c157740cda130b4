"""Rewrites what stands around a noun in the plainest words: "every really big mug that you will find on the desk".

Degrees of a size say no more than the size, a relative clause about people who left or find a thing tells its place,
and "all three of our mugs" are all three mugs.
"""

from __future__ import annotations

import re

from stma_ros.domains.household.language import lexicon
from stma_ros.domains.household.language.patterns import OTHER_PEOPLE, PREPOSITION
from stma_ros.domains.household.language.quantities import NUMBER

_SIZE = "|".join(sorted(lexicon.SIZES, key=len, reverse=True))
_DETERMINER = (
    r"(?:the|an?|my|our|your|his|her|their|this|that|these|those|some|any|all|both|every|each|single"
    rf"|last|{NUMBER})"
)
_DEGREE = (
    r"(?:very|really|rather|quite|pretty|fairly|so|such|ever so|extremely|exceptionally|incredibly|unbelievably"
    r"|ridiculously|absurdly|extra|super|truly|absolutely|awfully|terribly|enormously|particularly|especially"
    r"|remarkably|seriously|proper|properly|absolute|real)"
)
_OF_SIZE = re.compile(
    rf"\b(?P<before>{_DETERMINER}) (?:{_DEGREE} )+(?:great )?(?=(?:{_SIZE})\b)"
    rf"|\b(?P<great>{_DETERMINER}) great (?=(?:big|large|huge)\b)"
)
_EMPHASIS = re.compile(r"\b(?:absolutely|literally|simply|really) (?=(?:all|every|both|each)\b(?! in all\b))")
_THEM = r"(?:the|my|our|these|those)"
_ALL_OF = re.compile(rf"\b(?P<all>all|both) of (?={_THEM} )")
_ALL_NUMBER_OF = re.compile(rf"\ball (?P<number>{NUMBER}) of {_THEM} ")
_OUT_OF_ALL = re.compile(rf"\b(?P<number>{NUMBER}|any|some) (?:out )?of (?:all )?(?={_THEM} )")

_LEFT = (
    r"(?:left|put|placed|dropped|forgot|forgotten|abandoned|dumped|stuck|parked|laid|set|stored|hung|stacked|stashed"
    r"|tossed|thrown|threw|mislaid|misplaced)"
)
_KEEP = r"(?:keeps?|stores?|have|has|have got|has got|usually keeps?|always keeps?)"
_ALREADY = r"(?:(?:just|already|accidentally|carelessly|last|earlier|recently|probably|must have|may have) )*"
_RELATIVE = re.compile(
    rf"(?P<x>\b{_DETERMINER}(?: (?!(?:{PREPOSITION}|that|which|is|are|and|or|but|so|because|i|we"
    rf"|you)\b)[\w'-]+){{1,5}})"
    r" (?:(?:that|which) )?(?:"
    r"you (?:will|can|should|may|might)(?: \w+ly| also)? (?:find|see|spot|notice|discover|come across)"
    rf"|(?:i|we|he|she|they|someone|somebody|some idiot|{OTHER_PEOPLE}) (?:(?:have|has|had) )?{_ALREADY}{_LEFT}"
    rf"|(?:i|we|they|{OTHER_PEOPLE}) {_KEEP})"
    r"(?: (?:lying|standing|sitting|hanging|lying around|around|behind|out|over|up|down|somewhere))*"
    rf" (?={PREPOSITION} (?:{_DETERMINER} |here\b|there\b))"
)
_LOCATED = re.compile(
    r"(?<!\bis)(?<!\bare)(?<!\bbe)(?<!\bbeen)(?<!\bwas)(?<!\bwere)(?<!\bcurrently)(?<!\bstill)(?<!\bthat)"
    rf" (?:currently |presently )?(?:located|situated|positioned|to be found) (?={PREPOSITION} {_DETERMINER} )"
)


def plain(text: str) -> str:
    """Returns a normalised text with plain noun phrases."""
    text = _EMPHASIS.sub("", text)
    text = _OF_SIZE.sub(lambda match: f"{match['before'] or match['great']} ", text)
    text = _ALL_NUMBER_OF.sub(r"all \g<number> ", text)
    text = _ALL_OF.sub(r"\g<all> ", text)
    text = _OUT_OF_ALL.sub(r"\g<number> of ", text)
    text = _RELATIVE.sub(r"\g<x> that is ", text)
    return _LOCATED.sub(" that is ", text)
