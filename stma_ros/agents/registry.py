"""The registry of agents, and the matching of an agent with a world and its domain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module

from stma_ros.agents.full import FULL
from stma_ros.agents.hiagent import HIAGENT
from stma_ros.agents.mcot_memory import MCOT_MEMORY
from stma_ros.agents.pred_eqa import PRED_EQA
from stma_ros.agents.spec import AgentSpec, ComponentSpec, Preset, Wiring
from stma_ros.agents.stma import STMA
from stma_ros.domains.registry import DOMAINS, find_domain
from stma_ros.domains.spec import Domain
from stma_ros.types import topics
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import suggest
from stma_ros.types.world import Senses, WorldOffer

DEFAULT_PRESET = FULL.name

ROBOT = WorldOffer("household", Senses.CAMERA)
"""The offer of a robot's own body, where none is stated."""


@dataclass(frozen=True)
class MatchedAgent:
    """An agent in one of its wirings, with the domain whose rules answer its roles."""

    agent: AgentSpec
    wiring: Wiring
    domain: Domain

    def component(self, name: str) -> ComponentSpec:
        """Returns a component. Raises ConfigurationError for one that the agent does not have in this wiring."""
        components = self.wiring.components
        if name not in components:
            raise ConfigurationError(
                f"the agent {self.agent.name!r} has no component {name!r} in its wiring {self.wiring.name!r}. "
                f"{suggest(name, components)}"
            )
        return components[name]


