"""What things are for."""

from __future__ import annotations

import re

from stma_ros.domains.eqa.question import AnswerForm, Relation, TypedQuestion
from stma_ros.memory.category_knowledge import CategoryKnowledge

_WORD = re.compile(r"[a-z]+")
_LONGEST_NAME = 3  # words of the name of a kind

_USES: tuple[tuple[str, str, str], ...] = (
    ("cool breeze air airflow fan hot", "fan, air conditioner", ""),
    (
        "cool chill fresh ice freeze drinks food milk meat fruits vegetables leftovers store last",
        "",
        "fridge, freezer, refrigerator",
    ),
    ("dry hands hand dishes body face towel", "towel, hand towel, dishcloth, kitchen towel", ""),
    ("dry blow hair", "hair dryer, towel", ""),
    ("dry wet clothes clothing laundry", "dryer, clothes rack, drying rack", ""),
    ("umbrella stay dry rain wet", "umbrella", ""),
    ("nap sleep rest lie", "", "bed, bunk bed, sofa, couch"),
    ("sit seat relax", "", "sofa, armchair, chair, couch, stool, bench"),
    ("warm cosy cold cover evening", "blanket, jacket", ""),
    ("warm heat cosy cold", "", "heater, radiator, fireplace"),
    ("warm reheat heat leftovers lunch dinner food meal milk soup", "", "microwave, oven, stove"),
    ("cook boil soup pasta stew rice potatoes vegetables noodles", "pot, pan, stove", ""),
    ("fry eggs pancakes omelette bacon", "pan, frying pan, stove", ""),
    ("cook fry boil meal food dinner", "", "stove, oven, cooker, microwave"),
    ("bake roast cake pie pizza", "oven", ""),
    ("boil brew water tea", "kettle", "stove"),
    ("toast bread", "toaster, oven", ""),
    ("wash dirty clothes laundry", "", "washing machine"),
    ("wash clean hands face dishes rinse", "sink, washbasin, dishwasher", ""),
    ("wash scrub wipe clean dishes counter table spill", "sponge, dishcloth", ""),
    ("wash clean hands soap", "soap", ""),
    ("wash hair", "shampoo", ""),
    ("bath bathe", "", "bathtub, bath"),
    ("shower", "", "shower, bathtub"),
    ("toilet bathroom", "", "toilet"),
    ("read see light lights dark night bright brighten", "lamp, floor lamp, table lamp", ""),
    ("read book story", "book, magazine, newspaper", "armchair, sofa, chair"),
    ("read news newspaper", "newspaper, tablet", ""),
    ("watch film movie news show tv television", "tv, television, laptop", ""),
    ("switch change channels tv television volume remotely", "remote, remote control", ""),
    ("work homework study write", "", "desk, laptop, table"),
    ("eat dine dinner lunch breakfast", "", "dining table, table, kitchen table"),
    ("eat hungry snack", "food, fruit", ""),
    ("eat stir tea coffee soup cereal yoghurt", "spoon", ""),
    ("eat salad spaghetti", "fork", ""),
    ("listen music songs", "radio, speaker, stereo", ""),
    ("play music songs instrument", "piano, guitar, radio, speaker", ""),
    ("hear listen alone disturbing music", "headphones", ""),
    ("hang coat jacket", "", "coat rack, wardrobe, hook"),
    ("store clothes", "", "wardrobe, dresser, closet"),
    ("store books", "", "bookshelf, shelf"),
    ("store shoes", "", "shoe rack"),
    ("coffee brew cup", "coffee machine, coffee maker, kettle", ""),
    ("throw away rubbish trash waste garbage dispose rid", "", "bin, trash can, waste bin, rubbish bin"),
    ("carry bring transport along", "bag, backpack, basket, tray, box, bucket", ""),
    ("carry bring shopping groceries", "bag, basket, backpack", ""),
    ("carry bring school hike", "backpack, bag", ""),
    ("carry fetch water mop floor", "bucket", ""),
    ("carry bring serve drinks coffee tea cups plates breakfast", "tray", ""),
    ("pack travel trip holiday clothes", "suitcase, backpack, bag", ""),
    ("pour serve water juice", "jug, bottle, glass", ""),
    ("drink thirsty water juice milk coffee tea", "mug, glass, cup, bottle", ""),
    ("brush clean teeth", "toothbrush", ""),
    ("weigh", "scale", ""),
    ("measure", "ruler, tape measure", ""),
    ("fix repair screw nail", "toolbox, screwdriver, hammer", ""),
    ("fix screw tighten loose loosen", "screwdriver", ""),
    ("photos pictures film", "camera, phone, tablet", ""),
    ("hit drive hang nail picture wall hammer", "hammer", ""),
    ("time clock late hour see tell", "clock, watch, alarm clock", ""),
    ("wake morning", "alarm clock, clock", ""),
    ("mirror look see face hair outfit appearance", "mirror", ""),
    ("exercise train run workout fit", "treadmill, exercise bike, dumbbell", ""),
    ("clean vacuum floor carpet sweep dust", "vacuum cleaner, broom, mop", ""),
    ("mop wet floor", "mop, bucket", ""),
    ("iron smooth shirt creases crumpled", "iron, ironing board", ""),
    ("call phone ring friend", "phone, telephone", ""),
    ("charge phone laptop battery", "charger", ""),
    ("cut slice bread meat apple peel", "knife, scissors", ""),
    ("cut paper wrapping cloth", "scissors", ""),
    ("open parcel package letter", "scissors, knife", ""),
    ("chop vegetables board", "chopping board, cutting board, knife", ""),
    ("way see dark cellar attic power outage light shine", "torch, flashlight", ""),
    ("staple fasten sheets papers together", "stapler", ""),
    ("flowers bunch bouquet", "vase", ""),
    ("water plants flowers", "watering can", ""),
    ("comb brush hair", "comb, hairbrush", ""),
    ("write notes letter list draw sketch", "pen, pencil, notebook", ""),
    ("pay shop bills money", "wallet, purse, phone", ""),
    ("unlock lock door", "key", ""),
    ("play game children kids throw catch", "ball, toy, game", ""),
    ("wipe blow nose sneeze", "tissue box, tissues, toilet paper", ""),
    ("sun head cap", "hat, cap", ""),
    ("sun glare eyes", "sunglasses", ""),
    ("wear cold walk winter", "jacket, hat", ""),
    ("rest head sleeping neck", "pillow", ""),
    ("headache pain ill sick fever", "medicine", ""),
    ("map countries continents world", "globe", ""),
    ("light evening cosy romantic", "candle", ""),
    ("surf internet email web type", "laptop, computer, tablet", ""),
)
"""Words for purposes; the kinds of things by which they are served, the usual ones first, and the furniture at which
they are."""

