"""Sorts the assignments of `--set` by their owners."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from stma_ros.agents.registry import AGENTS, AgentRegistry
from stma_ros.models.settings import hide_key
from stma_ros.types.errors import ConfigurationError, MissingDependencyError
from stma_ros.types.settings import settings_of, suggest
from stma_ros.worlds.registry import WORLDS

_WORLD = "world"
_MODEL = "model"
_KNOWLEDGE = "knowledge"
_RECORDER = "recorder"
_PLAIN = ""


@dataclass(frozen=True)
class Assignments:
    """Values as text by their owners.

    Attributes:
        components: by component and setting.
        world: of the world.
        models: of models.
        plain: without a prefix: of a benchmark suite.
        recording: of the recorder.
        agents: registry of the components that can be set.
    """

    components: Mapping[str, Mapping[str, str]]
    world: Mapping[str, str]
    models: Mapping[str, str]
    plain: Mapping[str, str]
    recording: Mapping[str, str]
    agents: AgentRegistry = AGENTS

    def with_world_options(self, own: Collection[str] = ()) -> Assignments:
        """Returns the assignments with plain options of a world among those of the world, unless a component, or the
        benchmark with the settings `own`, has a setting of that name, too."""
        keys = _keys(self.agents)
        shared = {*own, *(key.rpartition(".")[2] for key in keys if not key.startswith(f"{_WORLD}."))}
        meant = {name for name in self.plain if name not in shared and f"{_WORLD}.{name}" in keys}
        return replace(
            self,
            world={**{name: self.plain[name] for name in self.plain if name in meant}, **self.world},
            plain={name: value for name, value in self.plain.items() if name not in meant},
        )

    def refuse_plain(self, command: str) -> None:
        """Raises ConfigurationError for a plain key, which only benchmarks have; names the settings of that name."""
        self._refuse_plain(command, _keys(self.agents), "component.setting=value or world.option=value")

    def refuse_all_but_world(self, command: str) -> None:
        """Raises ConfigurationError for a setting of anything but the world."""
        self._refuse_plain(command, _world_keys(), f"{_WORLD}.option=value")
        if self.components or self.models or self.recording:
            raise ConfigurationError(
                f"stma {command} has no setting of an agent: it takes world.option=value only"
            )

    def refuse_all_but_models(self, command: str) -> None:
        """Raises ConfigurationError for a setting of anything but models."""
        self._refuse_plain(command, (), "model=... or model.setting=value")
        if self.components or self.world or self.recording:
            raise ConfigurationError(f"stma {command} has no setting of an agent: it takes model=... only")

    def refuse_recorded(self, command: str) -> None:
        """Raises ConfigurationError for a setting that a recording fixes, and for a plain key."""
        keys = [key for key in _keys(self.agents) if key not in _world_keys()]
        self._refuse_plain(command, keys, "component.setting=value or model=...")
        owner = _WORLD if self.world else _RECORDER if self.recording else ""
        if owner:
            raise ConfigurationError(
                f"stma {command} has a recording, in which nothing of the {owner} can be set any more. Write "
                "component.setting=value or model=..."
            )

    def _refuse_plain(self, command: str, keys: Iterable[str], form: str) -> None:
        """Raises ConfigurationError for a plain key. keys: those that the command takes; form: how they are written."""
        for name in self.plain:
            owned = [key for key in keys if key.rpartition(".")[2] == name]
            hint = f" Did you mean {' or '.join(owned)}?" if owned else ""
            raise ConfigurationError(f"stma {command} has no setting {name!r}.{hint} Write {form}")


def read_assignments(assignments: Iterable[str], agents: AgentRegistry = AGENTS) -> Assignments:
    """Sorts KEY=VALUE texts. model=SPEC is short for model.default=SPEC; knowledge=FILE for the setting `knowledge` of
    every component that has one.

    Raises:
        ConfigurationError: a text without a key or an equals sign, or a key of something that no agent has.
    """
    values = parse_assignments(assignments)
    others = (_WORLD, _MODEL, _RECORDER)
    known = (*dict.fromkeys(spec.name for spec in agents.components), *others)
    for owner in values:
        if owner not in (*known, _PLAIN):
            raise ConfigurationError(f"there is no component {owner!r}. {suggest(owner, known)}")
    components = {owner: those for owner, those in values.items() if owner not in (*others, _PLAIN)}
    plain, models = dict(values.get(_PLAIN, {})), dict(values.get(_MODEL, {}))
    if _MODEL in plain:
        models["default"] = plain.pop(_MODEL)
    if _KNOWLEDGE in plain:
        path = str(Path(plain.pop(_KNOWLEDGE)).absolute())
        for name in dict.fromkeys(spec.name for spec in agents.components if spec.has_setting(_KNOWLEDGE)):
            components[name] = {_KNOWLEDGE: path, **components.get(name, {})}
    return Assignments(components, values.get(_WORLD, {}), models, plain, values.get(_RECORDER, {}), agents)


def parse_assignments(assignments: Iterable[str]) -> dict[str, dict[str, str]]:
    """Parses KEY=VALUE texts to values by owner: "planner.x=1" belongs to "planner", "tasks=find" to "".

    Raises:
        ConfigurationError: a text without a key or an equals sign.
    """
    values: dict[str, dict[str, str]] = {}
    for assignment in assignments:
        key, equals, value = assignment.partition("=")
        if not key.strip() or not equals:
            raise ConfigurationError(
                f"--set wants KEY=VALUE (for example spatial_memory.resolution=0.1), got {hide_key(assignment)!r}"
            )
        owner, _, name = key.strip().rpartition(".")
        values.setdefault(owner, {})[name] = value.strip()
    return values


def _keys(agents: AgentRegistry) -> tuple[str, ...]:
    """Returns the settings of components and worlds in the form of `--set`, as far as their libraries are installed."""
    keys: dict[str, None] = {}
    for spec in agents.components:
        with suppress(MissingDependencyError):
            keys.update(dict.fromkeys(f"{spec.name}.{item.name}" for item in settings_of(spec.config)))
    return (*keys, *_world_keys())


def _world_keys() -> tuple[str, ...]:
    """Returns the options of all worlds in the form of `--set`."""
    names = (item.name for entry in WORLDS.values() for item in settings_of(entry.config))
    return tuple(dict.fromkeys(f"{_WORLD}.{name}" for name in names))
