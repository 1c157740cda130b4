"""Reads requests without a verb: "two spoons, please", "the mug in the sink"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from stma_ros.domains.household.goals import Goal, PlaceGoal
from stma_ros.domains.household.language.request import Request
from stma_ros.domains.household.language.requests import RequestReader
from stma_ros.domains.household.language.rewriting import Rewriter
from stma_ros.domains.household.language.unread import UnreadError
from stma_ros.types import vocabulary as words
from stma_ros.types.goals import ALL

_DETERMINED = re.compile(r"(?:the|a|an|my|our|all|every|both|two|three|four|five)\b")


@dataclass(frozen=True)
class VerblessReader:
    """Reads the requests without a verb of one text."""

    reader: RequestReader
    rewriter: Rewriter

    def object_alone(self, text: str, stage: int) -> tuple[Request, ...]:
        """Returns the requests for the objects that a polite text names alone. Raises UnreadError."""
        requests = self.reader.read(f"bring {text}", stage)
        knowledge = self.reader.knowledge
        for goal in (request.goal for request in requests):
            if (
                not knowledge.knows(goal.what.category)
                or not self.reader.lists.is_portable(goal.what.category)
                or not _is_definite(goal, text)
            ):
                raise UnreadError(text)
        return requests

    def placement(self, text: str, stage: int, *, is_listed: bool) -> tuple[Request, ...]:
        """Returns the requests for objects at a place, if they can be put there.

        Args:
            text: names of objects, each with a place.
            stage: of the requests.
            is_listed: whether a heading announces places. Otherwise, rooms alone may tell where things are.

        Raises:
            UnreadError: the text is no list of objects to be placed.
        """
        requests = self.reader.read(self.rewriter.add_verb(text), stage)
        knowledge = self.reader.knowledge
        is_listed = is_listed or any(_is_put(request.goal) for request in requests)
        has_direction = re.search(r"\b(?:to|into|onto)\b", text)
        for goal in (request.goal for request in requests):
            named = knowledge.is_known(goal.what.category) or _DETERMINED.match(text)
            fits = isinstance(goal, PlaceGoal) and (
                has_direction or _is_put(goal) or (is_listed and goal.relation == words.IN_ROOM)
            )
            if not (named and fits and self.reader.lists.is_portable(goal.what.category)):
                raise UnreadError(text)
        return requests


def _is_put(goal: Goal) -> bool:
    """Whether a goal has things in or on another one."""
    return isinstance(goal, PlaceGoal) and goal.relation in (words.IN, words.ON)


def _is_definite(goal: Goal, text: str) -> bool:
    """Whether a text names one object or a number of them; a bare plural such as "apples" leaves the number open."""
    return goal.what.place is None and (goal.count != ALL or bool(_DETERMINED.match(text)))
