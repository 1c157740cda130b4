"""Settings are described once and validated from every source."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import pytest

from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import configure, other_default, setting, settings_of


@dataclass(frozen=True)
class Config:
    speed: float = setting(0.5, "how fast to go", unit="m/s", low=0, high=2)
    tries: int = setting(3, "how often to try", low=1)
    noise: bool = setting(False, "whether sensors are noisy")
    mode: str = setting("window", "how to summarise", choices=("window", "incremental"))
    heading: float = setting(math.nan, "where to look", unit="rad", low=-4, high=4, optional=True)


def test_text_is_converted_to_the_type_of_the_setting() -> None:
    config = configure(
        Config, {"speed": "1.5", "tries": "4", "noise": "on", "mode": "incremental"}, "planner"
    )
    assert (config.speed, config.tries, config.noise, config.mode) == (1.5, 4, True, "incremental")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"sped": 1}, r"planner has no setting 'sped'. Did you mean 'speed'\?"),
        ({"speed": "fast"}, r"planner\.speed \(how fast to go \[m/s\]\) wants float, got 'fast'"),
        ({"speed": 3}, r"planner\.speed must be from 0 to 2, got 3"),
        ({"speed": "nan"}, "must be finite"),
        ({"tries": 0}, "must be from 1"),
        ({"tries": 1.5}, "wants int"),
        ({"tries": None}, "wants int, got None"),
        ({"tries": [1]}, "wants int"),
        ({"noise": "maybe"}, "wants bool"),
        ({"mode": "all"}, "must be one of window, incremental"),
    ],
)
def test_a_bad_value_is_refused_with_its_name_and_the_accepted_values(
    values: dict[str, object], message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        configure(Config, values, "planner")


def test_only_an_optional_float_may_be_not_a_number() -> None:
    assert math.isnan(configure(Config, {"heading": "nan"}, "planner").heading)
    assert configure(Config, {"heading": "1.5"}, "planner").heading == 1.5
    for value in ("inf", "5"):
        with pytest.raises(ConfigurationError, match=r"planner\.heading must be"):
            configure(Config, {"heading": value}, "planner")


def test_a_field_that_is_not_described_is_refused_with_how_to_describe_it() -> None:
    @dataclass(frozen=True)
    class Undescribed:
        radius: float = 2.0

    with pytest.raises(ConfigurationError, match=r"Undescribed\.radius is not described: write .*setting\("):
        settings_of(Undescribed)


def test_descriptions_of_settings_contain_the_unit() -> None:
    assert settings_of(Config)[0].description == "how fast to go [m/s]"


def test_setting_with_another_default_keeps_its_description_and_limits() -> None:
    @dataclass(frozen=True)
    class Base:
        gap: float = setting(0.5, "smallest gap", unit="m", low=0.1)

    @dataclass(frozen=True)
    class Wide(Base):
        gap: float = other_default(Base, "gap", 2.0)

    (before,), (after,) = settings_of(Base), settings_of(Wide)
    assert after == replace(before, default=2.0)
