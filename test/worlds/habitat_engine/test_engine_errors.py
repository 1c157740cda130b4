"""Errors of the engine are raised as errors of this package."""

from __future__ import annotations

import pytest

from stma_ros.types.errors import ConfigurationError, MissingDependencyError, StmaError, WorldError
from stma_ros.worlds.habitat.engine.errors import Code, EngineError
from stma_ros.worlds.habitat.engine.settings import EngineSettings
from stma_ros.worlds.habitat.engine_errors import EngineLostError, ours

CODES = [code for name, code in vars(Code).items() if name.isupper()]


@pytest.mark.parametrize(
    ("code", "error"),
    [
        (Code.NO_ENGINE, MissingDependencyError),
        (Code.UNKNOWN_VERSION, ConfigurationError),
        (Code.NO_GPU, ConfigurationError),
        (Code.MISSING_ASSET, ConfigurationError),
        (Code.NO_NAVMESH, ConfigurationError),
        (Code.NO_SEMANTICS, ConfigurationError),
        (Code.OUT_OF_MEMORY, EngineLostError),
        (Code.DIED, EngineLostError),
        (Code.TOO_SLOW, EngineLostError),
        (Code.FAILED, WorldError),
    ],
)
def test_each_engine_error_code_is_raised_as_its_package_error(code: str, error: type[StmaError]) -> None:
    made = ours(EngineError(code, "the cause and the remedy"))
    assert type(made) is error
    assert str(made) == "the cause and the remedy"


def test_every_engine_error_code_is_tested() -> None:
    assert len(CODES) == 10


@pytest.mark.parametrize(
    "fields",
    [{"width": 0}, {"height": 100_000}, {"hfov": 0.0}, {"hfov": 3.2}, {"hfov": float("nan")}, {"gpu": -2}],
)
def test_invalid_engine_settings_are_refused_by_name(fields: dict[str, float]) -> None:
    with pytest.raises(EngineError, match=next(iter(fields)).replace("gpu", "GPU")):
        EngineSettings.from_json(fields)


def test_engine_settings_survive_json_unchanged() -> None:
    settings = EngineSettings(320, 240, 1.25, 3, True, True)
    assert EngineSettings.from_json(settings.to_json()) == settings
