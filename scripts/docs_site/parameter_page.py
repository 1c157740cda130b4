"""The settings of components, worlds, models and nodes, from the config dataclasses that describe them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tables import code, table

from stma_ros.agents.registry import AGENTS
from stma_ros.roles.registry import ROLES, model_config_of
from stma_ros.types.errors import MissingRosError
from stma_ros.types.settings import Setting, settings_of
from stma_ros.worlds.registry import WORLDS

_HEAD = """# Parameters

Settings of the components are parameters of their nodes; on the command line they are `--set COMPONENT.SETTING=VALUE`.
Those of worlds are `--set world.OPTION=VALUE`, those of models `--set model.SETTING=VALUE`:
[how settings work](../howto/settings.md).
"""


def make() -> str:
    """The page."""
    sections = [_HEAD, "## Components\n", *_components()]
    sections += ["## Models\n", _settings(model_config_of(ROLES), "model")]
    for name, entry in WORLDS.items():
        sections += [f"## World {name}\n", _settings(entry.config, "world")]
    return "\n".join((*sections, "## Nodes\n", *_nodes()))


def _components() -> Iterator[str]:
    """Each config of a component once, with the agents and their wirings that have it."""
    users: dict[tuple[str, type], list[tuple[str, str]]] = {}
    for agent in AGENTS.agents.values():
        for wiring in agent.wirings:
            for spec in wiring.components.values():
                users.setdefault((spec.name, spec.config), []).append((agent.name, wiring.name))
    configs = Counter(name for name, _ in users)
    for (name, config), pairs in sorted(users.items(), key=lambda item: item[0][0]):
        wirings = ", ".join(sorted({wiring for _, wiring in pairs}))
        title = f"{name} ({wirings})" if configs[name] > 1 else name
        listed = ", ".join(f"{agent} ({wiring})" for agent, wiring in sorted(pairs))
        yield f"### {title}\n\nIn the agents {listed}.\n"
        yield _settings(config, name)


def _nodes() -> Iterator[str]:
    """Parameters of what hosts components, which is described where ROS 2 is."""
    try:
        from stma_ros.ros.availability import require_ros

        require_ros()
    except MissingRosError:
        yield "This page was made without ROS 2, which what hosts, records and manages components is made of.\n"
        return
    from stma_ros.ros.bridge import BridgeConfig
    from stma_ros.ros.host import HostConfig
    from stma_ros.ros.lifecycle_manager import ManagerConfig
    from stma_ros.ros.recorder import RecorderConfig

    described = (
        ("Every component's node", HostConfig, "host"),
        ("recorder", RecorderConfig, ""),
        ("sim_bridge, habitat_bridge", BridgeConfig, ""),
        ("lifecycle_manager", ManagerConfig, ""),
    )
    for title, config, owner in described:
        yield f"### {title}\n"
        yield _settings(config, owner)


def _settings(config: type, owner: str) -> str:
    prefix = f"{owner}." if owner else ""
    rows = [
        (code(f"{prefix}{item.name}"), item.type.__name__, _default(item), item.description, _range(item))
        for item in settings_of(config)
    ]
    return table(("name", "type", "default", "", "range"), rows) if rows else "It has no settings.\n"


def _default(item: Setting) -> str:
    return code(str(item.default).lower() if isinstance(item.default, bool) else item.default) or "(empty)"


def _range(item: Setting) -> str:
    if item.choices:
        return ", ".join(code(choice) for choice in item.choices if choice)
    low, high = item.low, item.high
    if low is None and high is None:
        return ""
    return f"{'' if low is None else f'from {low:g}'} {'' if high is None else f'to {high:g}'}".strip()
