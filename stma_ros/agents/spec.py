"""Describes an agent as data: its requirements on a world, its components and their topics, its presets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from stma_ros.agents.local_runtime import Binding
from stma_ros.agents.stamp_alarms import StampAlarms
from stma_ros.domains.spec import Domain
from stma_ros.sensing.assembler import FrameAssembler
from stma_ros.types import topics
from stma_ros.types.component import Component
from stma_ros.types.errors import MissingDependencyError
from stma_ros.types.settings import settings_of
from stma_ros.types.world import Senses, WorldOffer

if TYPE_CHECKING:
    from stma_ros.models.model_pool import ModelPool

ConfigT = TypeVar("ConfigT")

Overrides: TypeAlias = Mapping[str, Mapping[str, Any]]
"""Values by component and setting; values may be text."""

Factory: TypeAlias = Callable[[Any, Domain, "ModelPool | None"], Component]
"""Makes a component of its config, the domain whose rules answer its roles, and the models that its roles may ask."""

ComponentFactory: TypeAlias = tuple[type, Factory]
"""The config class of a component, and its factory."""


def plain(config: type[ConfigT], component: Callable[[ConfigT], Component]) -> ComponentFactory:
    """Returns the factory of a component that needs nothing of the domain; the type checker verifies that config and
    component fit."""
    return config, lambda values, domain, models: component(values)


def of_domain(
    config: type[ConfigT], factory: Callable[[ConfigT, Domain, ModelPool | None], Component]
) -> ComponentFactory:
    """Returns the factory of a component that needs rules or knowledge of the domain."""
    return config, factory


@dataclass(frozen=True)
class ComponentSpec:
    """Describes a component to the runtimes.

    Attributes:
        name: name of the component and of its node.
        load: imports the component, so that a node loads only the libraries of its own component.
        inputs: topics that it subscribes to.
        outputs: topics that it publishes.
        answers: topics of the answers to its open questions, which its runtime publishes.
        plugged_inputs: returns further input topics, of plugged-in parts such as detectors; called when the topics are
            connected, as a registry may have grown.
        frame: the parts of camera frames that it may use; its config, a FrameConfig, selects the used ones.
        clock: the part whose stamps drive its alarms; empty = it has no such alarms.
        roles: its roles that a model can answer.
        rules: its roles that need rules of the domain.
        knows_categories: whether it needs the domain's knowledge of categories.
    """

    name: str
    load: Callable[[], ComponentFactory]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    answers: tuple[str, ...] = ()
    plugged_inputs: Callable[[], tuple[str, ...]] = tuple
    frame: tuple[str, ...] = ()
    clock: str = ""
    roles: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    knows_categories: bool = False

    @property
    def subscriptions(self) -> tuple[str, ...]:
        """All topics whose messages it needs."""
        return tuple(dict.fromkeys((*self.frame, *filter(None, (self.clock,)), *self.messages)))

    @property
    def messages(self) -> tuple[str, ...]:
        """The topics whose messages it receives directly, neither assembled to frames nor as alarms."""
        return tuple(dict.fromkeys((*self.inputs, *self.plugged_inputs())))

    @property
    def config(self) -> type:
        return self.load()[0]

    def has_setting(self, name: str) -> bool:
        """Whether the component has a setting; not if a library that it needs is not installed."""
        with suppress(MissingDependencyError):
            return any(item.name == name for item in settings_of(self.config))
        return False

    def build(self, config: Any, domain: Domain, models: ModelPool | None = None) -> Component:
        """Makes the component. Raises StmaError where the configuration cannot be followed."""
        make = self.load()[1]
        if models is None or not set(self.roles) & set(models.config.model_roles):
            return make(config, domain, None)
        from stma_ros.components.model_call_reporter import ModelCallReporter

        return ModelCallReporter(make(config, domain, models), models)

    def bind(self, config: Any, domain: Domain, models: ModelPool | None = None) -> Binding:
        """Makes the component together with its frame assembler and alarms. Raises StmaError as `build`."""
        frames = FrameAssembler(filter(config.uses, self.frame)) if self.frame else None
        alarms = StampAlarms(self.name, self.clock) if self.clock else None
        component = self.build(config, domain, models)
        return Binding(self.name, component, self.messages, self.outputs, frames, alarms, self.answers)


@dataclass(frozen=True)
class Requirements:
    """The requirements of an agent on a world: senses, and names of skills."""

    senses: Senses
    skills: tuple[str, ...] = ()

    def are_met_by(self, offer: WorldOffer) -> bool:
        known = offer.skills is None or set(self.skills) <= set(offer.skills)
        return offer.senses is self.senses and known

    def __str__(self) -> str:
        return f"a {self.senses.value}" + (f" and the skills {', '.join(self.skills)}" if self.skills else "")


@dataclass(frozen=True)
class Wiring:
    """The components of an agent for one kind of body, and the topics between them.

    Attributes:
        name: unique within the agent.
        requires: requirements on the body and its world.
        components: by name. None of them subscribes to the ground truth.
        world_outputs: topics on which the world answers a skill request.
    """

    name: str
    requires: Requirements
    components: Mapping[str, ComponentSpec]
    world_outputs: tuple[str, ...]

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles that a model can answer."""
        return tuple(role for spec in self.components.values() for role in spec.roles)

    def lacks(self, domain: Domain) -> tuple[str, ...]:
        """Describes the needs of the components that the domain does not meet."""
        specs = self.components.values()
        roles = [f"rules for the {role}" for spec in specs for role in spec.rules if role not in domain.rules]
        knows = domain.knows_categories or not any(spec.knows_categories for spec in specs)
        return (*roles, *(() if knows else ("knowledge of kinds of things",)))

    @property
    def sensing(self) -> Mapping[str, ComponentSpec]:
        """The components that take camera frames, by name."""
        return {name: spec for name, spec in self.components.items() if spec.frame}

    @property
    def has_camera(self) -> bool:
        """Whether the world answers with camera frames."""
        return topics.COLOR in self.world_outputs


