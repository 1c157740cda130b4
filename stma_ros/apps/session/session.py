"""The interface of sessions: an agent and a world that can be given tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from stma_ros.agents.configured_agent import ConfiguredAgent, configure_agent
from stma_ros.agents.local_runtime import Tap
from stma_ros.agents.registry import DEFAULT_PRESET, load_registry
from stma_ros.agents.spec import Wiring
from stma_ros.models.settings import ModelConfig
from stma_ros.roles.registry import RoleModelConfig
from stma_ros.storage.memory_store import check_memory_dir
from stma_ros.storage.recording import RecordingConfig
from stma_ros.storage.run_folder import RunFolder
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.planning import TaskResult
from stma_ros.types.settings import configure
from stma_ros.worlds.registry import world_entry

LOCAL = "local"
ROS = "ros"
RUNTIMES = (ROS, LOCAL)

DEFAULT_WORLD = "house"

Progress = Callable[[str], None]


@dataclass(frozen=True)
class SessionSpec:
    """What to open; picklable. `overrides` by component and setting, `models`: settings of models.settings,
    `recording`: of storage.recording; values may be text. `registry`: as of agents.registry.load_registry."""

    runtime: str = ROS
    preset: str = DEFAULT_PRESET
    overrides: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    world: str = DEFAULT_WORLD
    world_options: Mapping[str, Any] = field(default_factory=dict)
    models: Mapping[str, Any] = field(default_factory=dict)
    recording: Mapping[str, Any] = field(default_factory=dict)
    registry: str = ""

    def agent(self) -> ConfiguredAgent:
        """The agent, matched with the world; raises ConfigurationError."""
        return configure_agent(
            self.preset,
            self.overrides,
            world_entry(self.world).offer,
            self.model_config(),
            load_registry(self.registry),
        )

    def model_config(self) -> ModelConfig:
        """Which models answer which roles; raises ConfigurationError for a setting that does not exist."""
        return configure(RoleModelConfig, self.models, "model")

    def recording_config(self) -> RecordingConfig:
        """How a run is recorded, where it is; raises ConfigurationError."""
        config = configure(RecordingConfig, self.recording, "recorder")
        config.check()
        return config

    @property
    def trials(self) -> int:
        """How often a task of a benchmark is tried at most; raises ConfigurationError for an unknown preset."""
        return load_registry(self.registry).agent_of(self.preset).presets[self.preset].trials

    def check(self) -> None:
        """Raises ConfigurationError for a preset, component, world or setting that does not exist, and StorageError for
        a memory folder in which nothing can be kept."""
        agent = self.agent()
        self.recording_config()
        configure(world_entry(self.world).config, self.world_options, self.world)
        check_memory_dir(agent.memory_dir)


class Session(Protocol):
    """Episodes one after the other; within an episode the agent remembers from task to task."""

    def start_episode(
        self, scene: str, seed: int, taps: Iterable[Tap] = (), folder: RunFolder | None = None
    ) -> str:
        """Fresh components, the world at the start of the scene; returns the scene's name.

        The taps see every message from here on, until the next episode. folder: takes what models reply, if any are
        asked. Raises ConfigurationError for a scene
        the world does not have, WorldError when its engine fails.
        """
        ...

    def run_task(self, text: str, max_commands: int = 0) -> TaskResult:
        """Give the agent a task (`max_commands` 0: no limit) and wait for its end.

        Raises StmaError when the agent can come to no end: a node died, or nothing is under way any more.
        """
        ...

    def retry(self) -> None:
        """The world at the start of the episode's scene once more, its clock running on; the agent remembers. For
        worlds of text: elsewhere stamps would begin anew under a map that holds them. Raises as start_episode does, and
        ConfigurationError in other worlds.
        """
        ...

    def memory(self) -> float:
        """Memory of the processes of agent and world [MB]; 0 where the system does not report it."""
        ...


def check_retry(wiring: Wiring) -> None:
    """Raises ConfigurationError where a world that is reset does not fit what the agent remembers."""
    if wiring.has_camera:
        raise ConfigurationError(
            "an episode can be tried again only in worlds of text, not in those that offer a camera: "
            "start it anew instead"
        )
