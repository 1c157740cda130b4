"""Converts the engine's errors to errors of this package."""

from __future__ import annotations

from stma_ros.types.errors import ConfigurationError, MissingDependencyError, StmaError, WorldError
from stma_ros.worlds.habitat.engine.errors import Code, EngineError

_LOST = (Code.DIED, Code.TOO_SLOW, Code.OUT_OF_MEMORY)
_TO_CONFIGURE = (
    Code.UNKNOWN_VERSION,
    Code.NO_GPU,
    Code.MISSING_ASSET,
    Code.NO_NAVMESH,
    Code.NO_SEMANTICS,
)


class EngineLostError(WorldError):
    """The engine's process has ended, or was killed. A new one can continue from the same state."""


def ours(error: EngineError) -> StmaError:
    """Converts an error: MissingDependencyError without the engine, ConfigurationError for impossible settings,
    EngineLostError when the engine has ended, WorldError otherwise."""
    if error.code == Code.NO_ENGINE:
        return MissingDependencyError(error.text)
    if error.code in _TO_CONFIGURE:
        return ConfigurationError(error.text)
    if error.code in _LOST:
        return EngineLostError(error.text)
    return WorldError(error.text)
