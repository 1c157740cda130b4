"""Compares the errors that components raise in a replay with the recorded ones."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Collection

from stma_ros.agents.journal import HANDLING
from stma_ros.replay.comparison import Difference, DifferenceKind
from stma_ros.types import topics
from stma_ros.types.control import Fault, JournalEntry
from stma_ros.types.errors import described


class ErrorComparison:
    """Compares the texts of errors, which hosts publish as faults."""

    def __init__(self, as_recorded: Callable[[str], str] = str) -> None:
        """as_recorded: puts recorded paths into a text of the replay."""
        self._as_recorded = as_recorded
        # The errors without a counterpart so far, by component and text.
        self._recorded: dict[tuple[str, str], deque[int]] = defaultdict(deque)
        self._replayed: dict[tuple[str, str], deque[tuple[int, JournalEntry]]] = defaultdict(deque)

    def recorded(self, number: int, fault: Fault) -> None:
        """Takes a recorded error. number: of its message in the bag."""
        about = fault.node, fault.error.text
        if raised := self._replayed.get(about):
            raised.popleft()
        elif fault.error.text.startswith(HANDLING):
            self._recorded[about].append(number)

    def replayed(self, number: int, component: str, cause: JournalEntry, error: Exception) -> None:
        """Takes an error of the replay. number: of its cause in the bag."""
        about = component, self._as_recorded(f"{HANDLING}{cause.topic}: {described(error)}")
        if places := self._recorded.get(about):
            places.popleft()
        else:
            self._replayed[about].append((number, cause))

    def differences(self, known: Collection[str], whole: bool) -> list[Difference]:
        """Returns the differences. known: components with complete inputs. whole: whether the recording has no gaps."""
        found = []
        for (name, text), raised in self._replayed.items():
            fields = (("error", "none", text),)
            for number, cause in raised if name in known else ():
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
