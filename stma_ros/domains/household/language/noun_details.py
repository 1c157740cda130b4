"""Rewrites what stands around a noun in the plainest words: "every really big mug that you will find on the desk".

Degrees of a size say no more than the size, a relative clause about people who left or find a thing tells its place,
and "all three of our mugs" are all three mugs.
"""

from __future__ import annotations

import re

from stma_ros.domains import noun_words
from stma_ros.domains.household.language.patterns import ME, OTHER_PEOPLE, PREPOSITION
from stma_ros.domains.household.language.quantities import NUMBER
from stma_ros.domains.household.language.unread import UnreadError
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.nouns import is_plural

_SIZE = "|".join(sorted(noun_words.SIZES, key=len, reverse=True))
_DETERMINER = (
    r"(?:the|an?|my|our|your|his|her|their|this|that|these|those|some|any|all|both|every|each|single"
    rf"|last|{NUMBER})"
)
_SINGULAR = rf"(?:[\w-]+ )??[\w-]+(?:ss|(?<!s))(?= ?(?:[.,;]|$)| (?:{PREPOSITION}|for|please|and|you|will)\b)"
"""One thing: "any old shoe" is any one, while "any old shoes" are the old ones."""
_DEGREE = (
    r"(?:very|really|rather|quite|pretty|fairly|so|such|ever so|extremely|exceptionally|incredibly|unbelievably"
    r"|ridiculously|absurdly|extra|super|truly|absolutely|awfully|terribly|enormously|particularly|especially"
    r"|remarkably|seriously|proper|properly|absolute|real)"
)
_OF_SIZE = re.compile(
    rf"\b(?P<before>{_DETERMINER}) (?:{_DEGREE} )+(?:great )?(?=(?:{_SIZE})\b)"
    rf"|\b(?P<great>{_DETERMINER}) great (?=(?:big|large|huge)\b)"
)
_SUPERLATIVE = re.compile(
    r"(?P<x>\b(?:bigg|larg|small|littl|tini|hug)est [\w-]+(?: (?!of\b|there\b|in\b|on\b)[\w-]+)?)"
    r" (?:of (?:them )?all|of the (?:lot|bunch|batch)|(?:that )?there is)(?! (?:of|the|my|our|these|those)\b)"
)
_WHOPPING = re.compile(
    r"\b(?:whopping|whacking|thumping|socking)(?: great)?(?: (?:big|large|huge))? (?=[a-z])"
)
_EACH = re.compile(
    r"\b(?:each and every|any and every|any and all|each and all|all and every)(?P<one>(?: single)? one)?\b"
    r"|\b(?:every|each) (?:single|last) (?P<of>one of)\b|\b(?P<some>an?|one) single one of\b"
    r"|\bthe (?P<group>whole|entire|complete|full) (?:lot|set|bunch|collection|batch|range|array|pile|stack|group) of"
    r" (?:(?:the|my|our|these|those) )?"
    rf"|\b(?P<old>(?:bring|fetch|get|hand|give|pass|find|grab|want|need|like|use|put|place)(?: {ME})? any) old"
    rf" (?={_SINGULAR})(?![^.;]*\b(?:bins?|trash|rubbish|garbage|waste|recycling)\b)"
    rf"|\b(?P<number>{NUMBER}) (?:(?:random|arbitrary) (?=\w)|(?P<among>from among ))"
    r"|\ball (?P<available>(?:the )?(?:available|existing) )"
    r"|\b(?P<any>an?|some|any) (?:random|arbitrary|given) (?=(?!and\b)[a-z]+\b)(?<=random |itrary | given )"
)
_OF_MANY = re.compile(
    r"\b(?P<of>(?:of|all) (?:the|my|our|these|those)) (?:many|several|various|numerous|different"
    r"|individual) (?=[\w -]*s\b)"
)
_YOU_LIKE = re.compile(
    r"\b(?:whichever|any|whatever)(?P<x>(?: one)? of (?:the|my|our|these|those) (?:[\w'-]+ ){1,3}?|"
    r" (?!of\b)(?:[\w'-]+ ){1,2}?)(?:that )?you (?:like|want|prefer|please|fancy|choose|find(?: first)?)\b"
)
_EMPHASIS = re.compile(
    r"\b(?:absolutely|(?:quite )?literally|simply|really) (?=(?:all|every|both|each)\b(?! in all\b))"
)
_EITHER = re.compile(
    r"\beither (?:one )?(?P<of>of (?=(?:the|my|our|these|those) )|(?!of\b|way\b|side\b|end\b"
    r"|one\b)(?=[a-z]))(?![^.;]*\bor\b)"
)
_THERE_ARE = re.compile(
    r"(?P<all>\b(?:all|every|each)(?: of)?(?: the)?(?: (?!(?:the|there|in|on|and"
    r"|that)\b)[\w-]+){1,3}) (?:that )?there (?:is|are)"
    r"(?= ?(?:[.,;]|$)| (?:in|on|into|onto|to|from|off|inside)\b)"
)
_WHICH_IS = re.compile(
    r"(?P<x>(?<=\w)) ?, (?:which|that) (?P<be>is|are) (?P<how>[a-z]+) ?(?:, |(?= ?(?:[.;]|$)))"
)
_THEM = r"(?:the|my|our|these|those)"
_ALL_OF = re.compile(rf"\b(?P<all>all|both) of (?={_THEM} )")
_ALL_NUMBER_OF = re.compile(rf"\ball (?P<number>{NUMBER}) of {_THEM} ")
_OUT_OF_ALL = re.compile(rf"\b(?P<number>{NUMBER}|any|some) (?:out )?of (?:all )?(?={_THEM} )")

