"""Reads where people say that there is a spot for a thing as the plain place: "find a spot on the shelf for the"
" mug"."""

from __future__ import annotations

from collections.abc import Sequence

from stma_ros.domains.household.language.contrasts import AT, DETERMINER, END, PLACE_START, START, THING
from stma_ros.domains.household.language.patterns import I_WANT, PARTICIPLE, PREPOSITION
from stma_ros.domains.household.language.substitutions import Substitution, applied, compiled, verb_like

_FOR_ALL = rf"(?!, (?:and )?{DETERMINER} )"
"""Ends a list of things."""
_TO_GO = rf"(?: to (?:be|go|live|stand)(?: put| placed| kept)?)?{_FOR_ALL}"

_RULES: Sequence[Substitution] = (
    # "in the cupboard, that is where i want the mug"
    (
        rf"(?P<at>\b{PREPOSITION} {PLACE_START} [^.,;:]+?)(?: ?[,:])? (?:that|this|there) is (?:exactly |just )?where"
        rf" (?P<what>{THING} (?:belongs?|goes|go|lives?|(?:should|must) (?:be|go))|{I_WANT}"
        rf" {THING.replace('<x>', '<y>')}){_TO_GO}{END}",
        r"\g<what> \g<at>",
    ),
    # "where i want the mug is in the cupboard"
    (
        rf"{START}(?:the (?:place|spot|home) )?where (?:{I_WANT} {THING}|{THING.replace('<x>', '<y>')}"
        r" (?:belongs?|goes"
        rf"|go|(?:should|must) (?:be|go))){_TO_GO} (?:is|would be) (?P<at>{AT} {PLACE_START} [^.,;:]+?){END}",
        lambda m: f"{m['x'] or m['y']} should be {m['at']}",
    ),
    # "move the mug so that it ends up in the cupboard"
    (
        r"(?P<moved>\b(?:mov|shift|carr|tak|put|plac|arrang|bring|rearrang|set)(?:e|y|ing|ying|ed|ied|en)?\b"
        rf" (?:[^.,;:]|, (?=(?:and )?(?:the|my|our|an?) ))*?|\b(?:{PARTICIPLE})) so(?: that)? (?:it|they)"
        r" (?:ends? up|is|are"
        rf"|goes|go|sits?|stands?|will be|lands?|lies?|can be) (?={AT} )",
        r"\g<moved> ",
    ),
    # "give the mug a place on the shelf"
    (
        rf"\b(?:giv(?:e|ing)|find(?:ing)?) {THING} (?:a|some|its|their) (?:\w+ )?(?:spot|place|home|space|room) "
        rf"(?={AT} {PLACE_START} )",
        lambda m: f"{verb_like(m, 'put')} {m['x']} ",
    ),
    (
        r"\b(?:find|mak)(?:e|ing)? (?:(?:me|us|a|some|enough|a bit of) )*(?:[a-z]+ )?(?:spot|place|home|space"
        r"|room) for"
        rf" (?:{THING}|(?P<it>it|them)) (?={AT} {PLACE_START} |there\b)",
        lambda m: f"{verb_like(m, 'put')} {m['x'] or m['it']} ",
    ),
    (
        rf"\bfind(?:ing)? (?:(?:me|us) )?(?:a|some) (?:\w+ )?(?:spot|place|home|space|room) "
        rf"(?P<at>{AT} {PLACE_START} [^.,;:]+?) for {THING}{_FOR_ALL}{END}",
        lambda m: f"{verb_like(m, 'put')} {m['x']} {m['at']}",
    ),
    # "put it in the kitchen, no matter where exactly"
    (
        r"(?:(?<=^)|(?<=[.;:,] ))(?:it does not (?:really )?matter(?: to (?:me|us))? where|(?:i|we) do not"
        r" (?:really )?(?:mind"
        r"|care) where|no matter where)(?: exactly)? (?P<at>in (?:the|my|our) [^.,;:]+?),? (?:(?:but|as long as"
        r"|just) )+"
        rf"(?P<do>[^.;]*?) (?:in )?there{END}",
        r"\g<do> \g<at>",
    ),
    (
        r"(?:(?<=^)|(?<=[.;] ))(?:it (?:does not (?:really )?matter|makes no (?:odds|difference))(?: to (?:me"
        r"|us))? where|(?:i|we) do not (?:really )?(?:mind|care) where|no matter where)(?: exactly|"
        r" precisely)?(?: in there)?,? but ",
        "",
    ),
    (
        r"\s*[,;.]? (?:and |but )?(?:no matter where|it does not (?:really )?matter(?: to (?:me|us))? where|(?:i"
        r"|we) do not"
        r" (?:really )?(?:mind|care) where|(?:wherever|anywhere)(?: that)? (?:there is (?:\w+ )?(?:space|room)"
        r"|you (?:like|want|can(?: find (?:it |them )?(?:some |a )?(?:space|room|place|spot|home)(?: for (?:it"
        r"|them))?)?|please|find (?:space|room))|it fits|they fit)|(?:the )?(?:exact(?:ly)? )?(?:spot|place"
        r"|where)(?: exactly)?(?: in"
        r" there)? is up"
        r" to you|any(?:where| spot| place| corner)(?: in)? there (?:will do|is fine|works|is okay))"
        rf"(?: exactly| precisely)?(?: in there)?{END}",
        "",
    ),
    (
        rf"{START}any(?:where| (?:spot|place|corner|part|shelf))(?: at all)? (?P<at>{AT} {PLACE_START}"
        r" [^.,;:]+?) (?:will do|is"
        rf" fine|would be fine|works|would do|is okay|will be fine) for {THING}{_FOR_ALL}{END}",
        r"\g<x> should be \g<at>",
    ),
    (
        rf"{START}any(?:where| (?:spot|place|corner|part|shelf))(?: at all)? (?P<at>{AT} {PLACE_START}"
        r" [^.,;:]+?) (?:will do|is"
        r" fine|would be fine|works|would do|is okay|will be fine)\s*[,.;] (?:(?:but|so|and|just|please|\.)"
        r" )*(?P<do>[^.;]*?) (?:(?:in|on)"
        rf" )?there{END}",
        r"\g<do> \g<at>",
    ),
)
_COMPILED = compiled(_RULES)


def plain_places(text: str) -> str:
    """Returns a normalised text whose spots for things are plain places."""
    return applied(_COMPILED, text)
