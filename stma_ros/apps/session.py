"""An agent and a world, ready to be given tasks: in this process, or as a graph of ROS nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

from stma_ros.agents.local_runtime import Tap
from stma_ros.agents.presets import DEFAULT_PRESET, component_configs
from stma_ros.storage.run_folder import RunFolder
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.planning import TaskResult
from stma_ros.types.settings import configure, suggest
from stma_ros.worlds.registry import world_entry

LOCAL = "local"
ROS = "ros"
RUNTIMES = (ROS, LOCAL)

DEFAULT_WORLD = "house"

Tell = Callable[[str], None]


@dataclass(frozen=True)
class SessionSpec:
    """What to open; picklable. `overrides` by component and setting; both mappings' values may be text."""

    runtime: str = ROS
    preset: str = DEFAULT_PRESET
    overrides: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    world: str = DEFAULT_WORLD
    world_options: Mapping[str, Any] = field(default_factory=dict)

    def component_configs(self) -> dict[str, Any]:
        """The config of every component; raises ConfigurationError."""
        return component_configs(self.preset, self.overrides)

    def check(self) -> None:
        """Raises ConfigurationError for a preset, component, world or setting that does not exist."""
        self.component_configs()
        configure(world_entry(self.world).config, self.world_options, self.world)


class Session(Protocol):
    """Episodes one after the other; within an episode the agent remembers from task to task."""

    def start_episode(self, scene: str, seed: int, taps: Iterable[Tap] = ()) -> str:
        """Fresh components, the world at the start of the scene; returns the scene's name.

        The taps see every message from here on, until the next episode. Raises ConfigurationError for a scene
        the world does not have, WorldError when its engine fails.
        """
        ...

    def run_task(self, text: str, max_commands: int = 0) -> TaskResult:
        """Give the agent a task (`max_commands` 0: no limit) and wait for its end.

        Raises StmaError when the agent can come to no end: a node died, or nothing is under way any more.
        """
        ...


def open_session(
    spec: SessionSpec, folder: RunFolder, record: bool, tell: Tell = lambda _: None
) -> AbstractContextManager[Session]:
    """The session of a spec. `folder` takes what the nodes print and, with `record`, the bag.

    `tell` gets a line on each thing that is waited for at the start.

    Raises ConfigurationError for a preset, world or setting that does not exist, MissingDependencyError for a
    library that is not installed. Leaving the context ends all that it started.
    """
    if spec.runtime == LOCAL:
        from stma_ros.apps.local_session import open_local

        return open_local(spec, folder, record)
    if spec.runtime == ROS:
        from stma_ros.apps.ros_session import open_ros

        return open_ros(spec, folder, record, tell)
    raise ConfigurationError(f"there is no runtime {spec.runtime!r}. {suggest(spec.runtime, RUNTIMES)}")
