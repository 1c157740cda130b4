"""An agent with the configs of its components, from a preset, overrides and the waits for its models."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from types import MappingProxyType
from typing import Any

from stma_ros.agents.registry import AGENTS, DEFAULT_PRESET, ROBOT, AgentRegistry, MatchedAgent
from stma_ros.agents.spec import Overrides, Preset, Wiring
from stma_ros.models.settings import RETRY, RULES, ModelConfig
from stma_ros.roles.registry import ROLES
from stma_ros.roles.spec import AnyRole, Wait
from stma_ros.types.control import Configuration
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.evidence import Guesses, Masks
from stma_ros.types.settings import configure, settings_of, suggest
from stma_ros.types.standard import Header, KeyValue
from stma_ros.types.world import WorldOffer

MEMORY_DIR = "memory_dir"
"""The setting of components that save their memory from one start to the next."""

STATE_DIR = "state_dir"
"""The setting of components that save their state during a task."""

EXPERIENCE_STORE = "store"
"""The setting of the component that keeps experiences."""

_ATTEMPTS = 2
_GUESSES, _MASKS = "guess_states", "masks"

SETTINGS_OF_PLACE = (
    *(MEMORY_DIR, STATE_DIR, EXPERIENCE_STORE),
    *(_GUESSES, _MASKS, "floors", "knowledge", "hazards", "home"),
)
"""Settings that follow from the world, the home or the machine of a run, and not from the agent's preset."""

WAIT_SETTINGS = tuple(f"{wait.value}_deadline" for wait in Wait)
"""Settings of the executor that follow from the models that answer roles."""


@dataclass(frozen=True)
class ConfiguredAgent:
    """A matched agent with the config of every component, by name."""

    matched: MatchedAgent
    configs: Mapping[str, Any]

    @property
    def wiring(self) -> Wiring:
        return self.matched.wiring

    @property
    def memory_dir(self) -> str:
        """The folder of the memory that outlives the process; empty = the memory is not stored."""
        folders = (getattr(config, MEMORY_DIR, "") for config in self.configs.values())
        return next(filter(None, folders), "")

    @property
    def experience_store(self) -> str:
        """The file of the experiences; empty = there is none, or the agent has no memory of them."""
        stores = (getattr(config, EXPERIENCE_STORE, "") for config in self.configs.values())
        return next(filter(None, stores), "")


def configure_agent(
    preset: str = DEFAULT_PRESET,
    overrides: Overrides | None = None,
    offer: WorldOffer = ROBOT,
    models: ModelConfig | None = None,
    agents: AgentRegistry = AGENTS,
) -> ConfiguredAgent:
    """Configures the agent of a preset for a world: defaults, then the preset's values, then the overrides. Where
    models answer roles, the executor waits for them longer than for rules, unless the overrides set its waits. States
    are inferred from shapes where the world's segments have the true outlines of things, and things are found by depth
    in segments that are boxes, unless the overrides say so. If one memory is given a folder, the others are saved
    there, too, unless they are given another one, or none.

    Raises:
        ConfigurationError: a preset, component or setting that does not exist, a bad value, a model for a role that the
            agent does not ask there, no model for a role where the preset needs one, or a world that the agent does not
            fit.
    """
    matched = agents.match(preset, offer)
    missing = missing_models(matched.agent.presets[preset], models)
    if missing:
        raise ConfigurationError(
            f"the preset {preset!r} differs in a prompt alone, which rules do not read: name a model for the "
            f"{' and the '.join(missing)}, --set model.{missing[0]}=..."
        )
    chosen = matched.agent.presets[preset].settings
    overrides, components = overrides or {}, matched.wiring.components
    for name in overrides:
        if name in (spec.name for spec in agents.components):
            matched.component(name)
        else:
            raise ConfigurationError(f"there is no component {name!r}. {suggest(name, components)}")
    settings = {name: {**chosen.get(name, {}), **overrides.get(name, {})} for name in components}
    follow: dict[str, Any] = {}
    folder = next(filter(None, (values.get(MEMORY_DIR, "") for values in settings.values())), "")
    if folder:
        follow[MEMORY_DIR] = folder
    if offer.true_outlines:
        follow[_GUESSES] = Guesses.GEOMETRY.value
    if offer.segments_are_boxes:
        follow[_MASKS] = Masks.BOXES.value
    for name, spec in components.items():
        for item in settings_of(spec.config):
            if item.name in follow:
                settings[name].setdefault(item.name, follow[item.name])
    configs: dict[str, Any] = {
        name: configure(spec.config, settings[name], name) for name, spec in components.items()
    }
    if models is not None:
        check_models(models, matched.wiring)
        verdicts = max(getattr(config, "verdicts", 1) for config in configs.values())
        waits = model_waits(models, matched.wiring.roles, verdicts, questions=_questions(configs.values()))
        for name, config in configs.items():
            longer = {
                wait: getattr(config, wait) + seconds
                for wait, seconds in waits.items()
                if hasattr(config, wait) and wait not in settings[name]
            }
            configs[name] = replace(config, **longer)
    return ConfiguredAgent(matched, configs)


