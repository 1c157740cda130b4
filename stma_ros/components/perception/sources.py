"""The settings that name detectors: one or several of the registry, with their reliability."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from stma_ros.components.perception.detector_registry import DETECTORS
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import suggest

if TYPE_CHECKING:
    from stma_ros.components.perception.detector_registry import DetectorResources
    from stma_ros.sensing.detectors.fused import FusedDetector


def source_names(text: str) -> tuple[str, ...]:
    """Returns the names in a value of `perception.source`, such as "network+model".

    Raises:
        ConfigurationError: A name is unknown or there twice.
    """
    names = tuple(name.strip() for name in text.split("+"))
    for name in names:
        _check_name(name)
    if len(set(names)) < len(names):
        raise ConfigurationError(f"each source may be named once, got {text!r}")
    return names


def _check_name(name: str) -> None:
    if name not in DETECTORS:
        raise ConfigurationError(
            f"there is no source {name!r}. {suggest(name, DETECTORS)} Several are joined by '+'"
        )


def check_sources(text: str) -> None:
    """Raises ConfigurationError for a text that `source_names` does not read."""
    source_names(text)


def shares_of(text: str) -> dict[str, float]:
    """Returns the share of each source in a text such as "network=0.85, model=0.6", or of all of them in one such as
    "0.8"; without a share for those that it does not name.

    Raises:
        ConfigurationError: A share is not between 0 and 1, or a name is unknown.
    """
    parts = [part for part in text.split(",") if part.strip()]
    shares: dict[str, float] = {}
    for part in parts:
        name, _, number = part.rpartition("=")
        name = name.strip()
        if name:
            _check_name(name)
        try:
            share = float(number)
        except ValueError:
            share = math.nan
        if not 0 < share < 1 or (not name and len(parts) > 1):
            raise ConfigurationError(
                "must be a share between 0 and 1, or one of each source such as 'network=0.85, model=0.6', got "
                f"{text!r}"
            )
        shares |= {name: share} if name else dict.fromkeys(DETECTORS, share)
    return shares


def check_shares(text: str) -> None:
    """Raises ConfigurationError for a text that `shares_of` does not read."""
    shares_of(text)


def make_detector(
    names: tuple[str, ...],
    resources: DetectorResources,
    recalls: Mapping[str, float],
    precisions: Mapping[str, float],
) -> FusedDetector:
    """Makes the detector of all the named sources.

    Args:
        names: At least one; the places of things are those of earlier ones.
        resources: What the detectors are made from.
        recalls: Recall by source; where there is none, the detector's own, or else that of the registry.
        precisions: Precision by source at a score of one half; where there is none, scores are probabilities.

    Raises:
        ConfigurationError: A source lacks a resource.
    """
    from stma_ros.sensing.detectors.fused import FusedDetector, SourceDetector
    from stma_ros.sensing.detectors.reliability import CALIBRATED, Reliability

    detectors = {name: DETECTORS[name].make(resources) for name in names}
    return FusedDetector(
        [
            SourceDetector(
                name,
                detector,
                Reliability(
                    recalls.get(name) or detector.recall or DETECTORS[name].recall,
                    precisions.get(name, CALIBRATED),
                ),
            )
            for name, detector in detectors.items()
        ],
        resources.knowledge,
    )
