"""Reads clauses that send the robot somewhere: "go to the kitchen", "look into the wardrobe"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from stma_ros.domains.household.language import frames
from stma_ros.domains.household.language.request_sequence import RequestSequence
from stma_ros.domains.household.language.requests import RequestReader
from stma_ros.domains.household.language.sentence import Clause
from stma_ros.domains.household.language.unread import UnreadError

_GO = re.compile(
    r"(?:(?P<goes>go|walk|head|drive|move|run|come|proceed|nip|pop|hop|return|travel|step)(?: over| back| down|"
    r" up)? (?:to|into|in)"
    r"|(?:look|have a look|check) (?:in|into|inside|on|at)) (?P<place>(?:(?! for ).)+)"
)

_COME_BACK = re.compile(r"come back(?: (?:here|over|to (?:me|us)))*")


@dataclass
class MovementReader:
    """Reads the movements of one text.

    Attributes:
        reader: of requests.
        passes_through: whether the previous clause sends the robot to a room.
    """

    reader: RequestReader
    passes_through: bool = False

    def read(self, text: str, following: Clause | None, sequence: RequestSequence) -> bool:
        """Reads a clause that sends the robot somewhere; False for other clauses.

        Args:
            text: of the clause.
            following: the next clause; None = there is none.
            sequence: is given the request to go to a last destination.

        Raises:
            UnreadError: the robot cannot go there.
        """
        if following is not None and _COME_BACK.fullmatch(text):
            self.reader.destination = None
            return True
        movement = _GO.fullmatch(text)
        if movement is None or frames.is_conversation(text):
            return False  # "come to think of it"
        place = movement["place"]
        if place == "bed":
            raise UnreadError(text)  # what people do at night
        if movement["goes"] and self._is_final_destination(place, following):
            request = self.reader.approach(place, sequence.stage, in_last_room=self.passes_through)
            sequence.requests.append(request)
            self.passes_through = False
            return True
        if following is None:
            return False
        self.reader.go_to(place)
        self.passes_through = self.reader.is_room(place)
        return True

    def _is_final_destination(self, place: str, following: Clause | None) -> bool:
        """Whether the robot is sent to a place without a request there; a room before another place is not final."""
        if following is None:
            return True
        next_destination = _GO.fullmatch(following.text)
        return (
            next_destination is not None and bool(next_destination["goes"]) and not self.reader.is_room(place)
        )
