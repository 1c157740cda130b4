"""Presets: named choices of settings for the one agent. Every ablation is a preset plus overrides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from stma_ros.agents.wiring import COMPONENTS
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import configure, suggest

Overrides = Mapping[str, Mapping[str, Any]]
"""Values by component and setting; values may be text."""

DEFAULT_PRESET = "full"

PRESETS: Mapping[str, Overrides] = {
    "full": {},
}


def component_configs(preset: str = DEFAULT_PRESET, overrides: Overrides | None = None) -> dict[str, Any]:
    """The config of every component, by name: defaults, then the preset's values, then the overrides.

    Raises ConfigurationError for a preset, component or setting that does not exist and for a bad value.
    """
    if preset not in PRESETS:
        raise ConfigurationError(f"there is no preset {preset!r}. {suggest(preset, PRESETS)}")
    overrides = overrides or {}
    for name in overrides:
        if name not in COMPONENTS:
            raise ConfigurationError(f"there is no component {name!r}. {suggest(name, COMPONENTS)}")
    return {
        name: configure(spec.config, {**PRESETS[preset].get(name, {}), **overrides.get(name, {})}, name)
        for name, spec in COMPONENTS.items()
    }


def parse_assignments(assignments: Iterable[str]) -> dict[str, dict[str, str]]:
    """KEY=VALUE texts as values by owner: "planner.x=1" belongs to "planner", "tasks=find" to "".

    Raises ConfigurationError for a text without a key or an equals sign.
    """
    values: dict[str, dict[str, str]] = {}
    for assignment in assignments:
        key, equals, value = assignment.partition("=")
        if not key.strip() or not equals:
            raise ConfigurationError(
                f"--set wants KEY=VALUE (for example spatial_memory.resolution=0.1), got {assignment!r}"
            )
        owner, _, name = key.strip().rpartition(".")
        values.setdefault(owner, {})[name] = value.strip()
    return values
