"""Finds the files of a scene, and reports missing ones, before habitat_sim does.

habitat_sim takes the first name that contains the requested one; where a file is missing it logs a line and continues,
or raises without naming the remedy.
"""

from __future__ import annotations

import difflib
import json
import os
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .errors import Code, EngineError
from .naming import simple_name

_INSTANCE = ".scene_instance.json"
_DATASET = ".scene_dataset_config.json"
_NO_DATASET = "default"  # of habitat_sim: an empty one
_LISTED = 8
_REMEDY = "Complete the download of the data set, or choose another scene"


@dataclass(frozen=True)
class SceneFiles:
    """A scene's files. handle: habitat_sim's name of the scene. instance: content of its *.scene_instance.json; empty
    without one."""

    handle: str
    instance: Mapping[str, Any]

    def instances(self, kind: str) -> Sequence[Mapping[str, Any]]:
        """Returns the instances of a kind, "object" or "articulated_object"."""
        listed = self.instance.get(f"{kind}_instances", ())
        return [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []


def open_dataset(habitat: Any, mediator: Any, dataset: str) -> Any:
    """Returns a MetadataMediator with this data set: the given one, which reuses what it has read before, or a new one.

    Args:
        habitat: the module habitat_sim.
        mediator: a mediator of an earlier scene, or None.
        dataset: path of the data set's configuration; empty = none.

    Raises:
        EngineError: the file is missing or cannot be read.
    """
    if dataset:
        _read_json(dataset, f"the scene data set {dataset!r}", f"give the path of a *{_DATASET}")
    name = os.path.abspath(dataset) if dataset else _NO_DATASET
    try:
        if mediator is None:
            settings = habitat.SimulatorConfiguration()
            settings.scene_dataset_config_file = name
            return habitat.metadata.MetadataMediator(settings)
        mediator.active_dataset = name
        return mediator
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - habitat_sim raises exceptions of any type
        raise EngineError(
            Code.MISSING_ASSET, f"habitat_sim cannot read the scene data set {dataset!r}: {error}"
        ) from None


def find_scene(mediator: Any, dataset: str, scene: str) -> SceneFiles:
    """Raises EngineError when there is no such scene, or files of it are missing."""
    handle = _handle(mediator, dataset, scene)
    instance: Mapping[str, Any] = {}
    if handle.endswith(_INSTANCE):
        instance = _read_json(handle, f"the scene {scene!r}, {handle!r},", _REMEDY)
    files = SceneFiles(handle, instance)
    missing = sorted(set(_missing(mediator, files)))
    if missing:
        more = f" and {len(missing) - _LISTED} more" if len(missing) > _LISTED else ""
        raise EngineError(
            Code.MISSING_ASSET,
            f"the scene {scene!r} needs what is not there: {', '.join(missing[:_LISTED])}{more}. {_REMEDY}",
        )
    return files


def check_complete(files: SceneFiles, rigid: int, articulated: int) -> None:
    """Raises EngineError when fewer objects have been loaded than the scene has."""
    for kind, loaded in (("object", rigid), ("articulated_object", articulated)):
        expected = len(files.instances(kind))
        if loaded < expected:
            words = kind.replace("_", " ")
            raise EngineError(
                Code.MISSING_ASSET,
                f"of the {expected} {words}s of the scene {files.handle!r}, habitat_sim could load only {loaded}: "
                f"files of theirs are missing or damaged; its log names them. {_REMEDY}",
            )


def check_annotation(stage: Any, scene: str) -> None:
    """Raises EngineError when the mesh of the stage's semantic annotation is missing: without it nothing of the stage
    has its name in an image. stage: its template."""
    path = getattr(stage, "semantic_asset_fullpath", None) or getattr(stage, "semantic_asset_handle", "")
    if path and not os.path.isfile(path):
        raise EngineError(
            Code.MISSING_ASSET,
            f"the scene {scene!r} is annotated, but its annotated mesh {path} is missing. {_REMEDY}",
        )


def _handle(mediator: Any, dataset: str, scene: str) -> str:
    if dataset:
        handles = [*mediator.get_scene_handles(), *mediator.stage_template_manager.get_template_handles()]
        wanted = {
            scene,
            os.path.abspath(scene),
            os.path.join(os.path.dirname(os.path.abspath(dataset)), scene),
        }
        for handle in handles:
            if handle in wanted:
                return str(handle)
        for handle in handles:
            if simple_name(handle) == simple_name(scene):
                return str(handle)
    if scene and os.path.isfile(scene):
        return os.path.abspath(scene)
    if not dataset:
        raise EngineError(
            Code.MISSING_ASSET,
            f"there is no scene {scene!r}: without a scene data set, give the path of a mesh (such as *.glb) or of a "
            f"*{_INSTANCE}",
        )
    raise EngineError(
        Code.MISSING_ASSET,
        f"the scene data set {dataset!r} has no scene {scene!r}. {_offer(scene, map(simple_name, handles))}",
    )


def _offer(scene: str, names: Iterable[str]) -> str:
    known = sorted(set(names))
    if not known:
        return "It has no scenes at all: its configuration names folders that are empty or not there"
    offered = difflib.get_close_matches(scene, known, _LISTED) or known[:_LISTED]
    return f"It has {len(known)}, such as: {', '.join(offered)}"


def _missing(mediator: Any, files: SceneFiles) -> Iterable[str]:
    folder = os.path.dirname(files.handle)
    stage = files.instance.get("stage_instance")
    if isinstance(stage, dict):
        yield from _missing_of(mediator.stage_template_manager, stage, folder, "stage")
    for entry in files.instances("object"):
        yield from _missing_of(mediator.object_template_manager, entry, folder, "object")
    for entry in files.instances("articulated_object"):
        if hasattr(mediator, "ao_template_manager"):
            yield from _missing_of(mediator.ao_template_manager, entry, folder, "articulated object")
        elif not any(str(entry.get("template_name", "")) in path for path in mediator.urdf_paths.values()):
            yield f"articulated object {entry.get('template_name')!r}"  # 0.2.4 and 0.2.5 have no templates of these


def _missing_of(templates: Any, entry: Mapping[str, Any], folder: str, kind: str) -> Iterable[str]:
    name = entry.get("template_name")
    if not isinstance(name, str) or not name:
        yield f"the name of an {kind}" if kind[0] in "ao" else f"the name of a {kind}"
        return
    handles = templates.get_template_handles(name)
    if not handles:
        if not os.path.exists(os.path.join(folder, name)):
            yield f"{kind} {name!r}"
        return
    template = templates.get_template_by_handle(handles[0])
    for path in _files_of(template):
        if not os.path.isfile(path):
            yield f"{kind} {name!r} ({path})"


def _files_of(template: Any) -> Iterable[str]:
    for role in ("render_asset", "collision_asset", "urdf"):
        path = str(getattr(template, f"{role}_fullpath", "") or getattr(template, f"{role}_handle", ""))
        # Stages without a mesh are called "NONE" and primitives have no file: neither has a file ending.
        if not getattr(template, f"{role}_is_primitive", False) and os.path.splitext(path)[1]:
            yield path
            if role == "urdf":
                yield from (os.path.join(os.path.dirname(path), mesh) for mesh in _meshes_of_urdf(path))


def _meshes_of_urdf(path: str) -> Sequence[str]:
    """Returns the files of the meshes that a URDF draws, as it names them; none where it cannot be read."""
    try:
        shapes = ElementTree.parse(path).iterfind(".//visual/geometry/mesh")
    except (OSError, ElementTree.ParseError):
        return ()
    return [shape.get("filename", "") for shape in shapes]


def _read_json(path: str, what: str, remedy: str) -> Mapping[str, Any]:
    try:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
    except OSError as error:
        raise EngineError(
            Code.MISSING_ASSET, f"{what} cannot be opened ({error.strerror}). {remedy.capitalize()}"
        ) from None
    except (ValueError, RecursionError) as error:
        raise EngineError(
            Code.MISSING_ASSET, f"{what} is damaged: it is not JSON ({error}). Restore the file"
        ) from None
    if not isinstance(content, dict):
        raise EngineError(Code.MISSING_ASSET, f"{what} is damaged: it holds no JSON object. Restore the file")
    return content
