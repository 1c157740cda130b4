"""`stma run --list`: the agents, their presets, and the worlds that each of them fits."""

from __future__ import annotations

from rich.markup import escape
from rich.table import Table

from stma_ros.agents.registry import AGENTS
from stma_ros.apps.console import make_console
from stma_ros.worlds.registry import WORLDS, world_entry


def list_agents(world: str | None = None) -> int:
    """Prints a row for each preset. world: the one that is asked for; None = all.

    Returns the exit status. Raises ConfigurationError for a world that does not exist.
    """
    entries = WORLDS if world is None else {world: world_entry(world)}
    fitting = {name: set(AGENTS.fitting(entry.offer)) for name, entry in entries.items()}
    table = Table(title="agents and their presets", title_justify="left")
    for heading in ("agent", "preset", "what it does", "stands for", "fits"):
        table.add_column(heading, overflow="fold")
    for agent in AGENTS.agents.values():
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
