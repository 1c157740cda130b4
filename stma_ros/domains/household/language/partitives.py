"""Reads one of a group as a noun phrase: "the red one of the cushions" is the red cushion."""

from __future__ import annotations

import re

from stma_ros.domains import noun_words
from stma_ros.domains.household.language.unread import UnreadError
from stma_ros.memory.category_knowledge import CategoryKnowledge

_ONE_OF = re.compile(
    r"\b(?P<article>the|an?) (?P<which>[\w-]+)(?: one)? of (?:all )?(?:the|my|our|these|those) (?P<group>[a-z]+s)\b"
)
_GROUP_FIRST = re.compile(
    r"(?P<start>^|\. )(?:out )?of (?:all )?(?:the|my|our|these|those) (?:two |three |four |five"
    r" )?(?P<group>[a-z]+s) *,?"
    r" (?P<rest>[^.;]*?\bthe (?P<which>[\w-]+))(?: one)?"
    r"(?= *(?:[.;,]|$| (?:(?:i|we) (?:want|need|would like)|in|on|into|onto|to|please)\b))"
)
_COLOUR_LAST = re.compile(
    r"\b(?P<article>the|a|an|my|our) (?P<noun>[a-z]+) in (?P<colour>[a-z]+)(?= *(?:[.;,:]|$)| (?:please|from|on"
    r"|in|onto|into|to|and|goes|belongs|should)\b)"
)


_TABLEWARE = ("plate", "spoon", "fork", "knife", "tray", "napkin", "saucer")
_GLASSES = re.compile(
    r"(?P<before>\b(?P<one>[a-z]+s) (?:and|&) )(?:the |our )?glasses\b|(?<!my )\b(?:the |our"
    r" )?glasses(?P<after> (?:and|&) (?:the |our )?(?P<other>[a-z]+s)\b)"
    r"|(?<!my )(?<!reading )(?<!all )(?<!both )(?<!of )\b(?:the |our )glasses\b"
)
_PAIR_OF_GLASSES = re.compile(
    r"\b(?:the|an?|that|this|one) (?:[\w-]+ )??pair of glasses\b(?! of (?:mine|ours|his|hers|theirs|my)\b)"
)
_DISHES = re.compile(r"\b(?:plates|cups|bowls|mugs|forks|spoons|knives|saucers|dishes)\b")


def _sentence(match: re.Match[str]) -> str:
    """Returns the sentence in which a match is."""
    return (
        re.split(r"[.;]", match.string[: match.start()])[-1]
        + re.split(r"[.;]", match.string[match.end() :])[0]
    )


def as_noun_phrases(text: str, knowledge: CategoryKnowledge) -> str:
    """Returns a normalised text with simple noun phrases instead of partitive ones and colours after nouns.

    Raises:
        UnreadError: "a pair of glasses" may be one thing or two.
    """

    def one_of(match: re.Match[str]) -> str:
        noun = knowledge.canonical(match["group"])
        limiting = knowledge.is_known(noun) and noun != match["group"] and not match["which"].isdecimal()
        return (
            f"{match['article']} {match['which']} {noun}"
            if limiting and (knowledge.colour(match["which"]) or match["which"] in noun_words.SIZES)
            else match[0]
        )

    def group_first(match: re.Match[str]) -> str:
        noun = knowledge.canonical(match["group"])
        return f"{match['start']}{match['rest']} {noun}" if knowledge.is_known(noun) else match[0]

    def colour_first(match: re.Match[str]) -> str:
        known = knowledge.is_known(knowledge.canonical(match["noun"])) and knowledge.colour(match["colour"])
        return f"{match['article']} {match['colour']} {match['noun']}" if known else match[0]

    def glasses(match: re.Match[str]) -> str:
        """Returns glasses to drink from, where they are named together with other vessels."""
        other = knowledge.canonical(match["one"] or match["other"] or "")
        is_tableware = (
            knowledge.is_vessel(other)
            or other in _TABLEWARE
            or (not other and _DISHES.search(_sentence(match)))
        )
        return f"{match['before'] or ''}all the glasses{match['after'] or ''}" if is_tableware else match[0]

    either = _PAIR_OF_GLASSES.search(text)
    if either:
        raise UnreadError(
            either[0], "may be spectacles, or two glasses to drink from", "Say 'my glasses' or 'two glasses'."
        )
    text = _GLASSES.sub(glasses, text)
    text = _ONE_OF.sub(one_of, text)
    text = _GROUP_FIRST.sub(group_first, text)
    return _COLOUR_LAST.sub(colour_first, text)
