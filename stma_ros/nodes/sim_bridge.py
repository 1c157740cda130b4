"""ros2 run stma_ros sim_bridge"""

from __future__ import annotations

from stma_ros.agents.registry import load_registry
from stma_ros.agents.spec import Wiring
from stma_ros.ros.bridge import WorldBridge
from stma_ros.ros.spin import spin
from stma_ros.worlds.registry import make_world, world_entry


def about(world: str, agent: str, registry: str) -> tuple[type, Wiring]:
    entry = world_entry(world)
    return entry.config, load_registry(registry).match(agent, entry.offer).wiring


def main() -> None:
    spin(lambda: WorldBridge(make_world, about))


if __name__ == "__main__":
    main()
