"""Presets: named choices of settings for the one agent. Every ablation is a preset plus overrides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from stma_ros.agents.wiring import WIRINGS
from stma_ros.models.settings import RULES, WAIT, ModelConfig
from stma_ros.roles.registry import ROLES
from stma_ros.roles.spec import AnyRole, Wait
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import configure, suggest
from stma_ros.types.world import Senses

Overrides = Mapping[str, Mapping[str, Any]]
"""Values by component and setting; values may be text."""

DEFAULT_PRESET = "full"

_ASKED_TWICE = 2

_NO_SPATIAL_MEMORY: Overrides = {"spatial_memory": {"enabled": False}}
_NO_CRITIC: Overrides = {"critic": {"enabled": False}}
_RAW: Overrides = {"temporal_memory": {"summariser": "none"}}
_NOTHING_REMEMBERED: Overrides = {"temporal_memory": {"summariser": "none", "history": 0}}
_ALL_REMEMBERED: Overrides = {"temporal_memory": {"summariser": "none", "history": 10_000}}
_PLAN_REMEMBERED: Overrides = {"temporal_memory": {"summariser": "plan"}}
_STEP_BY_STEP: Overrides = {"planner": {"actions": 1}}


@dataclass(frozen=True)
class Preset:
    """A named choice of settings. senses: the worlds that it is for. trials: how often a task of a benchmark is tried
    at most, the world being as at first each time and the agent knowing what it knows."""

    settings: Overrides = field(default_factory=dict)
    senses: tuple[Senses, ...] = tuple(Senses)
    trials: int = 1


def _text(*settings: Overrides, trials: int = 1) -> Preset:
    """For text worlds only: what it sets does not exist elsewhere."""
    merged: dict[str, dict[str, Any]] = {}
    for part in settings:
        for name, values in part.items():
            merged.setdefault(name, {}).update(values)
    return Preset(merged, (Senses.TEXT,), trials)


PRESETS: Mapping[str, Preset] = {
    "full": Preset(),
    "stma": Preset(),
    # STMA, table 2
    "stma_no_memory": _text(_NOTHING_REMEMBERED, _NO_SPATIAL_MEMORY),
    "stma_no_summariser": _text(_RAW),
    "stma_no_spatial_summariser": _text({"spatial_memory": {"source": "history"}}),
    "stma_no_spatial_memory": _text(_NO_SPATIAL_MEMORY),
    "stma_no_aggregator": _text({"spatial_memory": {"aggregator": False}}),
    "stma_no_critic": Preset(_NO_CRITIC),
    # STMA, table 1
    "react": _text(_ALL_REMEMBERED, _NO_SPATIAL_MEMORY, _NO_CRITIC, _STEP_BY_STEP),
    # react that tries again, knowing what it learnt from its failures; three lessons are kept (Shinn 2023, section 3)
    "reflexion": _text(
        _ALL_REMEMBERED,
        _NO_SPATIAL_MEMORY,
        _NO_CRITIC,
        _STEP_BY_STEP,
        {"temporal_memory": {"reflections": 3}},
        trials=3,
    ),
    "adaplanner": _text(_PLAN_REMEMBERED, _NO_SPATIAL_MEMORY, _NO_CRITIC),
    # what is reached by no policy at all
    "random": _text(_NOTHING_REMEMBERED, _NO_SPATIAL_MEMORY, _NO_CRITIC, {"planner": {"policy": "random"}}),
    # without common sense about what lies behind an exit
    "nearest_exit": _text({"planner": {"exploration": "nearest"}}),
}


def find_preset(name: str) -> Preset:
    """Raises ConfigurationError for one that does not exist."""
    if name not in PRESETS:
        raise ConfigurationError(f"there is no preset {name!r}. {suggest(name, PRESETS)}")
    return PRESETS[name]


def component_configs(
    preset: str = DEFAULT_PRESET,
    overrides: Overrides | None = None,
    senses: Senses = Senses.CAMERA,
    models: ModelConfig | None = None,
) -> dict[str, Any]:
    """The config of every component, by name: defaults, then the preset's values, then the overrides. Where models
    answer roles, the executor waits for them longer than it would for rules, unless the overrides say how long.

    Raises ConfigurationError for a preset, component or setting that does not exist and for a bad value.
    """
    chosen = find_preset(preset)
    if senses not in chosen.senses:
        fitting = {name: item for name, item in PRESETS.items() if senses in item.senses}
        raise ConfigurationError(
            f"the preset {preset!r} is not for worlds that offer a {senses.value}; there are: {', '.join(fitting)}"
        )
    overrides, components = overrides or {}, WIRINGS[senses].components
    for name in overrides:
        if name not in components:
            raise ConfigurationError(f"there is no component {name!r}. {suggest(name, components)}")
    settings = {name: {**chosen.settings.get(name, {}), **overrides.get(name, {})} for name in components}
    configs: dict[str, Any] = {
        name: configure(spec.config, settings[name], name) for name, spec in components.items()
    }
    if models is not None:
        waits = model_waits(models, WIRINGS[senses].roles, getattr(configs["critic"], "verdicts", 1))
        longer = {
            name: getattr(configs["executor"], name) + seconds
            for name, seconds in waits.items()
            if name not in settings["executor"]
        }
        configs["executor"] = replace(configs["executor"], **longer)
    return configs


def check_models(models: ModelConfig, senses: Senses) -> None:
    """Raises ConfigurationError for a specification that cannot be read, and for a role that nobody asks there."""
    models.check()
    roles = WIRINGS[senses].roles
    for role in (item.name for item in models.ROLES):
        if models.own(role) not in ("", RULES) and role not in roles:
            raise ConfigurationError(
                f"model.{role} is set, but no model answers the {role} in worlds that offer a {senses.value}; there "
                f"it can be asked for: {', '.join(roles)}"
            )


def model_waits(
    models: ModelConfig, asking: Iterable[str], verdicts: int, roles: Iterable[AnyRole] = ROLES
) -> dict[str, float]:
    """How much longer the executor waits for what, by its settings [s]: each question may be asked twice, the second
    time with what was wrong with the first answer.

    Args:
        models: who answers which roles, and by when.
        asking: names of the roles that the agent's components ask.
        verdicts: on an action.
        roles: those that there are.
    """
    asked = set(models.asked) & set(asking)
    patience = models.patience if models.on_failure == WAIT else 0.0
    question = _ASKED_TWICE * (models.deadline + patience)
    waits = {f"{wait.value}_deadline": 0.0 for wait in Wait}
    for role in roles:
        if role.name in asked:
            times = verdicts if role.wait is Wait.CRITIQUE else role.questions
            waits[f"{role.wait.value}_deadline"] += times * question
    return waits


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
