"""The words of the grammar, apart from the names of objects (CategoryKnowledge)."""

from __future__ import annotations

import re

from stma_ros.memory.descriptions import LARGE, SMALL
from stma_ros.types import vocabulary as words


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


RELATIONS = {
    **dict.fromkeys(
        (
            "in",
            "into",
            "in to",
            "inside",
            "inside of",
            "within",
            "out of",
            "from inside",
            "from inside of",
            "from within",
        ),
        words.IN,
    ),
    **dict.fromkeys(
        ("on", "onto", "on to", "on top of", "upon", "atop", "off", "off of", "from on top of"), words.ON
    ),
    **dict.fromkeys(
        (
            "next to",
            "close to",
            "closer to",
            "nearer to",
            "adjacent to",
            "beside",
            "near",
            "by",
            "at",
            "alongside",
            "against",
        ),
        words.NEAR,
    ),
}
"""Relation of each preposition. With other prepositions ("from", "to"), the relation depends on the place."""

HINTS = (
    "from under",
    "from underneath",
    "from behind",
    "from beneath",
    "out from under",
    "in front of",
    "under",
    "underneath",
    "beneath",
    "below",
    "behind",
    "between",
    "above",
)
"""Prepositions of an approximate place, which cannot be the destination of an object."""

IN_AND_ON = ("nightstand", "sideboard")
"""Containers whose tops are also in use, so that "from" means neither in nor on."""

NUMBERS = {
    "one": 1,
    "two": 2,
    "both": 2,
    "a couple of": 2,
    "a couple": 2,
    "couple of": 2,
    "a pair of": 2,
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
    **dict.fromkeys(("small", "little", "tiny", "wee", "mini", "small-sized"), SMALL),
    **dict.fromkeys(("big", "large", "huge", "giant", "enormous", "big-sized"), LARGE),
}

MATERIALS = _words(
    """
    wooden wood metal metallic plastic ceramic porcelain cotton woollen woolen leather steel iron stone
    cardboard rubber
    """
)
"""Materials, which are ignored because perception does not recognise them."""

PLAIN_ADJECTIVES = _words(
    """
    old new missing lost mine ours nice lovely favourite favorite dark light bright pale clean dirty used empty
    full coloured colored open opened closed shut good own usual whole entire beautiful pretty cute damn poor
    remaining single broken spare hot cold warm wet dry fresh ripe unwashed washed finished half-empty half-full
    """
)
"""Adjectives that are ignored, because perception does not recognise them or they do not distinguish objects."""

NOT_PORTABLE = _words(
    """
    hug kiss break nap sleep rest look walk seat joke story song time moment minute second hour hand foot ride
    taxi doctor help advice answer question idea information news weather hint smile holiday raise job love luck
    way sense eye mouth mind heart account file app meeting business shop page call alarm timer reminder music
    conversation lesson lecture reason meaning truth problem mess chance tour score price number order turn
    photo selfie breath care control baby child kid boy girl cat dog pet person people man woman grandma grandpa
    mother father mum mom dad wife husband son daughter brother sister friend guest neighbour neighbor robot
    house home world sky moon sun star room air sound noise smell volume temperature attention company happiness
    morning evening afternoon night noon midnight day week month year weekend today tomorrow tonight
    peace quiet silence privacy fun
    """
)
"""Nouns that people use with "take", "give", "find" and "open" and that no robot can handle, and living beings."""

# Words that change the meaning of a request and are not understood. Texts with them are refused.
RESTRICTIONS = re.compile(
    r"\b(?:not|no|never|nobody|nothing|without|unless|if|until|till|or|except|instead|but|while|when)\b"
)
"""In a clause about an object: changes which object is meant, or when."""
UNREAD = re.compile(
    # negations
    r"\b(?:not|\w+n't|non|no|nor|neither|none|never|nothing|without|except|excluding|but|besides|apart"
    r"|instead|rather|unless|unlike)\b"
    # vague numbers, alternatives, conditions
    r"|\b(?:and|or|how many|several|many|few|couple|dozens?|then|if|hundreds?|thousands?|lots?|plenty|half"
    r"|rest|until|till|while|during|because|since|than|halfway|twice|thrice|times"
    r"|per ?cent|degrees|minutes)\b|[,;&/]"
    # comparisons and ordinals
    r"|\b(?:than|other|another|same|different|more|most|less|least|first(?! aid)|second|third|last|next"
    r"|middle"
    r"|upper|lower|top|bottom|(?:left|right)(?!-)|(?:bigg|larg|small|tall|short|old|new|high|near|furth"
    r"|farth|dark|bright)er"
    r"|(?:bigg|larg|small|tall|short|long|old|new|high|low|near|clos|furth|farth|dark|bright|light)est"
    r"|\w+iest)\b"
    # relative clauses and other descriptions
    r"|\b(?:with|whose|has|have|having|made of|to|for|like|be|should|must|who|does|do|did|had)\b"
)
NO_NOUN = re.compile(
    r"\b(?:(?:any|some|every)(?:thing|one|body)|ones?|things?|objects?|items?|stuff|it|that|this|these|those"
    r"|which|them|they|you|me|him|us|my|our|your|all|every|both|each|up|down|off|out|away|back|where|what|when"
    r"|why|how|i|we|he|she"
    r"|his|her|their|any|some|is|are|was|were|am|the|a|an)\b|^of\b|\b(?:of|mine)$"
)


# Categories that people open, switch or fill and the robot may not. For other known categories, such a request makes no
# sense.
OTHER_STATEFUL = {
    words.STATE_DIMENSION[words.STATE_OPEN]: (
        "window door bag backpack wallet box umbrella book notebook laptop bottle jar can letter toilet"
        " piano shower"
        " bin car fireplace toothpaste shampoo medicine basket desk cereal milk juice sugar"
    ),
    words.STATE_DIMENSION[words.STATE_ON]: (
        "phone tablet camera headphones clock watch charger candle remote game toy iron shower bathtub"
        " sink washbasin"
        " fireplace fridge freezer piano car"
    ),
    words.STATE_DIMENSION[words.STATE_FULL]: "bottle jar can box bag basket backpack wallet suitcase toolbox",
}
