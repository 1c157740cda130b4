"""The templates of each category, and how often each is drawn."""

from __future__ import annotations

from typing import Final

from stma_ros.evaluation.eqa.generation.episode import Category
from stma_ros.evaluation.eqa.generation.templates import attributes, localization, recognition, states
from stma_ros.evaluation.eqa.generation.templates.template import Template

CATALOGUE: Final[dict[Category, dict[Template, float]]] = {
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
}
"""Category -> template -> its share in the category."""
