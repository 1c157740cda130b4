"""What things are for."""

from __future__ import annotations

import re

from stma_ros.memory.category_knowledge import CategoryKnowledge

_WORD = re.compile(r"[a-z]+")
_LONGEST_NAME = 3  # words of the name of a kind

_USES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("dry hands hand dishes body towel", ("towel", "hand towel", "dishcloth", "kitchen towel")),
    ("nap sleep rest lie", ("bed", "sofa", "couch")),
    ("sit seat relax", ("sofa", "armchair", "chair", "couch", "stool", "bench")),
    ("cook fry boil heat meal", ("stove", "oven", "cooker", "microwave")),
    ("warm reheat", ("microwave", "oven", "stove")),
    ("toast bread", ("toaster", "oven")),
    ("cool cold chill fresh ice", ("fridge", "freezer", "refrigerator")),
    ("wash clothes laundry", ("washing machine",)),
    ("wash hands dishes rinse", ("sink", "washbasin", "dishwasher")),
    ("bath bathe", ("bathtub", "bath")),
    ("shower", ("shower", "bathtub")),
    ("read light dark", ("lamp", "floor lamp", "table lamp")),
    ("watch film movie news show", ("tv", "television", "laptop")),
    ("work homework study write", ("desk", "laptop", "table")),
    ("eat dine dinner lunch breakfast", ("dining table", "table", "kitchen table")),
    ("music play listen", ("piano", "guitar", "radio", "speaker", "stereo")),
    ("hang coat jacket", ("coat rack", "wardrobe", "hook")),
    ("store clothes", ("wardrobe", "dresser", "closet")),
    ("coffee", ("coffee machine", "coffee maker", "kettle")),
    ("tea water boil", ("kettle", "stove")),
    ("throw rubbish trash waste garbage", ("bin", "trash can", "waste bin", "rubbish bin")),
    ("carry bring transport along", ("bag", "backpack", "basket", "tray", "box", "bucket")),
    ("cool breeze air fan", ("fan", "air conditioner")),
    ("warm heat cosy", ("heater", "radiator", "fireplace", "blanket")),
    ("soup pasta stew egg eggs pan pot", ("pot", "pan", "stove")),
    ("umbrella stay dry rain", ("umbrella",)),
    ("brush teeth", ("toothbrush",)),
    ("shoes", ("shoe rack",)),
    ("books", ("bookshelf", "shelf")),
    ("weigh", ("scale",)),
    ("measure", ("ruler", "tape measure")),
    ("fix repair screw nail", ("toolbox", "screwdriver", "hammer")),
    ("drink", ("mug", "glass", "cup", "bottle")),
    ("time clock", ("clock", "alarm clock")),
    ("mirror look face", ("mirror",)),
    ("exercise train run", ("treadmill", "exercise bike", "dumbbell")),
    ("clean vacuum floor sweep", ("vacuum cleaner", "broom", "mop")),
    ("iron", ("iron", "ironing board")),
    ("call phone", ("phone", "telephone")),
    ("cut slice", ("knife", "scissors")),
    ("cut paper wrapping cloth", ("scissors",)),
    ("switch change channel channels tv television volume remotely", ("remote", "remote control")),
    ("find way dark cellar power light shine", ("torch", "flashlight")),
    ("staple fasten sheets papers together", ("stapler",)),
    ("water plants flowers", ("watering can",)),
    ("flowers bunch", ("vase",)),
    ("wake morning", ("alarm clock", "clock")),
    ("wash dishes scrub wipe", ("sponge", "dishcloth")),
    ("wash hair", ("shampoo",)),
    ("wash hands soap", ("soap",)),
    ("comb brush hair", ("hairbrush", "comb")),
    ("drive hit nail hammer", ("hammer",)),
    ("screw tighten loosen", ("screwdriver",)),
    ("photo photos picture pictures film", ("camera",)),
    ("write note letter list", ("pen", "pencil", "notebook")),
    ("pay shop bills money", ("wallet", "purse", "phone")),
    ("dry wet clothes laundry washing", ("dryer", "clothes rack", "drying rack")),
    ("play game children throw catch", ("ball", "toy")),
    ("serve carry drinks cups plates", ("tray",)),
    ("wipe nose sneeze", ("tissue box", "tissues")),
    ("sun head cap", ("hat", "cap")),
    ("sun glare eyes", ("sunglasses",)),
    ("hear listen alone disturbing", ("headphones",)),
    ("chop vegetables board", ("chopping board", "cutting board", "knife")),
    ("fry eggs pancake", ("pan", "frying pan")),
    ("cover cold evening warm", ("blanket",)),
    ("head sleeping", ("pillow",)),
    ("smooth shirt creases crumpled", ("iron", "ironing board")),
    ("look place map countries", ("globe",)),
    ("light evening cosy romantic", ("candle",)),
    ("surf internet email emails type", ("laptop", "computer", "tablet")),
)
"""Words for purposes, and the kinds of things that serve them, the usual ones first."""


def things_for(purpose: str) -> tuple[str, ...]:
    """Returns the kinds of things that serve a purpose: those of the uses with the most words in common.

    Args:
        purpose: verb phrase: "dry my hands".
    """
    said = set(_WORD.findall(purpose.lower()))
    scores = [len(said.intersection(words.split())) for words, _ in _USES]
    best = max(scores)
    if not best:
        return ()
    uses = (kinds for score, (_, kinds) in zip(scores, _USES, strict=True) if score == best)
    return tuple(dict.fromkeys(kind for kinds in uses for kind in kinds))


def furniture_named(purpose: str, knowledge: CategoryKnowledge) -> tuple[str, ...]:
    """Returns the kinds of furniture that a purpose names: the bunk bed of "put a child into a bunk bed"."""
    said = _WORD.findall(purpose.lower())
    names = [
        knowledge.canonical(" ".join(said[start : start + length]))
        for length in range(_LONGEST_NAME, 0, -1)
        for start in range(len(said) - length + 1)
    ]
    found = (name for name in names if name in knowledge.furniture)
    return tuple(dict.fromkeys(found))[:1]
