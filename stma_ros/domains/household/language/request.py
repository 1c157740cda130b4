"""A request of a text."""

from __future__ import annotations

from dataclasses import dataclass

from stma_ros.domains.household.goals import Goal
from stma_ros.domains.household.language.noun_phrase import Phrase


@dataclass(frozen=True)
class Request:
    """A goal and its request in the text.

    Attributes:
        goal: the goal.
        phrase: names its objects.
        stage: goals of a later stage come after those of an earlier one.
        means: whether the request is to find or take the object, which a further request for the same object includes.
    """

    goal: Goal
    phrase: Phrase
    stage: int = 0
    means: bool = False
