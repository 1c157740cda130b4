"""`stma run --list`: the agents, their presets, and the worlds that each of them fits."""

from __future__ import annotations

from rich.markup import escape
from rich.table import Table

from stma_ros.agents.registry import AGENTS, AgentRegistry
from stma_ros.apps.console import make_console
from stma_ros.worlds.registry import WORLDS, world_entry


def list_agents(world: str | None = None, agents: AgentRegistry = AGENTS) -> int:
    """Prints a row for each preset.

    Args:
        world: world that the presets have to fit; None = all.
        agents: the agents to list.

    Returns:
        The exit status.

    Raises:
        ConfigurationError: a world that does not exist.
    """
    entries = WORLDS if world is None else {world: world_entry(world)}
    fitting = {name: set(agents.fitting(entry.offer)) for name, entry in entries.items()}
    table = Table(title="agents and their presets", title_justify="left")
    for heading in ("agent", "preset", "what it does", "stands for", "fits"):
        table.add_column(heading, overflow="fold")
    for agent in agents.agents.values():
        for name, preset in agent.presets.items():
            is_plain = name == agent.name
            worlds = [world for world, presets in fitting.items() if name in presets]
            table.add_row(
                agent.name if is_plain else "",
                name,
                escape(agent.summary if is_plain else preset.summary),
                escape(agent.source if is_plain else preset.source),
                ", ".join(worlds) or "-",
                end_section=name == list(agent.presets)[-1],
            )
    make_console().print(table)
    return 0
