"""The templates of each category, and how often each is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stma_ros.evaluation.eqa.generation.episode import Category
from stma_ros.evaluation.eqa.generation.templates import (
    attributes,
    counting,
    existence,
    functions,
    knowledge,
    localization,
    recognition,
    spatial,
    states,
)
from stma_ros.evaluation.eqa.generation.templates.false_premise import FALSE_PREMISES
from stma_ros.evaluation.eqa.generation.templates.template import Template

CATALOGUE: Final[Mapping[Category, Mapping[Template, float]]] = {
    Category.OBJECT_RECOGNITION: {recognition.THING_ON: 0.6, recognition.COLOURED_THING: 0.4},
    Category.ATTRIBUTE_RECOGNITION: {attributes.COLOUR_OF: 1.0},
    Category.OBJECT_STATE: {
        states.IS_OPEN: 0.15,
        states.IS_CLOSED: 0.1,
        states.OPEN_OR_CLOSED: 0.1,
        states.IS_ON: 0.15,
        states.ON_OR_OFF: 0.1,
        states.WHAT_IS_ON: 0.2,
        states.WHAT_IS_OPEN: 0.2,
    },
    Category.OBJECT_LOCALIZATION: {localization.ROOM_OF: 0.4, localization.WHERE_IS: 0.6},
    Category.SPATIAL_UNDERSTANDING: {
        spatial.NEXT_TO: 0.3,
        spatial.NEARER: 0.2,
        spatial.BIGGER_ROOM: 0.2,
        spatial.SAME_ROOM: 0.15,
        spatial.DOOR_BETWEEN: 0.15,
    },
    Category.FUNCTIONAL_REASONING: {functions.TOOL_FOR: 1.0},
    Category.WORLD_KNOWLEDGE: {knowledge.POSSIBLE: 0.5, knowledge.BEST_ROOM: 0.4, knowledge.SEATS: 0.1},
    Category.EXISTENCE: {existence.EXISTS: 0.5, existence.EXISTS_IN_ROOM: 0.5},
    Category.COUNTING: {
        counting.HOW_MANY: 0.3,
        counting.HOW_MANY_IN_ROOM: 0.3,
        counting.HOW_MANY_ROOMS: 0.1,
        counting.HOW_MANY_DOORS: 0.1,
        counting.HOW_MANY_ON: 0.2,
    },
    Category.FALSE_PREMISE: FALSE_PREMISES,
}
"""Category -> template -> its share in the category."""