_LEFT = (
    r"(?:left|put|placed|dropped|forgot|forgotten|abandoned|dumped|stuck|parked|laid|set|stored|hung|stacked|stashed"
    r"|tossed|thrown|threw|mislaid|misplaced|saw|seen|noticed|spotted)"
)
_KEEP = r"(?:keeps?|stores?|have|has|have got|has got)"
_ALREADY = r"(?:(?:just|already|accidentally|carelessly|last|earlier|recently|probably|must have|may have) )*"
_RELATIVE = re.compile(
    rf"(?P<x>\b{_DETERMINER}(?: (?!(?:{PREPOSITION}|that|which|is|are|and|or|but|so|because|i|we"
    rf"|you)\b)[\w'-]+){{1,5}})"
    r" (?:(?:that|which) )?(?:"
    rf"(?<=that |hich )(?:somehow |has |have )*(?:ended up|wound up|landed|turned up|got {_LEFT})|(?<=that "
    rf"|hich )(?:has|have) been {_ALREADY}{_LEFT}|(?:you|i|we) (?:will|can|should|may|might)(?: \w+ly"
    rf"| also)? (?:find|see|spot|notice|discover|come across)"
    rf"|(?:i|we|he|she|they|someone|somebody|some idiot|{OTHER_PEOPLE}) (?:(?:have|has|had) )?{_ALREADY}{_LEFT}"
    rf"|(?:i|we|they) {_KEEP})"
    r"(?: (?:lying|standing|sitting|hanging|lying around|around|behind|out|over|up|down|somewhere))*"
    rf" (?={PREPOSITION} (?:{_DETERMINER} |here\b|there\b))"
)
_LOCATED = re.compile(
    r"(?<!\bis)(?<!\bare)(?<!\bbe)(?<!\bbeen)(?<!\bwas)(?<!\bwere)(?<!\bcurrently)(?<!\bstill)(?<!\bthat)"
    rf" (?:currently |presently )?(?:located|situated|positioned|to be found) (?={PREPOSITION} {_DETERMINER} )"
)
_OVER_THERE = re.compile(
    rf"(?P<x>\b{PREPOSITION} {_DETERMINER}(?: (?!(?:{PREPOSITION}|over|and|or|that)\b)[\w'-]+){{1,4}})"
    r" (?:over|up|down|out) in (?P<the>the|my|our) (?P<room>[\w']+(?: room)?)"
)
"""Behind a place, "over" tells where it is: "on the table over in the kitchen"."""

_THE_ONE = re.compile(
    rf"(?P<noun>[\w'-]+) ?, (?:the|that) (?P<one>ones?) (?:(?:that|which) (?:is|are) )?(?P<place>{PREPOSITION}"
    r" (?:the|my|our) [^.,;:]+?)"
    r" ?(?:,(?= )|(?=[.;]|$))"
)
"""An apposition that tells the place of a thing: "the green bottle, the one on the desk, goes in the bin"."""
_BEING = re.compile(
    r"(?P<that>(?<=\w) (?:that|which)) (?:is|are|was|were|has been|have been|got)"
    r"(?= (?:currently|presently|still|now|right now|at the moment|just|already|all|both|sat|sitting|standing|stood"
    r"|perched"
    r"|resting|waiting|balanced|propped|hanging|hung|placed|put|left|forgotten|abandoned|located|kept|stored|parked"
    r"|dumped|lying)\b)(?: (?:currently|presently|still|now|right now|at the moment|just|already|all|both))*"
    r"(?: (?:sat|sitting|standing|stood|perched|resting|waiting|balanced|propped|hanging|hung|placed|put|left|forgotten"
    r"|abandoned|located|kept|stored|parked|dumped|lying))?(?: (?:around|about|over|up|down))?"
    rf" (?={PREPOSITION} {_DETERMINER} )"
    r"|(?P<which>(?<=\w) (?:that|which)) (?:(?:i|we) (?:believe|think|guess|reckon|assume|suspect) (?:is|are)"
    rf"|(?:ought to|is supposed to|are supposed to|is meant to|are meant to|(?:happens?|seems?"
    rf"|appears?) to) be) (?={PREPOSITION} {_DETERMINER} )"
    r"|(?P<stands>(?<=\w) (?:that|which)) (?:(?:currently|now|still) )?(?:stands?|sits?|lies?|hangs?"
    r"|rests?"
    r"|resides?|can be (?:found|seen)|(?:is|are) to be found)(?: (?:over|up|down|around))?"
    rf" (?={PREPOSITION} {_DETERMINER} )"
    rf"|(?<=\w) (?:presently|currently|forgotten|abandoned) (?={PREPOSITION} {_DETERMINER} )"
)
_WHICHEVER = re.compile(
    r" ?,? (?:no matter which(?: one)?|whichever(?: one)? (?:of them )?you (?:like|prefer|want|fancy|find first)"
    r"|(?:it does not matter|i do not (?:mind|care)) which(?: one)?(?: it is| you (?:take|choose))?"
    r"|any (?:one )?(?:of them )?"
    r"will do|of your (?:choice|choosing))(?=\s*(?:[.,;]|$| (?:to|in|on|into|onto|from|off|and|please)\b))"
)
_AT_ALL = re.compile(r"(?P<x>\bany (?:[\w-]+ ){1,2}?)at all\b|(?P<some>\bsome [\w-]+(?: [\w-]+)?) or other\b")
_BELONGS = re.compile(
    r" (?:(?:that|which) belongs?|belonging) to (?P<the>the|my|our) (?P<room>[\w']+(?: room)?)\b"
)


