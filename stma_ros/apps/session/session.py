"""The interface of sessions: an agent and a world that can be given tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from stma_ros.agents.configured_agent import ConfiguredAgent, configure_agent, missing_models
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
from stma_ros.worlds.registry import drawn_settings, world_entry, world_offer

LOCAL = "local"
ROS = "ros"
RUNTIMES = (ROS, LOCAL)

DEFAULT_WORLD = "house"

Progress = Callable[[str], None]


@dataclass(frozen=True)
class SessionSpec:
    """A session to be opened; picklable. Values of settings may be text.

    Attributes:
        runtime: LOCAL or ROS.
        preset: preset of the agent.
        overrides: by component and setting.
        world: name of the world.
        world_options: settings of the world.
        models: settings of models.settings.
        recording: settings of storage.recording.
        registry: as in agents.registry.load_registry.
    """

    runtime: str = ROS
    preset: str = DEFAULT_PRESET
    overrides: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    world: str = DEFAULT_WORLD
    world_options: Mapping[str, Any] = field(default_factory=dict)
    models: Mapping[str, Any] = field(default_factory=dict)
    recording: Mapping[str, Any] = field(default_factory=dict)
    registry: str = ""

    def agent(self) -> ConfiguredAgent:
        """Returns the agent, matched with the world; raises ConfigurationError."""
        return configure_agent(
            self.preset,
            self.overrides,
            world_offer(self.world, self.world_options),
            self.model_config(),
            load_registry(self.registry),
        )

    def drawn(self, scene: str, seed: int) -> Mapping[str, Any]:
        """Returns the settings of an episode that the world draws from its scene; raises ConfigurationError."""
        return drawn_settings(self.world, scene, seed, self.world_options)

    def of_episode(self, scene: str, seed: int) -> SessionSpec:
        """Returns the spec for one episode alone, which states what the world draws from its scene; raises
        ConfigurationError."""
        return replace(self, world_options={**self.world_options, **self.drawn(scene, seed)})

    def model_config(self) -> ModelConfig:
        """Returns the models of the roles; raises ConfigurationError for a setting that does not exist."""
        return configure(RoleModelConfig, self.models, "model")

    def recording_config(self) -> RecordingConfig:
        """Returns the settings of the recording; raises ConfigurationError."""
        config = configure(RecordingConfig, self.recording, "recorder")
        config.check()
        return config

    @property
    def trials(self) -> int:
        """The largest number of trials of a benchmark's task; raises ConfigurationError for an unknown preset."""
        return load_registry(self.registry).agent_of(self.preset).presets[self.preset].trials

    @property
    def missing_models(self) -> tuple[str, ...]:
        """The roles for which the preset needs a model that is not named; raises ConfigurationError."""
        preset = load_registry(self.registry).agent_of(self.preset).presets[self.preset]
        return missing_models(preset, self.model_config())

    def check(self) -> None:
        """Raises ConfigurationError for a preset, component, world or setting that does not exist, and StorageError for
        a memory folder that cannot be used."""
        agent = self.agent()
        self.recording_config()
        configure(world_entry(self.world).config, self.world_options, self.world)
        check_memory_dir(agent.memory_dir)


class Session(Protocol):
    """Runs episodes one after the other; within an episode the agent remembers earlier tasks."""

    def start_episode(
        self, scene: str, seed: int, taps: Iterable[Tap] = (), folder: RunFolder | None = None
    ) -> str:
        """Begins an episode with fresh components and the world at the start of the scene.

        Args:
            scene: scene of the world.
            seed: seed of the episode.
            taps: receive every message until the next episode.
            folder: receives the models' replies, if any are asked.

        Returns:
            The scene's name.

        Raises:
            ConfigurationError: the world does not have the scene.
            WorldError: the world's engine fails.
        """
        ...

    def run_task(self, text: str, max_commands: int = 0) -> TaskResult:
        """Runs a task and waits for its end. max_commands: 0 = no limit.

        Raises:
            StmaError: the task cannot end: a node died, or no message is left to handle.
        """
        ...

    def retry(self) -> None:
        """Resets the world to the start of the episode's scene, while its clock continues and the agent remembers. For
        text worlds only: elsewhere new stamps would precede those in the map.

        Raises:
            ConfigurationError: another kind of world.
            WorldError: as start_episode.
        """
        ...

    def memory(self) -> float:
        """Returns the memory of the processes of agent and world [MB]; 0 where the system does not report it."""
        ...


def check_retry(wiring: Wiring) -> None:
    """Raises ConfigurationError where a reset of the world would contradict the agent's memory."""
    if wiring.has_camera:
        raise ConfigurationError(
            "an episode can be tried again only in worlds of text, not in those that offer a camera: "
            "start it anew instead"
        )
