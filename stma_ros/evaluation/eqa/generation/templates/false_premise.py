"""False premises: questions about something that does not exist. They sound like those about things that do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from stma_ros.evaluation.eqa.generation.home import QuestionHome
from stma_ros.evaluation.eqa.generation.nouns import are, called, none_there, they, written
from stma_ros.evaluation.eqa.generation.survey import Survey
from stma_ros.evaluation.eqa.generation.templates import (
    attributes,
    localization,
    recognition,
    spatial,
    states,
)
from stma_ros.evaluation.eqa.generation.templates.existence import IN_SOME_FLATS, all_rooms, where_it_could_be
from stma_ros.evaluation.eqa.generation.templates.template import FEW, Aim, Candidate, Template, about
from stma_ros.worlds.house.kinds.furniture_kinds import FURNITURE
from stma_ros.worlds.house.kinds.item_kinds import ITEMS

_COLOURED = ("armchair", "piano", "ironing board", "office chair", "washing machine", "bathtub", "dryer")
_DEVICES = ("dryer", "microwave", "fan", "heater", "washing machine", "laptop", "kettle", "radio", "toaster")
_OPENING = ("dryer", "microwave", "washing machine", "chest", "dresser")
_WITH_TOP = (
    "piano",
    "workbench",
    "bench",
    "desk",
    "ironing board",
    "armchair",
    "shoe rack",
    "laundry basket",
)


def _absent(home: QuestionHome, aim: Aim) -> Iterator[Candidate]:
    for category in aim.subjects:
        if not called(category, home.categories):
            words = {"the": f"the {written(category)}", "are": are(category), "they": they(category)}
            survey = Survey(where_it_could_be(category), all_rooms(home))
            yield Candidate(words, none_there(category), (), survey)
            return


def _without(template: Template, subjects: tuple[str, ...]) -> Template:
    """Returns a template that asks the same about things that do not exist."""
    return replace(template, draw=about(subjects, FEW), candidates=_absent)


_ITEMS = tuple(category for category in IN_SOME_FLATS if category in ITEMS)
_FURNITURE = tuple(category for category in IN_SOME_FLATS if category in FURNITURE)

FALSE_PREMISES: Mapping[Template, float] = {
    _without(attributes.COLOUR_OF, (*_COLOURED, *_ITEMS)): 0.25,
    _without(localization.WHERE_IS, _ITEMS): 0.2,
    _without(localization.ROOM_OF, (*_ITEMS, *_FURNITURE)): 0.15,
    _without(states.IS_ON, _DEVICES): 0.1,
    _without(states.IS_OPEN, _OPENING): 0.1,
    _without(recognition.THING_ON, _WITH_TOP): 0.1,
    _without(spatial.NEXT_TO, _FURNITURE): 0.1,
}
"""Template -> its share of the false premises."""
