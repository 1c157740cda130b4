"""Requests to end the states of which a text complains: "somebody left the fridge open"."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from stma_ros.domains.household.language.politeness import without_politeness
from stma_ros.domains.household.language.request_sequence import RequestSequence
from stma_ros.domains.household.language.requests import RequestReader
from stma_ros.domains.household.language.rewriting import Rewriter
from stma_ros.domains.household.language.unread import UnreadError


@dataclass
class Remedies:
    """The complaints of one text.

    Attributes:
        reader: of requests.
        rewriter: of clauses.
        imperatives: what ends the states of which the text complains.
    """

    reader: RequestReader
    rewriter: Rewriter
    imperatives: list[str] = field(default_factory=list)

    def read(self, text: str, remedy: str) -> None:
        """Reads a statement of how something wrongly is, which a text that requests nothing else asks to end.

        Args:
            text: the statement.
            remedy: the request that ends the state.

        Raises:
            UnreadError: the request is not read.
        """
        imperative = self.rewriter.to_imperative(without_politeness(remedy))
        if not imperative:
            raise UnreadError(text)
        if imperative.startswith("put "):
            self.reader.read(imperative, 0)  # names the thing without the place where it is not yet
        else:
            self.reader.read_remark(re.sub(r"^(?:switch (?:on|off)|\w+) ", "", imperative))
        self.imperatives.append(imperative)

    def request(self, sequence: RequestSequence) -> None:
        """Adds requests to end these states, unless there are requests for the things. Raises UnreadError."""
        requests = sequence.requests
        for imperative in self.imperatives:
            known = {request.phrase.what for request in requests}
            read = self.reader.read(imperative, sequence.stage)
            requests.extend(request for request in read if request.phrase.what not in known)
