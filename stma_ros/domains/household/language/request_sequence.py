"""Collects the requests of one text in the order in which they have to be carried out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from stma_ros.domains.household.language.request import Request
from stma_ros.domains.household.language.sentence import Clause


@dataclass
class RequestSequence:
    """The requests of one text.

    Attributes:
        requests: in the order of execution.
        stage: number of "then" so far.
        last_start: index of the first request of the last clause.
        postponed: requests that come after the others of their sentence.
    """

    requests: list[Request] = field(default_factory=list)
    stage: int = 0
    last_start: int = 0
    postponed: Sequence[Request] = ()

    @property
    def number(self) -> int:
        """How many requests there are, with the postponed ones."""
        return len(self.requests) + len(self.postponed)

    @property
    def last(self) -> list[Request]:
        """The requests of the last clause."""
        return self.requests[self.last_start :]

    def add(self, clause: Clause, requests: Sequence[Request]) -> None:
        """Adds the requests of a clause."""
        if clause.comes_next:
            self.postponed = (*self.postponed, *requests)
        elif clause.comes_first:
            earlier = [replace(request, stage=self.stage - 1) for request in requests]
            self.requests[self.last_start : self.last_start] = earlier
            self.last_start += len(earlier)
        else:
            self.last_start = len(self.requests)
            self.requests.extend(requests)

    def replace_last(self, requests: Sequence[Request]) -> None:
        """Puts other requests in place of those of the last clause."""
        self.requests[self.last_start :] = requests

    def end_sentence(self) -> None:
        """Adds the requests that come after the others of the sentence that ends."""
        self.stage += bool(self.postponed)
        self.requests.extend(replace(request, stage=self.stage) for request in self.postponed)
        self.postponed = ()
