"""The registry of measurements of `stma bench`, including those that need a ROS graph or sessions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from stma_ros.evaluation import registry
from stma_ros.evaluation.measurement import Measurement
from stma_ros.ros.availability import require_ros
from stma_ros.types.settings import configure


def _bridge(settings: Mapping[str, Any]) -> Measurement:
    require_ros()
    from stma_ros.apps.bridge_speed import BridgeSettings, BridgeSpeed

    return BridgeSpeed(configure(BridgeSettings, settings, "bridge"))


def _mapping_latency(settings: Mapping[str, Any]) -> Measurement:
    require_ros()
    from stma_ros.apps.mapping_latency import MappingLatency, MappingLatencySettings

    return MappingLatency(configure(MappingLatencySettings, settings, "mapping_latency"))


def _learning(settings: Mapping[str, Any]) -> Measurement:
    from stma_ros.apps.learning import Learning, LearningSettings

    return Learning(configure(LearningSettings, settings, "learning"))


ROS_MEASUREMENTS = frozenset(("bridge", "mapping_latency"))
"""Names of the measurements that start ROS nodes."""

MEASUREMENTS: Mapping[str, Callable[[Mapping[str, Any]], Measurement]] = {
    **registry.MEASUREMENTS,
    "bridge": _bridge,
    "mapping_latency": _mapping_latency,
    "learning": _learning,
}
"""Factories of measurements from their settings, whose values may be text; they raise ConfigurationError for a wrong
one."""
