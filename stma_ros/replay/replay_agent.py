"""Creates the components of a recorded run with their recorded settings, or with changes."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stma_ros.agents.configured_agent import (
    EXPERIENCE_STORE,
    MEMORY_DIR,
    SETTINGS_OF_PLACE,
    STATE_DIR,
    WAIT_SETTINGS,
    check_models,
    configure_agent,
    values,
)
from stma_ros.agents.local_runtime import Binding
from stma_ros.agents.registry import AGENTS, AgentRegistry, MatchedAgent
from stma_ros.agents.spec import Overrides
from stma_ros.models.settings import RECORDED, ModelConfig, hide_key
from stma_ros.roles.registry import ROLE_NAMES, RoleModelConfig
from stma_ros.storage.experiences.postgres_store import is_postgres_url
from stma_ros.storage.experiences.recorded import RECORDED_EXPERIENCES
from stma_ros.storage.memory_store import RECORDED_MEMORY
from stma_ros.storage.state_file import RECORDED_STATES, state_name
from stma_ros.types.control import Configuration
from stma_ros.types.errors import ConfigurationError, StorageError
from stma_ros.types.settings import configure, settings_of, suggest
from stma_ros.types.telemetry import REPLIES_FILE
from stma_ros.types.world import WorldOffer

if TYPE_CHECKING:
    from stma_ros.models.model_pool import ModelPool

_DEFAULT = "default"  # setting of the model for roles without a setting of their own


@dataclass(frozen=True)
class Changes:
    """Differences from the recording.

    Attributes:
        preset: the preset to run instead, with the recorded settings of the place; "" = as recorded.
        overrides: values by component and setting.
        models: settings of models.settings, which replace the recorded ones; values may be text.
    """

    preset: str = ""
    overrides: Overrides = field(default_factory=dict)
    models: Mapping[str, Any] = field(default_factory=dict)

    @property
    def assignments(self) -> tuple[str, ...]:
        """All changes except the preset, as after --set."""
        settings = (
            f"{name}.{key}={value}" for name, those in self.overrides.items() for key, value in those.items()
        )
        models = (f"model.{key}={value}" for key, value in self.models.items())
        return (*settings, *models)


class ReplayAgent:
    """Makes components, each with its own model pool, as nodes do.

    Attributes:
        notes: parts that could not be restored.
    """

    def __init__(self, folder: Path, changes: Changes, agents: AgentRegistry = AGENTS) -> None:
        """Creates an agent.

        Args:
            folder: folder of the bag, which may also hold the recorded replies of models and the initial memory.
            changes: differences from the recording.
            agents: the registry with the recorded agent and the preset of the changes.
        """
        self._folder = folder
        self._agents = agents
        self._changes = changes
        self._models: list[ModelPool] = []
        self._folders: list[tempfile.TemporaryDirectory[str]] = []
        self._memories: dict[str, Path] = {}  # by component, as it was made last
        self._store = ""
        self._asking_anew: set[str] = set()
        self._originals: dict[str, str] = {}  # recorded paths by those of their copies
        self.notes: list[str] = []

    def make(self, configuration: Configuration) -> Binding:
        """Makes the component with its recorded settings and the changes.

        Raises:
            ConfigurationError: settings that this version does not have.
            StorageError: an unknown component, or recorded replies of its models that are missing.
        """
        matched = self.agent_of(configuration)
        spec = matched.component(configuration.component)
        models = self._model_config(configuration, matched)
        config = self._config(configuration, matched, models)
        if memory := getattr(config, MEMORY_DIR, ""):
            config = replace(config, **{MEMORY_DIR: self._memory(configuration.component, memory)})
        if store := getattr(config, EXPERIENCE_STORE, ""):
            config = replace(config, **{EXPERIENCE_STORE: self._experiences(store)})
        if getattr(config, STATE_DIR, ""):
            config = replace(config, **{STATE_DIR: self._state(configuration)})
        if spec.answers and {_DEFAULT, *spec.roles} & self._changes.models.keys():
            self._asking_anew.add(spec.name)
        session = None
        if set(models.model_roles) & set(spec.roles):
            from stma_ros.models.model_pool import ModelPool  # a slow import

            session = ModelPool(models)
            self._models.append(session)
        return spec.bind(config, matched.domain, session)

    def asks_anew(self, binding: Binding, recorded: Collection[str]) -> bool:
        """Whether the open questions of a component that was made are asked: other models answer them, or no answers
        were recorded. Else they are the recorded ones, when they came.

        Args:
            binding: the component.
            recorded: topics with recorded messages.
        """
        has_answers = any(topic in recorded for topic in binding.answers)
        return bool(binding.answers) and (binding.name in self._asking_anew or not has_answers)

    def check(self, components: Collection[str]) -> None:
        """Raises ConfigurationError for changes to components that are not among these."""
        for name, settings in self._changes.overrides.items():
            if name not in components:
                raise ConfigurationError(
                    f"{name}.{next(iter(settings), '')} cannot be set in this replay. "
                    f"{suggest(name, tuple(sorted(components)))}"
                )

    def agent_of(self, configuration: Configuration) -> MatchedAgent:
        """Returns the recorded agent, or that of the requested preset.

        Raises:
            StorageError: this version does not know the recorded agent or component.
            ConfigurationError: the preset does not fit the recorded body.
        """
        try:
            recorded = self._agents.find(configuration.agent, configuration.wiring, configuration.domain)
            if not self._changes.preset:
                recorded.component(configuration.component)
        except ConfigurationError as error:
            raise StorageError(
                f"the bag tells of a component {configuration.component!r} that this version does not know ({error}): "
                "replay it with the version that its metadata names or, where the agent is one of your own, name its "
                "registry (--registry)"
            ) from error
        if not self._changes.preset:
            return recorded
        return self._agents.match(self._changes.preset, offer_of(recorded))

    def configurations_of(self, recorded: Sequence[Configuration]) -> list[Configuration]:
        """Returns the configurations of the components to make: the recorded ones, or those of the changed preset. A
        component that was not recorded gets the models of the others, and their settings of the place. Raises as
        `agent_of` does."""
        if not recorded or not self._changes.preset:
            return list(recorded)
        wanted = self.agent_of(recorded[0]).wiring.components
        known = {each.component: each for each in recorded}
        models = next((each.models for each in recorded if each.models), ())
        pairs = (pair for each in recorded for pair in each.settings if pair.value)
        place = tuple({pair.key: pair for pair in pairs if pair.key in SETTINGS_OF_PLACE}.values())
        added = (
            replace(recorded[0], component=name, settings=place, models=models if spec.roles else ())
            for name, spec in wanted.items()
            if name not in known
        )
        return [*(each for name, each in known.items() if name in wanted), *added]

    def as_recorded(self, text: str) -> str:
        """Returns a component's text with the recorded paths in place of those of their copies."""
        for copy, original in self._originals.items():
            text = text.replace(copy, original)
        return text

    def close(self) -> None:
        for session in self._models:
            session.close()
        for folder in self._folders:
            folder.cleanup()

    def _config(self, configuration: Configuration, matched: MatchedAgent, models: ModelConfig) -> Any:
        changes, name = self._changes, configuration.component
        kind = matched.component(name).config
        recorded = values(configuration.settings)
        own = changes.overrides.get(name, {})
        if not changes.preset:
            return configure(kind, {**recorded, **own}, name)
        # Other models are waited for as they need it.
        fixed = {*SETTINGS_OF_PLACE, *(() if changes.models else WAIT_SETTINGS)}
        fixed &= {item.name for item in settings_of(kind)}
        fixed -= set(matched.agent.presets[changes.preset].settings.get(name, {}))
        place = {key: recorded[key] for key in fixed & recorded.keys()}
        overrides = {**changes.overrides, name: {**place, **own}}
        return configure_agent(changes.preset, overrides, offer_of(matched), models, self._agents).configs[
            name
        ]

    def _model_config(self, configuration: Configuration, matched: MatchedAgent) -> ModelConfig:
        # The environment variable of the key may be unset during a replay: no server is contacted.
        asked = {name: hide_key(value) for name, value in values(configuration.models).items()}
        recorded = configure(RoleModelConfig, asked, "model")
        changes = self._changes.models
        # A default also covers roles of other agents, which this agent does not ask.
        repeated = () if _DEFAULT in changes else recorded.model_roles
        again = [role for role in repeated if role in matched.wiring.roles and role not in changes]
        replies = self._folder / REPLIES_FILE
        if again and not replies.is_file():
            raise StorageError(
                f"models answered the {', '.join(again)} of this run, and {replies} is not there: put it beside the "
                "bag, or say who answers now, as in --set model=rules or --set model=openai:..."
            )
        tuning = {
            name: value for name, value in asdict(recorded).items() if name not in (_DEFAULT, *ROLE_NAMES)
        }
        answering = dict.fromkeys(again, f"{RECORDED}:{replies}")
        models = configure(RoleModelConfig, {**tuning, **answering, **changes}, "model")
        check_models(models, matched.wiring)
        return models

    def _memory(self, component: str, recorded: str) -> str:
        """Returns a copy of the memory at the start of the run, since the replay may save its own; for a component that
        is made anew, of the memory as it left it."""
        copy = self._new_folder()
        self._originals[str(copy)] = recorded
        memory = self._memories.get(component, self._folder / RECORDED_MEMORY)
        self._memories[component] = copy
        if memory.is_dir():
            shutil.copytree(memory, copy, dirs_exist_ok=True)
        else:
            self.notes.append(
                f"{component} may have begun with the memory of earlier runs; that is not in {memory} (where "
                "camera/color is not recorded, the memory is not either), and the replay begins with nothing"
            )
        return str(copy)

    def _experiences(self, store: str) -> str:
        """Returns a copy of the experiences at the start of the run, to which the replay adds its own; the same one for
        a component that is made anew."""
        if self._store:
            return self._store
        copy = self._new_folder() / RECORDED_EXPERIENCES
        self._store = str(copy)
        self._originals[self._store] = store
        recorded = self._folder / RECORDED_EXPERIENCES
        if recorded.is_file():
            shutil.copyfile(recorded, copy)
        elif is_postgres_url(store):
            self.notes.append(
                "the run may have begun with experiences on a server, which are not recorded; the replay begins with "
                "none"
            )
        return str(copy)

    def _state(self, configuration: Configuration) -> str:
        """Returns a folder with the state that the component went on from, if it did; others save theirs there."""
        folder = self._new_folder()
        if configuration.resumed_from:
            state = self._folder / RECORDED_STATES / configuration.resumed_from
            if state.is_file():
                shutil.copyfile(state, folder / state_name(configuration.resumed_from))
            else:
                self.notes.append(
                    f"{configuration.component} was killed and went on from its state, which is not in {state}: from "
                    "there on the replay begins with nothing"
                )
        return str(folder)

    def _new_folder(self) -> Path:
        folder = tempfile.TemporaryDirectory(prefix="stma_replay_")
        self._folders.append(folder)
        return Path(folder.name)


def offer_of(matched: MatchedAgent) -> WorldOffer:
    """Returns the offer of the recorded body, as far as it is known."""
    return WorldOffer(matched.domain.name, matched.wiring.requires.senses)
