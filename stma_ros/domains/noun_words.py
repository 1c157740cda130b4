"""Words of English noun phrases before the noun, for every domain that reads what people say."""

from __future__ import annotations

import re

from stma_ros.memory.descriptions import LARGE, SMALL

_COLOUR_SUFFIX = re.compile(r"-colou?red$")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NUMBERS = {
    "one": 1,
    "two": 2,
    "both": 2,
    "a couple of": 2,
    "a couple": 2,
    "couple of": 2,
    "a pair of": 2,
    "pair of": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "half a dozen": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
    "a dozen": 12,
}

SIZES = {
    **dict.fromkeys(
        (
            "small",
            "little",
            "tiny",
            "wee",
            "mini",
            "miniature",
            "teeny",
            "teensy",
            "weeny",
            "dinky",
            "itty-bitty",
            "pint-sized",
            "smallish",
            "teeny-tiny",
            "titchy",
            "minuscule",
            "small-sized",
            "little-sized",
            "undersized",
            "pocket-sized",
            "smallest",
            "littlest",
            "tiniest",
            "teeniest",
        ),
        SMALL,
    ),
    **dict.fromkeys(
        (
            "big",
            "large",
            "huge",
            "giant",
            "enormous",
            "massive",
            "whopping",
            "biggish",
            "largish",
            "extra-large",
            "large-sized",
            "gigantic",
            "immense",
            "colossal",
            "humongous",
            "ginormous",
            "oversized",
            "jumbo",
            "sizeable",
            "king-sized",
            "big-sized",
            "biggest",
            "largest",
            "hugest",
        ),
        LARGE,
    ),
}

MATERIALS = _words(
    """
    wooden wood metal metallic plastic ceramic porcelain cotton woollen woolen wool leather steel iron stone
    cardboard rubber glass paper silver gold golden copper brass bamboo clay linen denim silk velvet straw wicker
    crystal marble tin silver-plated
    """
)
"""Materials, which perception does not recognise."""

LIMITING_ADJECTIVES = _words(
    """
    old new lovely nice favourite favorite dark light bright pale clean dirty used empty full open opened closed shut
    good usual beautiful pretty cute remaining broken spare hot cold warm wet dry fresh ripe unwashed washed finished
    half-empty half-full cracked chipped dusty rusty filthy stained sticky greasy muddy torn ripped damaged faulty
    cheap expensive heavy soft hard sharp blunt round square long short tall thick thin wide narrow striped spotted
    checked plain patterned flowery fluffy matching left right unopened sealed loose wooden metallic woollen golden
    rotten stale mouldy cooked raw frozen melted peeled folded ironed charged locked unlocked plugged-in
    """
)
"""Adjectives that say which object is meant, and that perception does not recognise."""

DROPPED_ADJECTIVES = _words(
    "missing lost own whole entire damn darn bloody poor single coloured colored beloved dear"
)
"""Adjectives that do not distinguish objects and are left out."""

# Words that change the meaning of a noun phrase.
COMPARING = re.compile(
    r"\b(?:other|another|same|different|better|worse|only|first(?![ -]aid)|second|third|fourth|fifth|last|next|middle"
    r"|upper|lower|top|bottom|(?:left|right)(?!-)|(?:left|right|top|upper|inner|outer|fore|hind)-?most"
    r"|(?:bigg|larg|small|tall|short|long|old|new|high|near|clos|furth|farth|dark|bright|heav[iy]|wid|thick|full)er"
    r"|(?:light|clean|warm|cold|cool|dry|dri)er(?= \w)"
    r"|(?:tall|short|long|old|new|high|low|near|clos|furth|farth|dark|bright|light|heavi|wid|thick|clean"
    r"|warm|cold|full|nic)est"
    r"|(?!tiniest|teeniest)\w+iest)\b"
)
"""Comparisons and ordinals, which say which object is meant."""


def without_colour_suffix(word: str) -> str:
    """Returns "red" for "red-coloured"."""
    return _COLOUR_SUFFIX.sub("", word)