def missing_models(preset: Preset, models: ModelConfig | None) -> tuple[str, ...]:
    """Returns the roles that a model has to answer for a preset, and none does. models: None = there are none."""
    answered = () if models is None else models.model_roles
    return tuple(role for role in preset.needs_model if role not in answered)


def check_models(models: ModelConfig, wiring: Wiring) -> None:
    """Raises ConfigurationError for a specification that cannot be read, and for a role that the agent does not ask."""
    models.check()
    for role in (item.name for item in models.ROLES):
        if models.own(role) not in ("", RULES) and role not in wiring.roles:
            raise ConfigurationError(
                f"model.{role} is set, but no model answers the {role} in worlds that offer a "
                f"{wiring.requires.senses.value}; there it can be asked for: {', '.join(wiring.roles)}"
            )


def model_waits(
    models: ModelConfig,
    asking: Iterable[str],
    verdicts: int,
    roles: Iterable[AnyRole] = ROLES,
    questions: Mapping[str, int] = MappingProxyType({}),
) -> dict[str, float]:
    """Returns the additional waits of the executor, by its settings [s]. Each question may be asked twice, the second
    time with the faults of the first answer.

    Args:
        models: models and deadlines of the roles.
        asking: names of the roles that the agent's components ask.
        verdicts: number of verdicts on an action.
        roles: all roles.
        questions: largest numbers of questions in a step, of roles for which a setting says so.
    """
    asked = set(models.model_roles) & set(asking)
    grace_period = models.grace_period if models.on_failure == RETRY else 0.0
    question = _ATTEMPTS * (models.deadline + grace_period)
    waits = dict.fromkeys(WAIT_SETTINGS, 0.0)
    for role in roles:
        if role.name in asked:
            most = questions.get(role.name, role.questions)
            times = verdicts if role.wait is Wait.CRITIQUE else most
            waits[f"{role.wait.value}_deadline"] += times * question
    return waits


def _questions(configs: Iterable[Any]) -> dict[str, int]:
    """Returns the largest number of questions of a role in a step, where a component has a setting of it."""
    return {
        role.name: limit
        for config in configs
        for role in ROLES
        if role.questions_setting and (limit := getattr(config, role.questions_setting, 0))
    }


def configuration(
    header: Header,
    component: str,
    matched: MatchedAgent,
    config: Any,
    models: ModelConfig | None,
    resumed_from: str = "",
) -> Configuration:
    """Returns the message that records how a component was made, so that its run can be replayed on either runtime.

    Args:
        matched: the agent of the component.
        config: the component's config.
        models: settings of the models that its roles may ask; None where it has no such roles.
        resumed_from: file with the state that the component went on from; empty = it began anew.
    """
    asked = {} if models is None else asdict(models)
    return Configuration(
        header=header,
        component=component,
        agent=matched.agent.name,
        wiring=matched.wiring.name,
        domain=matched.domain.name,
        settings=_pairs(asdict(config)),
        resumed_from=resumed_from,
        models=_pairs(asked),
    )


def values(pairs: Iterable[KeyValue]) -> dict[str, str]:
    """Returns the settings of a Configuration message as text, which types.settings.configure reads."""
    return {pair.key: pair.value for pair in pairs}


def _pairs(settings: Mapping[str, Any]) -> tuple[KeyValue, ...]:
    return tuple(KeyValue(name, str(value)) for name, value in settings.items())