_HEAD_WEIGHT = 2  # of the words that say what is done, compared with those that say when, where or what for
_AFTER_HEAD = re.compile(
    r" (?:after|before|while|when|if|because|since|so|until|during|in|on|at|to|into|onto|from|under|near|by|without"
    r"|for)\b"
)
_ENDING = re.compile(r"(?:ing|ed|es|s|e)$")
_DOUBLE = re.compile(r"([b-df-hj-np-tv-z])\1$")
_SHORTEST_STEM = 3

_SEATS = ("chair", "armchair", "stool", "bench", "sofa")
_BEDS = ("bed", "bunk bed")
_LYING = frozenset(("sleep", "nap", "lie", "rest"))
_WIDTH_OF_A_SEAT = 0.6  # [m] on a sofa or a bench
_SHARED_SEATS = frozenset(("sofa", "bench"))


def _stem(word: str) -> str:
    """Returns the common part of the forms of a word: "cut" of "cutting", "dry" of "dries"."""
    word = re.sub(r"ies$", "y", word)
    stem = _ENDING.sub("", word)
    if len(stem) < _SHORTEST_STEM:
        return word
    return _DOUBLE.sub(r"\1", stem)


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(_stem, _WORD.findall(text.lower())))


def _kinds(text: str) -> tuple[str, ...]:
    return tuple(filter(None, text.split(", ")))


_STEMS_OF_USES = tuple((_stems(words), _kinds(things), _kinds(places)) for words, things, places in _USES)


def things_for(purpose: str, *, place: bool = False) -> tuple[str, ...]:
    """Returns the kinds of things that serve a purpose: those of the uses with the most words in common.

    Args:
        purpose: verb phrase: "dry my hands after a bath". What is done counts more than when, where or what for.
        place: whether furniture comes before the other things: what is asked for is where it is done.
    """
    said = f" {purpose.lower()}"
    start = _AFTER_HEAD.search(said, 1)
    head = _stems(said[: start.start()] if start is not None else said)
    rest = _stems(said) - head
    scores = [_HEAD_WEIGHT * len(head & words) + len(rest & words) for words, _, _ in _STEMS_OF_USES]
    best = max(scores)
    if not best:
        return ()
    uses = [use for score, use in zip(scores, _STEMS_OF_USES, strict=True) if score == best]
    things = [kind for _, kinds, _ in uses for kind in kinds]
    places = [kind for _, _, kinds in uses for kind in kinds]
    return tuple(dict.fromkeys((*places, *things) if place else (*things, *places)))


def serving_kinds(question: TypedQuestion, knowledge: CategoryKnowledge) -> tuple[str, ...]:
    """Returns the kinds of things that answer a question for a function, those first that serve it best.

    "What can I use to keep warm on the sofa?" asks for means, which are not the sofa; "Where can I sit at a desk?" asks
    for the desk.
    """
    named = _named(question, knowledge)
    target = question.target
    is_named = target is not None and bool(target.category) and knowledge.knows(target.category)
    if question.answer_form is AnswerForm.OBJECT and target is not None and is_named:
        return (target.category,)  # "which chair can I sit on"
    asks_for_means = question.answer_form in (AnswerForm.OBJECT, AnswerForm.FREE) or (
        target is not None and not target.category
    )
    furniture = furniture_named(question.purpose, knowledge)
    if not asks_for_means:
        return named or furniture or things_for(question.purpose, place=True)
    means = things_for(question.purpose)
    return tuple(kind for kind in means if kind not in named) or named or furniture


def _named(question: TypedQuestion, knowledge: CategoryKnowledge) -> tuple[str, ...]:
    """Returns the known kinds of the landmarks of a question, without those of parts: "a load of clothes"."""
    return tuple(
        mark.category
        for place in question.places
        if place.relation is not Relation.PART_OF
        for mark in place.landmarks
        if mark.category and knowledge.knows(mark.category) and not knowledge.is_room(mark.category)
    )


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


def kinds_for_people(purpose: str) -> tuple[str, ...]:
    """Returns the kinds of furniture that hold people who do something: beds for sleepers, otherwise seats."""
    return _BEDS if _LYING & frozenset(_WORD.findall(purpose.lower())) else _SEATS


def people_on(kind: str, length: float) -> int:
    """Returns the number of people that a bed or a seat holds. length: of its longest side [m]."""
    if kind == "bunk bed":
        return 2
    return max(1, int(length / _WIDTH_OF_A_SEAT)) if kind in _SHARED_SEATS else 1
