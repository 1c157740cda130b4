"""Names of the detectors that say something, as in `perception.source`."""

from __future__ import annotations

from collections.abc import Iterable

from stma_ros.types.sensing import Detection


def united(*names: Iterable[str]) -> tuple[str, ...]:
    """Returns the names without repetitions, sorted."""
    return tuple(sorted({name for each in names for name in each}))


def detectors_of(detection: Detection) -> tuple[str, ...]:
    """Returns the names of the detectors that made a detection; an unknown one has an empty name."""
    return united(each.source for each in detection.hypotheses)
