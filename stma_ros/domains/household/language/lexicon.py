"""The words of the grammar, apart from the names of objects (CategoryKnowledge)."""

from __future__ import annotations

import re

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

KIND_WORDS = _words(
    """
    coffee tea espresso milk water soup salad dinner dessert breakfast lunch serving cooking baking mixing sauce wine
    beer whisky champagne juice sugar salt bread cake butter cheese fruit egg pizza pasta rice fish meat cereal
    cookie flower candle pen pencil book letter shoe coat hat sock bath hand face dish sofa bed chair table window
    wall corner floor ceiling picture photo alarm desk hair tool toy board card music video computer laptop phone game
    tv radio car house door wedding travel hiking school sports tennis football beach garden night reading rocking
    bowling hockey golf basketball baseball cricket sourdough rye half
    cracker biscuit pudding potted tuna bean tomato mustard honey jam oil vinegar flour
    folding swivel step bar kitchen dining writing work office gas electric steak carving chopping bedside dog cat pet
    """
)
"""Nouns that form kinds with the noun after them: a "salad bowl" is a kind of bowl."""

VERBS_OF_PLACE = _words(
    "fell lies lie stands stood lay sits sat hung hangs spilled dropped could can should would may might must"
    " will ended"
    " went came got goes belongs needs being getting gone lying go come comes"
)
"""Verb forms that are no part of a name: "some bread fell"."""

OPENINGS = _words("window door")
"""Parts of a home that people open, and that robots may not open."""

NOT_PORTABLE = _words(
    """
    hug kiss break nap sleep rest look walk seat joke story song time moment minute second hour hand foot ride
    taxi doctor help advice answer question idea information news weather hint smile holiday raise job love luck
    way use sight sense eye mouth mind heart account file app meeting business shop page call alarm timer reminder music
    conversation lesson lecture reason meaning truth problem mess chance tour score price number order turn
    flavour flavor taste
    reach hand hands lap location whereabouts round
    photo selfie breath care control baby child kid boy girl cat dog pet person people man woman grandma grandpa
    mother father mum mom dad wife husband son daughter brother sister friend guest neighbour neighbor robot
    house home flat apartment place world sky moon sun star room air sound noise smell volume
    temperature attention company happiness
    morning evening afternoon night noon midnight day week month year weekend today tomorrow tonight
    darkness warmth tidiness entertainment atmosphere peace quiet silence privacy fun boil
    """
)
"""Nouns that people use with "take", "give", "find" and "open" and that no robot can handle, and living beings."""

UNREAD = re.compile(
    # negations
    r"\b(?:not|\w+'t|non|no|nor|neither|none|never|nothing|without|except|excluding|but|besides|apart"
    r"|instead|rather|unless|unlike)\b"
    # vague numbers, alternatives, conditions
    r"|\b(?:than|more|most|less|least|and|or|how many|several|many|few|couple|dozens?"
    r"|then|if|hundreds?|thousands?|lots?|plenty|half"
    r"|rest|until|till|while|during|because|since|than|halfway|twice|thrice|times"
    r"|per ?cent|degrees|minutes|requires|lacks|contains|smells|looks|seems|feels|runs|works)\b|[,;&/]"
    # relative clauses and other descriptions
    r"|\b(?:about|called|named|labelled|labeled|titled|marked"
    r"|upside|with|whose|has|have|having|made of|to|for|like|be|should|must|who|does|do|did|had)\b"
)
NO_NOUN = re.compile(
    r"\b(?:(?:any|some|every)(?:thing|one|body)|ones?|things?|objects?|items?|stuff|it|that|this|these|those"
    r"|which|them|they|you|me|him|us|there|my|our|your|all|every|both|each|again|after|before|afterwards?|too"
    r"|also|still|already|yet|ever|else|please|well|ready|yesterday|today|tonight|tomorrow|earlier|done|finished"
    r"|meanwhile|up|down|off|out|away|back|over|along|behind|under|below|above|near|beside|outside|between|around"
    r"|where|worst|best|least|others"
    r"|what|when"
    r"|why|how|i|we|he|she"
    r"|his|her|their|any|some|is|are|was|were|am|been|being|the|a|an|later|soon|afterwards|in|on|at|exactly"
    r"|just|so)\b|^of\b"
    r"|\b(?:of|mine)$"
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