def wire(name: str, requires: Requirements, *specs: ComponentSpec) -> Wiring:
    """Returns a wiring of these components; the world's output topics follow from the requirements."""
    always = (topics.CLOCK, topics.OBSERVATION, topics.OUTCOME, topics.SKILLS, topics.GROUND_TRUTH)
    frame = topics.FRAME if requires.senses is Senses.CAMERA else ()
    return Wiring(name, requires, {spec.name: spec for spec in specs}, (*always, *frame))


@dataclass(frozen=True)
class Preset:
    """A named choice of settings of an agent.

    Attributes:
        summary: one line for people.
        settings: values that differ from the defaults.
        source: the table or ablation that it reproduces; empty = none.
        wirings: names of the agent's wirings that have these settings; empty = all.
        trials: largest number of trials of a benchmark's task; the world is reset between trials, the agent's memory is
            not.
        needs_model: roles that a model has to answer, since the preset differs in their prompts alone.
    """

    summary: str
    settings: Overrides = field(default_factory=dict)
    source: str = ""
    wirings: tuple[str, ...] = ()
    trials: int = 1
    needs_model: tuple[str, ...] = ()


def merged(*parts: Overrides) -> Overrides:
    """Merges settings; a later part overrides earlier ones."""
    settings: dict[str, dict[str, Any]] = {}
    for part in parts:
        for name, values in part.items():
            settings.setdefault(name, {}).update(values)
    return settings


@dataclass(frozen=True)
class AgentSpec:
    """An agent.

    Attributes:
        name: also that of its plain preset.
        summary: one line for people.
        source: the paper that describes it; empty = none.
        wirings: for each kind of body, and for presets that need other components. The first whose requirements a world
            meets is taken there, of those that the preset names.
        presets: by name, which is unique over all agents.
    """

    name: str
    summary: str
    source: str
    wirings: tuple[Wiring, ...]
    presets: Mapping[str, Preset]

    def wirings_for(self, offer: WorldOffer) -> tuple[Wiring, ...]:
        """Returns the wirings whose requirements the world meets."""
        return tuple(wiring for wiring in self.wirings if wiring.requires.are_met_by(offer))

    def wiring_of(self, preset: str, offer: WorldOffer) -> Wiring | None:
        """Returns the first wiring for a preset whose requirements the world meets; None = there is none."""
        names = self.presets[preset].wirings
        return next((wiring for wiring in self.wirings_for(offer) if not names or wiring.name in names), None)
