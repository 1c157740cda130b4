"""Checks that a condition on a state is harmless: its request asks for nothing but the opposite of the state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from stma_ros.domains.household.goals import StateGoal
from stma_ros.domains.household.language.conditions import Condition
from stma_ros.domains.household.language.request import Request
from stma_ros.domains.household.language.requests import RequestReader


@dataclass
class PendingCondition:
    """The condition of the sentence that is being read.

    Attributes:
        reader: of requests.
        condition: under which the requests of this sentence are made; None = none.
        is_met: whether a request of this sentence asks for what the condition is about.
    """

    reader: RequestReader
    condition: Condition | None = None
    is_met: bool = False

    def begin(self, condition: Condition, last: Sequence[Request]) -> None:
        """Reads a condition before its request, or after it.

        Args:
            condition: the condition.
            last: the requests of the last clause.

        Raises:
            UnreadError: the requests ask for something else.
        """
        if not condition.comes_first:
            self._check(condition, last)
            return
        if not self.reader.mentions.is_pronoun(condition.thing):
            self.reader.read_remark(condition.thing)
        self.condition, self.is_met = condition, False

    def check(self, requests: Sequence[Request]) -> None:
        """Raises UnreadError unless requests ask for nothing but the opposite of the state in the condition."""
        if self.condition is not None:
            self._check(self.condition, requests)

    def end(self) -> None:
        """Ends the sentence. Raises UnreadError if no request was made under its condition."""
        if self.condition is not None and not self.is_met:
            raise self.condition.error
        self.condition = None

    def _check(self, condition: Condition, requests: Sequence[Request]) -> None:
        self.is_met = True
        for request in requests:
            is_wanted = isinstance(request.goal, StateGoal) and request.goal.state == condition.wanted
            if not is_wanted or not self.reader.is_about(condition.thing, request):
                raise condition.error
        if len(requests) != 1:
            raise condition.error
