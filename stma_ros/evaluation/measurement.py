"""The interface of measurements: benchmarks without agent, world or task."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol


class Measurement(Protocol):
    """A benchmark of `stma bench` that needs no agent."""

    @property
    def name(self) -> str: ...

    @property
    def settings(self) -> Mapping[str, Any]:
        """As a result file states them."""
        ...

    @property
    def columns(self) -> Mapping[str, str]:
        """The headings of its table, by their keys in the rows."""
        ...

    @property
    def total(self) -> int:
        """Rows that there will be."""
        ...

    def rows(self, seed: int) -> Iterator[dict[str, Any]]:
        """The rows of a result, each as soon as it is measured; `preset`, `group` and `episodes` are what is measured,
        on what, and how often. Raises StmaError when it cannot be measured."""
        ...
