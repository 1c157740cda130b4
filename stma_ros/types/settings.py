"""Settings: frozen dataclasses whose fields have a description, limits and choices, and are checked here.

ROS parameters, `--set KEY=VALUE` and presets use the same descriptions.
"""

from __future__ import annotations

import dataclasses
import difflib
import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, get_type_hints

from stma_ros.types.errors import ConfigurationError
from stma_ros.types.renamed import RENAMED

SettingValue = bool | int | float | str
ConfigT = TypeVar("ConfigT")

_KEY = "setting"


@dataclass(frozen=True)
class _Description:
    text: str
    unit: str
    low: float | None
    high: float | None
    choices: Collection[str]
    validate: Callable[[Any], None] | None
    optional: bool


@dataclass(frozen=True)
class Setting:
    """One field of a config dataclass.

    Attributes:
        name: Name of the field.
        type: Type of its values.
        default: Default value.
        text: Help text.
        unit: Unit of the values; empty if they have none.
        low: Smallest value; None = unbounded.
        high: Largest value; None = unbounded.
        choices: Valid texts; empty = any.
        validate: Raises ConfigurationError for values that must not be recorded; None if there is no such check.
        optional: Whether a float may be NaN, which means "not given".
    """

    name: str
    type: type[bool] | type[int] | type[float] | type[str]
    default: SettingValue
    text: str
    unit: str
    low: float | None
    high: float | None
    choices: tuple[str, ...]
    validate: Callable[[Any], None] | None = None
    optional: bool = False

    @property
    def description(self) -> str:
        """Help text with the unit."""
        return f"{self.text} [{self.unit}]" if self.unit else self.text


def setting(
    default: Any,
    text: str,
    *,
    unit: str = "",
    low: float | None = None,
    high: float | None = None,
    choices: Collection[str] = (),
    validate: Callable[[Any], None] | None = None,
    optional: bool = False,
) -> Any:
    """Declares a field of a config dataclass; the arguments are the attributes of Setting.

    `choices` may be a registry: entries that are added later are choices as well.
    """
    description = _Description(text, unit, low, high, choices, validate, optional)
    return dataclasses.field(default=default, metadata={_KEY: description})


def other_default(config: type, name: str, default: Any) -> Any:
    """Declares a setting of a config dataclass again, for a subclass that differs in its default alone."""
    (item,) = (each for each in dataclasses.fields(config) if each.name == name)
    return dataclasses.field(default=default, metadata=item.metadata)


def settings_of(config: type) -> tuple[Setting, ...]:
    """Returns the settings of a config dataclass, in order.

    Raises:
        ConfigurationError: A field was not made by `setting`.
    """
    hints = get_type_hints(config)
    described = []
    for field in dataclasses.fields(config):
        if _KEY not in field.metadata:
            raise ConfigurationError(
                f"{config.__name__}.{field.name} is not described: write {field.name}: ... = "
                "stma_ros.types.settings.setting(default, text)"
            )
        about: _Description = field.metadata[_KEY]
        default: Any = field.default
        described.append(
            Setting(
                field.name,
                hints[field.name],
                default,
                about.text,
                about.unit,
                about.low,
                about.high,
                tuple(about.choices),
                about.validate,
                about.optional,
            )
        )
    return tuple(described)


def configure(config: type[ConfigT], values: Mapping[str, Any], owner: str) -> ConfigT:
    """Makes a config from values by name.

    Args:
        config: The config dataclass.
        values: Values of its settings, of their types or as text from a command line.
        owner: Name of the component or program in error messages.

    Raises:
        ConfigurationError: A name is unknown, or a value has the wrong type or is out of range.
    """
    known = {item.name: item for item in settings_of(config)}
    checked: dict[str, SettingValue] = {}
    for name, value in values.items():
        if name not in known:
            raise ConfigurationError(f"{owner} has no setting {name!r}. {suggest(name, known, owner)}")
        checked[name] = check(known[name], value, owner)
    return config(**checked)


def check(item: Setting, value: Any, owner: str) -> SettingValue:
    """Converts a value to the setting's type and checks it.

    Raises:
        ConfigurationError: The value has the wrong type or is out of range.
    """
    where = f"{owner}.{item.name}"
    try:
        converted = _convert(item.type, value)
    except (TypeError, ValueError) as error:
        raise ConfigurationError(
            f"{where} ({item.description}) wants {item.type.__name__}, got {value!r}"
        ) from error
    if item.optional and isinstance(converted, float) and math.isnan(converted):
        return converted
    if isinstance(converted, float) and not math.isfinite(converted):
        raise ConfigurationError(f"{where} must be finite, got {value!r}")
    if not isinstance(converted, str) and (
        (item.low is not None and converted < item.low) or (item.high is not None and converted > item.high)
    ):
        raise ConfigurationError(f"{where} must be from {item.low} to {item.high}, got {value!r}")
    renamed = RENAMED.get(f"{where}={value}") or RENAMED.get(f"{item.name}={value}")
    remedy = f". It is called {renamed} now." if renamed else ""
    if item.choices and converted not in item.choices:
        raise ConfigurationError(f"{where} must be one of {', '.join(item.choices)}; got {value!r}{remedy}")
    if item.validate is not None:
        try:
            item.validate(converted)
        except ConfigurationError as error:
            raise ConfigurationError(f"{where}: {error}{remedy}") from None
    return converted


def check_config(config: ConfigT, owner: str = "") -> ConfigT:
    """Checks and returns a config that was constructed directly.

    Raises:
        ConfigurationError: A value has the wrong type or is out of range.
    """
    for item in settings_of(type(config)):
        check(item, getattr(config, item.name), owner or type(config).__name__)
    return config


def require_kind(config: Any, kind: type[ConfigT], owner: str) -> ConfigT:
    """Returns the config, having checked that it is one of the owner's.

    Raises:
        ConfigurationError: It is something else.
    """
    if not isinstance(config, kind):
        raise ConfigurationError(f"{owner} takes a {kind.__name__} as config, got {type(config).__name__}")
    return config


def suggest(name: str, known: Mapping[str, Any] | tuple[str, ...], owner: str = "") -> str:
    """Returns a hint for an unknown name: a similar one, or the list of known ones; the new name of a renamed setting.

    Args:
        name: The unknown name.
        known: The known names.
        owner: Owner of a setting whose name does not include it.
    """
    for former in (name, f"{owner}.{name}"):
        if former in RENAMED:
            return f"It is called {RENAMED[former]} now."
    close = difflib.get_close_matches(name, list(known), n=1)
    return f"Did you mean {close[0]!r}?" if close else f"There are: {', '.join(known) or 'none'}."


def _convert(kind: type, value: Any) -> SettingValue:
    if kind is bool:
        if isinstance(value, bool):
            return value
        text = str(value).lower()
        if text in ("true", "yes", "on", "1"):
            return True
        if text in ("false", "no", "off", "0"):
            return False
        raise ValueError(value)
    if isinstance(value, bool) and kind is not str:
        raise ValueError(value)
    if kind is int and isinstance(value, float) and not value.is_integer():
        raise ValueError(value)
    converted: SettingValue = kind(value)
    return converted