class AgentRegistry:
    """A set of agents, with the domains that they can be matched with."""

    def __init__(self, agents: Iterable[AgentSpec], domains: Mapping[str, Domain] = DOMAINS) -> None:
        """Raises ConfigurationError for a name that is used twice, an agent without its plain preset, and a component
        with a topic that does not exist."""
        self._agents: dict[str, AgentSpec] = {}
        self._preset_agents: dict[str, AgentSpec] = {}
        self._domains = domains
        for agent in agents:
            self._add(agent)

    @property
    def agents(self) -> Mapping[str, AgentSpec]:
        """The agents by name."""
        return self._agents

    @property
    def presets(self) -> Mapping[str, Preset]:
        """The presets of all agents, by name."""
        return {name: agent.presets[name] for name, agent in self._preset_agents.items()}

    @property
    def components(self) -> tuple[ComponentSpec, ...]:
        """The components of all agents in all their wirings; a name may come more than once."""
        return tuple(
            spec
            for agent in self._agents.values()
            for wiring in agent.wirings
            for spec in wiring.components.values()
        )

    def with_agent(self, agent: AgentSpec) -> AgentRegistry:
        """Returns a registry with one more agent. Raises as the constructor does."""
        return AgentRegistry((*self._agents.values(), agent), self._domains)

    def agent_of(self, preset: str) -> AgentSpec:
        """Returns the agent of a preset. Raises ConfigurationError for a preset that does not exist."""
        if preset not in self._preset_agents:
            raise ConfigurationError(f"there is no preset {preset!r}. {suggest(preset, self._preset_agents)}")
        return self._preset_agents[preset]

    def find(self, agent: str, wiring: str, domain: str) -> MatchedAgent:
        """Returns an agent that was matched before, by the names of its parts.

        Raises:
            ConfigurationError: one of them does not exist, or the domain lacks rules.
        """
        if agent not in self._agents:
            raise ConfigurationError(f"there is no agent {agent!r}. {suggest(agent, self._agents)}")
        spec = self._agents[agent]
        wirings = {each.name: each for each in spec.wirings}
        if wiring not in wirings:
            raise ConfigurationError(
                f"the agent {agent!r} has no wiring {wiring!r}. {suggest(wiring, wirings)}"
            )
        return self._with_domain(spec, wirings[wiring], domain)

    def match(self, preset: str = DEFAULT_PRESET, offer: WorldOffer = ROBOT) -> MatchedAgent:
        """Returns the agent of a preset, matched with a world.

        Raises:
            ConfigurationError: an unknown preset or domain; a world that does not fit the agent or preset; a domain
                without rules for one of the agent's roles. The text lists what fits.
        """
        agent = self.agent_of(preset)
        if not agent.wirings_for(offer):
            required = " or ".join(dict.fromkeys(str(each.requires) for each in agent.wirings))
            raise ConfigurationError(
                f"the agent {agent.name!r} cannot live in a world that offers {offer}: it requires {required}; "
                f"{self._fitting(offer)}"
            )
        wiring = agent.wiring_of(preset, offer)
        if wiring is None:
            raise ConfigurationError(
                f"the preset {preset!r} is not for worlds that offer a {offer.senses.value}; {self._fitting(offer)}"
            )
        return self._with_domain(agent, wiring, offer.domain)

    def fitting(self, offer: WorldOffer) -> Iterator[str]:
        """Yields the presets that fit a world."""
        domain = self._domains.get(offer.domain)
        for name, agent in self._preset_agents.items():
            wiring = agent.wiring_of(name, offer)
            if domain and wiring and not wiring.lacks(domain):
                yield name

    def default_for(self, offer: WorldOffer) -> str:
        """Returns the default preset for a world: DEFAULT_PRESET, or the first one that fits if that does not."""
        fitting = list(self.fitting(offer))
        return next(iter(fitting), DEFAULT_PRESET) if DEFAULT_PRESET not in fitting else DEFAULT_PRESET

    def matches(self, agent: str) -> Iterator[MatchedAgent]:
        """Yields every wiring of an agent with every domain that meets its needs."""
        for wiring in self._agents[agent].wirings:
            for domain in self._domains.values():
                if not wiring.lacks(domain):
                    yield MatchedAgent(self._agents[agent], wiring, domain)

    def _add(self, agent: AgentSpec) -> None:
        if agent.name in self._agents:
            raise ConfigurationError(f"there are two agents {agent.name!r}")
        wirings = [wiring.name for wiring in agent.wirings]
        if len(set(wirings)) < len(wirings):
            raise ConfigurationError(
                f"the agent {agent.name!r} has two wirings of one name: {', '.join(wirings)}"
            )
        for component in (spec for wiring in agent.wirings for spec in wiring.components.values()):
            for topic in (*component.inputs, *component.outputs, *component.answers):
                if topic not in topics.TOPICS:
                    raise ConfigurationError(
                        f"the component {component.name!r} of the agent {agent.name!r} names the topic {topic!r}, "
                        f"which does not exist (stma_ros.types.topics). {suggest(topic, topics.TOPICS)}"
                    )
        plain = agent.presets.get(agent.name)
        if plain is None or plain.settings or plain.wirings:
            raise ConfigurationError(
                f"the agent {agent.name!r} needs a preset {agent.name!r} that sets nothing, for all its wirings"
            )
        for name, preset in agent.presets.items():
            if name in self._preset_agents:
                raise ConfigurationError(
                    f"the preset {name!r} belongs to two agents: {self._preset_agents[name].name!r}, {agent.name!r}"
                )
            if unknown := set(preset.wirings) - set(wirings):
                raise ConfigurationError(
                    f"the preset {name!r} is for wirings that the agent {agent.name!r} does not have: "
                    f"{', '.join(sorted(unknown))}"
                )
            self._check_settings(agent, name, preset)
            self._preset_agents[name] = agent
        self._agents[agent.name] = agent

    def _check_settings(self, agent: AgentSpec, name: str, preset: Preset) -> None:
        """Checks that each component that a preset sets exists in at least one of its wirings."""
        wirings = [each for each in agent.wirings if not preset.wirings or each.name in preset.wirings]
        components = tuple(dict.fromkeys(component for each in wirings for component in each.components))
        for component in preset.settings:
            if component not in components:
                raise ConfigurationError(
                    f"the preset {name!r} sets something of {component!r}, which is no component of the agent "
                    f"{agent.name!r}. {suggest(component, components)}"
                )

    def _with_domain(self, agent: AgentSpec, wiring: Wiring, name: str) -> MatchedAgent:
        domain = find_domain(name, self._domains)
        if lacking := wiring.lacks(domain):
            what = ", no ".join(lacking) if domain.rules else "rules at all"
            fitting = [each.name for each in self._domains.values() if not wiring.lacks(each)]
            raise ConfigurationError(
                f"the domain {name!r} has no {what}, which the agent {agent.name!r} needs. Domains that have what it "
                f"needs: {', '.join(fitting) or 'none'}"
            )
        return MatchedAgent(agent, wiring, domain)

    def _fitting(self, offer: WorldOffer) -> str:
        return f"there are: {', '.join(self.fitting(offer)) or 'none'}"


AGENTS = AgentRegistry((FULL, STMA, HIAGENT, MCOT_MEMORY, PRED_EQA))
"""The agents of this package."""


def load_registry(reference: str) -> AgentRegistry:
    """Returns the registry in which a node or a bring-up finds its agent.

    Args:
        reference: MODULE:NAME of an AgentRegistry that can be imported; empty = AGENTS.

    Raises:
        ConfigurationError: there is no such module or registry.
    """
    if not reference:
        return AGENTS
    module, _, name = reference.partition(":")
    example = "my_robot.agents:AGENTS, with AGENTS = registry.AGENTS.with_agent(...) in my_robot/agents.py"
    try:
        registry = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ConfigurationError(
            f"the agents {reference!r} cannot be loaded ({error}). Write MODULE:NAME of a module on PYTHONPATH, such "
            f"as {example}"
        ) from error
    if not isinstance(registry, AgentRegistry):
        raise ConfigurationError(
            f"{reference!r} is no AgentRegistry. Write MODULE:NAME of one, such as {example}"
        )
    return registry
