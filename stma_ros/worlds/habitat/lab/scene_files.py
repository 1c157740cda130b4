"""Reads and checks the files of a scene data set that describe the content of a scene, without an engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, FiniteFloat, ValidationError

from stma_ros.types.errors import ConfigurationError
from stma_ros.worlds.first_problem import first_problem
from stma_ros.worlds.habitat.engine.naming import simple_name

RIGID: Final = "object_instances"
ARTICULATED: Final = "articulated_object_instances"
"""The lists of a *.scene_instance.json."""

_Vector = tuple[FiniteFloat, FiniteFloat, FiniteFloat]


class _Document(BaseModel):
    model_config = ConfigDict(extra="allow")


class _Instance(_Document):
    template_name: str
    translation: _Vector = (0.0, 0.0, 0.0)
    user_defined: dict[str, Any] = {}


class _Scene(_Document):
    object_instances: list[_Instance] = []
    articulated_object_instances: list[_Instance] = []
    semantic_scene_instance: str = ""


class _Template(_Document):
    semantic_id: int = 0
    user_defined: dict[str, Any] = {}


class _Class(_Document):
    id: int
    name: str


class _Semantics(_Document):
    classes: list[_Class] = []


def read_scene(path: Path) -> Mapping[str, Any]:
    """Returns the content of a *.scene_instance.json.

    Raises:
        ConfigurationError: the file cannot be read, or differs from habitat-sim's documentation; so do all functions
            here.
    """
    return _read(path, _Scene)


def read_template(path: Path) -> Mapping[str, Any]:
    """Returns the content of an *.object_config.json or *.ao_config.json."""
    return _read(path, _Template)


def read_classes(path: Path) -> Iterator[tuple[int, str]]:
    """Yields the semantic ids of a scene and their names."""
    for each in _read(path, _Semantics).get("classes", ()):
        yield each["id"], each["name"]


def handles_of(scene: Mapping[str, Any], kind: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yields the instances of a scene with habitat-sim's names for them: the template's name and a running number."""
    counts: dict[str, int] = {}
    for entry in scene.get(kind, ()):
        template = template_of(entry)
        counts[template] = counts.get(template, -1) + 1
        yield f"{template}_:{counts[template]:04d}", entry


def template_of(entry: Mapping[str, Any]) -> str:
    """Returns the simple name of an instance's template."""
    return simple_name(entry["template_name"])


def _read(path: Path, kind: type[_Document]) -> Mapping[str, Any]:
    try:
        # Only fields of the file: an explicit default would override the data set's own.
        return kind.model_validate_json(path.read_bytes()).model_dump(exclude_unset=True)
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error}; restore the file") from error
    except ValidationError as error:
        place, reason = first_problem(error)
        where = f" at {place}" if place else ""
        raise ConfigurationError(f"{path} is broken{where}: {reason}; restore the file") from None