def _each(match: re.Match[str]) -> str:
    """Returns the plain words for all, or for any one, of a group."""
    if match["number"]:
        return f"{match['number']} {'of ' if match['among'] else ''}"
    if match["group"] or match["available"]:
        return "all the "
    if match["any"]:
        return "any "
    if match["old"]:
        return f"{match['old']} "
    if match["of"] or match["one"]:
        return "every one of" if match["of"] else "every one"
    if match["some"]:
        return "one of"
    return "all" if match[0].startswith("any") else "every"


def _placed(match: re.Match[str]) -> str:
    """Returns "mug that is on the desk" for "mug , the one on the desk". Raises UnreadError if the numbers differ."""
    if is_plural(match["noun"]) != (match["one"] == "ones"):
        raise UnreadError(match[0].strip(" ,"), "names one thing and several")
    return f"{match['noun']} that is {match['place']}"


def _any_of(match: re.Match[str]) -> str:
    """Returns "one of" for "either of", which means both of them after a negation."""
    before = re.split(r"[.;]", match.string[: match.start()])[-1]
    if re.search(r"\b(?:not|never|no|nor|without)\b", before):
        return match[0]
    return "one of " if match["of"] else "any "


def plain(text: str, knowledge: CategoryKnowledge) -> str:
    """Returns a normalised text with plain noun phrases."""

    def located(match: re.Match[str], before: str | None = None) -> str:
        is_room = knowledge.is_room(knowledge.canonical(match["room"]))
        return (
            f"{match['x'] if before is None else before} that is in {match['the']} {match['room']}"
            if is_room
            else match[0]
        )

    def coloured(match: re.Match[str]) -> str:
        is_adjective = knowledge.colour(match["how"]) or match["how"] in noun_words.SIZES
        clause = re.split(r"[.;:,]", match.string[: match.start()])[-1]
        if not is_adjective:
            return match[0]
        if re.search(rf"\b{PREPOSITION} {_DETERMINER} ", clause):  # "the mug on the table , which is red"
            raise UnreadError(match[0].strip(" ,"), "may describe either of the things before it")
        return f" that {match['be']} {match['how']} "

    text = _THE_ONE.sub(_placed, text)
    text = _AT_ALL.sub(lambda match: (match["x"] or match["some"]).rstrip(), _WHICHEVER.sub("", text))
    text = _BEING.sub(" that is ", text)
    text = _YOU_LIKE.sub(lambda match: f"any{match['x']}".rstrip(), text)
    text = _EMPHASIS.sub("", _OF_MANY.sub(r"\g<of> ", _EACH.sub(_each, text)))
    text = _SUPERLATIVE.sub(r"\g<x>", _WHOPPING.sub("big ", text))
    text = _OF_SIZE.sub(lambda match: f"{match['before'] or match['great']} ", text)
    text = _ALL_NUMBER_OF.sub(r"all \g<number> ", text)
    text = _ALL_OF.sub(r"\g<all> ", text)
    text = _OUT_OF_ALL.sub(r"\g<number> of ", text)
    text = _EITHER.sub(_any_of, _THERE_ARE.sub(r"\g<all>", text))
    text = _WHICH_IS.sub(coloured, text)
    text = _RELATIVE.sub(r"\g<x> that is ", text)
    text = _OVER_THERE.sub(located, text)
    text = _BELONGS.sub(lambda match: located(match, ""), text)
    return _LOCATED.sub(" that is ", text)
