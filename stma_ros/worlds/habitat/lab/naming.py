"""Names the objects of a scene from the files of its data set, by the rules of the engine.

An episode refers to objects by their handles, while tasks in words need categories before any engine has loaded the
scene.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from stma_ros.worlds.habitat.engine.naming import category_of, lexicon_from, simple_name
from stma_ros.worlds.habitat.lab.scene_files import (
    ARTICULATED,
    RIGID,
    handles_of,
    read_classes,
    read_template,
    template_of,
)
from stma_ros.worlds.habitat.scene.dataset_files import ARTICULATED_SUFFIX, DatasetFiles

_SEMANTICS = "semantic_scene_descriptor_instances"


class Names:
    """The categories of objects in scenes of a data set.

    Args:
        files: files of the data set.
        templates: configurations of objects by simple name, including those outside of the data set.
    """

    def __init__(self, files: DatasetFiles, templates: Mapping[str, Path]) -> None:
        self._files = files
        self._templates: dict[str, Path] = {
            simple_name(path.name): path for path in files.of("articulated_objects", ARTICULATED_SUFFIX)
        }
        self._templates |= templates
        self._configs: dict[str, Mapping[str, Any]] = {}
        self._lexicons: dict[str, Mapping[int, str]] = {}

    def of_scene(self, scene: Mapping[str, Any]) -> dict[str, str]:
        """Returns the category (ObjectReport.category) of every object, by habitat-sim's name for it.

        Args:
            scene: content of a *.scene_instance.json.

        Raises:
            ConfigurationError: a required file cannot be read.
        """
        lexicon = self._lexicon(scene.get("semantic_scene_instance", ""))
        names = {}
        for kind in (RIGID, ARTICULATED):
            for handle, entry in handles_of(scene, kind):
                config = self._config(template_of(entry))
                user = {**config.get("user_defined", {}), **entry.get("user_defined", {})}
                names[handle] = category_of(user, lexicon, config.get("semantic_id", 0), template_of(entry))
        return names

    def _config(self, template: str) -> Mapping[str, Any]:
        """Returns the configuration of a template; empty for a template without a file."""
        if template not in self._configs:
            path = self._templates.get(template)
            self._configs[template] = read_template(path) if path is not None else {}
        return self._configs[template]

    def _lexicon(self, name: str) -> Mapping[int, str]:
        """Returns the names of semantic ids in a scene; empty where it has none."""
        if name not in self._lexicons:
            path = self._files.named(_SEMANTICS, name, ".json") if name else None
            self._lexicons[name] = lexicon_from(read_classes(path) if path is not None else ())
        return self._lexicons[name]
