"""Compares the errors that components raise in a replay with the recorded ones."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection

from stma_ros.agents.journal import HANDLING
from stma_ros.replay.comparison import Difference, DifferenceKind
from stma_ros.types import topics
from stma_ros.types.control import Fault, JournalEntry
from stma_ros.types.errors import described

_MAX_ERRORS = 1_000  # on each side


class ErrorComparison:
    """Compares the texts of errors, which hosts publish as faults."""

    def __init__(self) -> None:
        self._recorded: dict[tuple[str, str], deque[int]] = defaultdict(deque)
        self._replayed: list[tuple[int, str, JournalEntry, str]] = []

    def recorded(self, number: int, fault: Fault) -> None:
        """Takes a recorded error. number: of its message in the bag."""
        places = self._recorded[fault.node, fault.error.text]
        if fault.error.text.startswith(HANDLING) and len(places) < _MAX_ERRORS:
            places.append(number)

    def replayed(self, number: int, component: str, cause: JournalEntry, error: Exception) -> None:
        """Takes an error of the replay. number: of its cause in the bag."""
        if len(self._replayed) < _MAX_ERRORS:
            text = f"{HANDLING}{cause.topic}: {described(error)}"
            self._replayed.append((number, component, cause, text))

    def differences(self, known: Collection[str], whole: bool) -> list[Difference]:
        """Returns the differences. known: components with complete inputs. whole: whether the recording has no gaps."""
        found = []
        for number, name, cause, text in self._replayed:
            places = self._recorded[name, text]
            if places:
                places.popleft()
            elif name in known:
                fields = (("error", "none", text),)
                about = cause.topic, cause.id, cause.revision
                found.append(Difference(DifferenceKind.RAISED, number, name, cause, *about, fields))
        for (name, text), places in self._recorded.items():
            fields = (("error", text, "none"),)
            if name in known and whole:
                found += [
                    Difference(DifferenceKind.CALM, number, name, None, topics.FAULT, "", 0, fields)
                    for number in places
                ]
        return found
