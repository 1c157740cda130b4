"""The topics, from the list of them and from the wirings of the agents."""

from __future__ import annotations

from collections.abc import Mapping

from tables import code, table

from stma_ros.agents.registry import AGENTS
from stma_ros.types import topics

_WORLD = "world"
_HEAD = f"""# Topics

Names are relative, under the robot's namespace. *{_WORLD}* is the robot's bridge or the simulator's; what no component
publishes or takes is for hosts, clients, recorders and scorers. The quality of service of each kind of delivery is in
[Architecture](../architecture.md#topics).
"""
_FRAME = """
## Frames and beliefs

::: stma_ros.types.topics
    options:
      members: [FRAME, DEPTH_FRAME, CAMERA_FRAME, BELIEFS]
      show_root_heading: false
      show_root_toc_entry: false
"""


def make() -> str:
    """The page: a table for each kind of delivery."""
    publishers, listeners = _ends()
    sections = []
    for delivery in topics.Delivery:
        rows = [
            (code(spec.name), _type(spec.type.ROS_TYPE), _listed(publishers, spec), _listed(listeners, spec))
            for spec in topics.TOPICS.values()
            if spec.delivery is delivery
        ]
        shown = table(("topic", "type", "published by", "taken by"), rows)
        sections.append(f"## {delivery.name}\n\nReaders get {delivery.value}.\n\n{shown}")
    return "\n".join((_HEAD, *sections, _FRAME))


def _listed(components: Mapping[str, set[str]], spec: topics.TopicSpec) -> str:
    return ", ".join(sorted(components.get(spec.name, ())))


def _ends() -> tuple[Mapping[str, set[str]], Mapping[str, set[str]]]:
    """Who publishes each topic, and who listens to it, in any wiring of any agent."""
    publishers: dict[str, set[str]] = {}
    listeners: dict[str, set[str]] = {}
    for agent in AGENTS.agents.values():
        for wiring in agent.wirings:
            for topic in wiring.world_outputs:
                publishers.setdefault(topic, set()).add(_WORLD)
            for spec in wiring.components.values():
                for topic in spec.outputs:
                    publishers.setdefault(topic, set()).add(spec.name)
                for topic in spec.subscriptions:
                    listeners.setdefault(topic, set()).add(spec.name)
    return publishers, listeners


def _type(ros_type: str) -> str:
    package, _, name = ros_type.split("/")
    return f"[{name}](msg.md#{name.lower()})" if package == "stma_ros" else code(f"{package}/{name}")
