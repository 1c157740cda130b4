"""Reads ROS 2 parameter files, checks them against the nodes' parameters, and sorts them by node."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from stma_ros.agents.node_spec import NodeSpec, ParameterValue
from stma_ros.ros.node_settings import NodeSettings
from stma_ros.ros.parameters import is_of_rclpy
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import check, suggest

_PARAMETERS = "ros__parameters"
_TEXTS = frozenset({"node_names"})  # parameters that are lists of texts, which no setting describes


@dataclass(frozen=True)
class Section:
    """The parameters of one node, or of all nodes that a pattern matches.

    Attributes:
        node: as in the file: `planner` (in the robot's namespace), `/robot_1/planner`, `/**/planner` or `/**`; `*`
            matches one part of a name, `**` any number.
        parameters: by full name; nested ones are joined with dots.
    """

    node: str
    parameters: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The last part: a node's own name, or a wildcard."""
        return self.node.rpartition("/")[2]

    @property
    def is_pattern(self) -> bool:
        """Whether it is for nodes of any name."""
        return self.name in ("*", "**")

    def matches(self, node: str, namespace: str) -> bool:
        """Whether the section is for a node of that name in a namespace (`/`, `/robot_1`)."""
        pattern = self.node if self.node.startswith("/") else f"{namespace.rstrip('/')}/{self.node}"
        parts = {"*": "/[^/]+", "**": "(?:/[^/]+)*"}
        expression = "".join(parts.get(part, "/" + re.escape(part)) for part in pattern.split("/")[1:])
        return re.fullmatch(expression, f"{namespace.rstrip('/')}/{node}") is not None


def read_parameter_file(path: Path) -> tuple[Section, ...]:
    """Returns the sections of a file in their order.

    Raises:
        ConfigurationError: the file cannot be read, is no YAML, or has another layout than ROS 2 parameter files.
    """
    try:
        content = yaml.safe_load(path.read_text())
    except OSError as error:
        raise ConfigurationError(
            f"the parameter file {path} cannot be read: {error.strerror}. Give the full path of a file"
        ) from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"the parameter file {path} is no YAML: {error}") from error
    if not isinstance(content, dict) or not content:
        raise ConfigurationError(f"the parameter file {path} names no node. {_LAYOUT}")
    return tuple(_sections(content, "", path))


_LAYOUT = (
    "It has to read `NODE:`, in it `ros__parameters:`, and in that `NAME: VALUE`, as config/stma.yaml does"
)


def _sections(content: Mapping[Any, Any], node: str, path: Path) -> Iterator[Section]:
    for key, inner in content.items():
        if key == _PARAMETERS and node:
            if not isinstance(inner, dict):
                raise ConfigurationError(f"{path}: {node} has a {_PARAMETERS} without parameters. {_LAYOUT}")
            yield Section(node, dict(_flat(inner)))
        elif isinstance(inner, dict):
            joined = f"{node.rstrip('/')}/{str(key).lstrip('/')}" if node else str(key)
            yield from _sections(inner, joined, path)
        else:
            where = f"{node}/{key}" if node else str(key)
            raise ConfigurationError(f"{path}: {where} is not in a {_PARAMETERS}. {_LAYOUT}")


def _flat(parameters: Mapping[Any, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in parameters.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def parameters_by_node(
    sections: Sequence[Section],
    specs: Iterable[NodeSpec],
    known: Mapping[str, NodeSettings],
    *,
    namespace: str = "",
    others: Iterable[str] = (),
    source: str = "the parameter file",
) -> dict[str, dict[str, ParameterValue]]:
    """Returns the parameters of a file by node, for the nodes to be started. A section that names a node overrides one
    with a pattern.

    Args:
        sections: sections of the file.
        specs: the nodes without the file.
        known: the parameters of every node of this package.
        namespace: full namespace of the nodes.
        others: nodes started elsewhere, such as the robot's own bridge, whose parameters are not checked.
        source: name of the file in messages.

    Raises:
        ConfigurationError: an unknown node or parameter, with the nearest known one; a value that does not fit; a
            parameter that contradicts an argument of the bring-up; no section for any of the nodes.
    """
    where = f"/{namespace.strip('/')}"
    started = {spec.name: spec for spec in specs}
    given: dict[str, dict[str, ParameterValue]] = {}
    applied = False
    for section in sorted(sections, key=lambda section: not section.is_pattern):
        if section.name in others:
            continue
        _check_names(section, known, source)
        for name, spec in started.items():
            if section.matches(name, where):
                applied = True
                values = given.setdefault(name, {})
                for parameter, value in section.parameters.items():
                    if _has(known[name], parameter):
                        values[parameter] = _checked(spec, known[name], parameter, value, source)
    if not applied:
        named = ", ".join(section.node for section in sections)
        raise ConfigurationError(
            f"{source} is for none of the nodes that are started: it names {named}, and they are in the namespace "
            f"{where}. Name them so, or begin with /**/"
        )
    return given


def unused_sections(
    sections: Iterable[Section], specs: Iterable[NodeSpec], namespace: str = ""
) -> tuple[str, ...]:
    """Returns the nodes of a file that are not started here: in another namespace, or not a part of this agent."""
    where, names = f"/{namespace.strip('/')}", [spec.name for spec in specs]
    return tuple(
        section.node for section in sections if not any(section.matches(name, where) for name in names)
    )


def _has(settings: NodeSettings, parameter: str) -> bool:
    return parameter in settings or is_of_rclpy(parameter) or parameter in _TEXTS


def _check_names(section: Section, known: Mapping[str, NodeSettings], source: str) -> None:
    """Raises ConfigurationError for an unknown node, and for a parameter that the node does not have."""
    if section.is_pattern:
        settings = {name: item for node in known.values() for name, item in node.items()}
        owner = "no node of this package"
    elif section.name in known:
        settings = dict(known[section.name])
        owner = f"the node {section.name}"
    else:
        raise ConfigurationError(
            f"{source}: there is no node {section.name!r} ({section.node}). {suggest(section.name, known)}"
        )
    for parameter in section.parameters:
        if not _has(settings, parameter):
            has = "has a" if section.is_pattern else "has no"
            raise ConfigurationError(
                f"{source}: {owner} {has} parameter {parameter!r} ({section.node}). "
                f"{suggest(parameter, settings, section.name)}"
            )


def _checked(
    spec: NodeSpec, settings: NodeSettings, parameter: str, value: Any, source: str
) -> ParameterValue:
    """Returns the value, converted to the setting's type."""
    if parameter == "use_sim_time" and not isinstance(value, bool):
        raise ConfigurationError(f"{source}: {spec.name}.{parameter} wants true or false, got {value!r}")
    try:
        fitting = check(settings[parameter], value, spec.name) if parameter in settings else value
    except ConfigurationError as error:
        raise ConfigurationError(f"{source}: {error}") from error
    argument = spec.decided_by.get(parameter)
    if argument is not None and fitting != spec.parameters[parameter]:
        raise ConfigurationError(
            f"{source}: {spec.name}.{parameter} is {value!r}, and has to be {spec.parameters[parameter]!r} here. The "
            f"launch argument {argument}:= says it for all nodes: leave it out of the file"
        )
    return fitting
