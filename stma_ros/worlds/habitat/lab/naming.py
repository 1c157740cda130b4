"""What the things of a scene are called, read from the files of its data set by the rules of the engine.

An episode names things by their handles. People are told categories, before any engine has loaded the scene.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from stma_ros.types.errors import ConfigurationError
from stma_ros.worlds.habitat.engine.naming import category_of, lexicon_from, simple_name
from stma_ros.worlds.habitat.scene.dataset_files import ARTICULATED_SUFFIX, DatasetFiles

_SEMANTICS = "semantic_scene_descriptor_instances"
RIGID, ARTICULATED = "object_instances", "articulated_object_instances"
"""The lists of a *.scene_instance.json."""


class Names:
    """The categories of things in scenes of a data set.

    templates: the configurations of objects by their simple names; those that are not in the data set, too.
    """

    def __init__(self, files: DatasetFiles, templates: Mapping[str, Path]) -> None:
        self._files = files
        self._templates: dict[str, Path] = {
            simple_name(path.name): path for path in files.of("articulated_objects", ARTICULATED_SUFFIX)
        }
        self._templates |= templates
        self._configs: dict[str, Mapping[str, Any]] = {}
        self._lexicons: dict[str, Mapping[int, str]] = {}

    def of_scene(self, instance: Mapping[str, Any]) -> dict[str, str]:
        """The category (ObjectReport.category) of every thing, by habitat-sim's name for it. instance: what a
        *.scene_instance.json holds."""
        lexicon = self._lexicon(instance.get("semantic_scene_instance", ""))
        names = {}
        for kind in (RIGID, ARTICULATED):
            for handle, entry in handles_of(instance, kind):
                config = self._config(template_of(entry))
                user = {**config.get("user_defined", {}), **entry.get("user_defined", {})}
                names[handle] = category_of(
                    user, lexicon, int(config.get("semantic_id", 0)), template_of(entry)
                )
        return names

    def _config(self, template: str) -> Mapping[str, Any]:
        """Empty for what has no file of its own."""
        if template not in self._configs:
            path = self._templates.get(template)
            self._configs[template] = read_json(path) if path is not None else {}
        return self._configs[template]

    def _lexicon(self, name: str) -> Mapping[int, str]:
        """The names of semantic ids in a scene; empty where it has none."""
        if name not in self._lexicons:
            files = self._files.of(_SEMANTICS, ".json") if name else ()
            path = next((path for path in files if simple_name(path.name).startswith(Path(name).name)), None)
            classes = read_json(path).get("classes", ()) if path is not None else ()
            self._lexicons[name] = lexicon_from((int(each["id"]), str(each["name"])) for each in classes)
        return self._lexicons[name]


def handles_of(instance: Mapping[str, Any], kind: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The instances of a scene with habitat-sim's names for them: their template's, and how many came before."""
    counts: dict[str, int] = {}
    for entry in instance.get(kind, ()):
        template = template_of(entry)
        counts[template] = counts.get(template, -1) + 1
        yield f"{template}_:{counts[template]:04d}", entry


def template_of(entry: Mapping[str, Any]) -> str:
    """The simple name of what it is an instance of."""
    return simple_name(str(entry.get("template_name", "")))


def read_json(path: Path) -> Mapping[str, Any]:
    """Raises ConfigurationError when it cannot be read, or holds no object."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(content, dict):
            raise ValueError("it holds no JSON object")
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"{path} cannot be read: {error}; restore the file") from error
    return content
