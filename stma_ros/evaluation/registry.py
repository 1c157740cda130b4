"""The suites there are; each is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stma_ros.evaluation.suite import Suite
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import configure, suggest

SUITES = ("rearrangement", "perception", "mapping")


def make_suite(name: str, settings: Mapping[str, Any]) -> Suite:
    """A suite with its settings, whose values may be text.

    Raises ConfigurationError for a suite or setting that does not exist and for a bad value.
    """
    if name == "rearrangement":
        from stma_ros.evaluation.rearrangement import Rearrangement, RearrangementSettings

        return Rearrangement(configure(RearrangementSettings, settings, name))
    if name == "perception":
        from stma_ros.evaluation.perception import Perception, PerceptionSettings

        return Perception(configure(PerceptionSettings, settings, name))
    if name == "mapping":
        from stma_ros.evaluation.mapping import MappingSettings, MappingSpeed

        return MappingSpeed(configure(MappingSettings, settings, name))
    raise ConfigurationError(f"there is no suite {name!r}. {suggest(name, SUITES)}")
