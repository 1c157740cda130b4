"""The interface of measurements: benchmarks that are no episodes of a chosen agent in a chosen world."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol


class Measurement(Protocol):
    """A benchmark of `stma bench` for which no agent is chosen."""

    @property
    def name(self) -> str: ...

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings, as written to a result file."""
        ...

    @property
    def columns(self) -> Mapping[str, str]:
        """The headings of its table, by their keys in the rows."""
        ...

    @property
    def total(self) -> int:
        """Returns the number of rows."""
        ...

    def rows(self, seed: int) -> Iterator[dict[str, Any]]:
        """Yields the rows of a result, each as soon as it is measured. `preset`, `group` and `episodes` name the
        measured subject, its data, and the number of repetitions; None stands for a figure that a subject does not
        have. Raises StmaError when it cannot be measured."""
        ...
