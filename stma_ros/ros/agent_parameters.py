"""ROS parameters by which a node identifies its agent."""

from __future__ import annotations

from dataclasses import dataclass

from stma_ros.agents.registry import DEFAULT_PRESET, ROBOT, AgentRegistry, MatchedAgent, load_registry
from stma_ros.ros.parameters import Parameters
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import setting


@dataclass(frozen=True)
class AgentConfig:
    registry: str = setting(
        "", "where the agent is found: MODULE:NAME of an AgentRegistry; empty = the agents of stma_ros"
    )
    agent: str = setting(DEFAULT_PRESET, "the agent that the node is a part of")
    wiring: str = setting("camera", "which of the agent's wirings, each of which is for one kind of body")
    domain: str = setting(ROBOT.domain, "the domain whose rules answer roles")


def declare_agent(
    parameters: Parameters, agents: AgentRegistry, component: str = "", prefix: str = ""
) -> MatchedAgent:
    """Declares the parameters, which are fixed once the node has started, and finds the agent that they name.

    Args:
        parameters: parameters of the node.
        agents: the registry, unless a parameter names another.
        component: component that the agent must have; empty = any agent fits.
        prefix: prefix of the parameters' names.

    Returns:
        The agent; the default one for unknown names, which `Parameters.check` then reports.
    """
    parameters.declare(AgentConfig, prefix, fixed=True)
    given, default = parameters.declared(AgentConfig, prefix), AgentConfig()
    try:
        agents = load_registry(given.registry) if given.registry else agents
        matched = agents.find(given.agent, given.wiring, given.domain)
        if component:
            matched.component(component)
    except ConfigurationError as error:
        parameters.refuse(f"{prefix}agent", str(error))
        matched = agents.find(default.agent, default.wiring, default.domain)
    return matched
