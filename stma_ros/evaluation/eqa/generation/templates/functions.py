"""Functional reasoning: which thing serves a purpose."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from stma_ros.evaluation.eqa.generation.episode import Sight
from stma_ros.evaluation.eqa.generation.home import QuestionHome
from stma_ros.evaluation.eqa.generation.nouns import the_or_a, written
from stma_ros.evaluation.eqa.generation.templates.template import Aim, Candidate, Template, about

_TOOLS: Final[dict[str, tuple[str, ...]]] = {
    "dry my hair": ("hair dryer", "towel"),
    "write down a shopping list": ("notebook",),
    "listen to music": ("radio", "headphones", "laptop", "phone", "tablet", "tv", "piano"),
    "take a photo": ("camera", "phone", "tablet"),
    "get some light during a power cut": ("torch", "candle", "phone"),
    "carry my books to school": ("backpack", "bag"),
    "stay dry in the rain": ("umbrella",),
    "drive a nail into the wall": ("hammer",),
    "fasten a few sheets of paper together": ("stapler",),
    "water the plants": ("watering can", "jug", "bucket"),
    "dry myself after a bath": ("towel",),
    "brush my teeth": ("toothbrush",),
    "press a crumpled shirt": ("iron",),
    "boil water for tea": ("kettle", "pot", "stove", "microwave"),
    "toast a slice of bread": ("toaster", "oven"),
    "make a coffee": ("coffee machine", "kettle", "coffee"),
    "fry an egg": ("pan",),
    "cook soup": ("pot",),
    "carry several cups at once": ("tray",),
    "protect the worktop while I cut vegetables": ("chopping board",),
    "see what time it is": ("clock", "phone"),
    "keep warm on the sofa": ("blanket",),
    "switch to another TV channel": ("remote",),
    "pay in a shop": ("wallet", "phone"),
    "carry water to mop the floor": ("bucket",),
    "scrub the dishes": ("sponge",),
    "cool down on a hot day": ("fan",),
    "warm up a cold room": ("heater",),
    "play a tune": ("piano",),
    "find out where a country is": ("globe", "laptop", "phone", "tablet"),
    "keep cut flowers fresh": ("vase", "jug", "watering can"),
    "protect my head from the sun": ("hat", "umbrella"),
    "wash my hair": ("shampoo",),
    "treat a headache": ("medicine",),
    "wash a load of clothes": ("washing machine",),
    "dry wet clothes quickly": ("dryer",),
    "freeze some food": ("freezer",),
}
"""Purpose -> all categories that serve it."""

_MOST = 2  # kinds of things in view that serve a purpose


def _tool(home: QuestionHome, aim: Aim) -> Iterator[Candidate]:
    for purpose in aim.subjects:
        found = [category for category in _TOOLS[purpose] if home.things(category)]
        if not 1 <= len(found) <= _MOST:
            continue
        things = [thing for category in found for thing in home.things(category)]
        answers = [the_or_a(found[0])[1], *(text for category in found for text in the_or_a(category))]
        for thing in things:
            if thing.portable:
                noun, support = written(thing.category), written(home.support(thing).category)
                answers.append(f"the {noun} {'in' if thing.inside else 'on'} the {support}")
            answers.append(f"the {written(thing.category)} in the {home.room_kind(thing)}")
        sight = Sight.any_of(tuple(thing.name for thing in things))
        yield Candidate({"purpose": purpose}, tuple(dict.fromkeys(answers)), (sight,))
        return


TOOL_FOR = Template(
    "tool for",
    (
        "What can I use to {purpose}?",
        "Is there something in this flat that I can use to {purpose}? What is it?",
        "I would like to {purpose}. What should I use?",
        "What is there in this home that I could use to {purpose}?",
        "Which thing here would help me to {purpose}?",
    ),
    about(tuple(_TOOLS)),
    _tool,
)
