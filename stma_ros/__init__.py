"""Spatio-temporal memory and closed-loop planning for mobile manipulators, as a ROS 2 package.

The names that are exported here are the stable part, for Python programs with and without ROS: see docs/howto/
embed_memory.md. Each is imported when it is first used.

The layers are described in docs/architecture.md; `stma_ros.msg`, `stma_ros.srv` and `stma_ros.action` are generated
from the interface definitions when the package is installed for ROS.
"""

from __future__ import annotations

import sys
from pkgutil import extend_path
from typing import TYPE_CHECKING

# From the repository root the sources shadow the installed package; the interfaces come from it all the same.
__path__ = extend_path(__path__, __name__)

if TYPE_CHECKING:
    from stma_ros.library.errors import LateFrameError, MemoryClosedError
    from stma_ros.library.knowledge.knowledge_store import RetrievalConfig
    from stma_ros.library.knowledge_memory import KnowledgeMemory, Learned
    from stma_ros.library.occupancy_map import OccupancyMap
    from stma_ros.library.results import Answer, FrameResult, LastSeen
    from stma_ros.library.scene.place_memory import MappingConfig
    from stma_ros.library.scene_memory import SceneMemory, SceneMemoryConfig
    from stma_ros.mapping.spatial_map import MapSnapshot
    from stma_ros.memory.category_knowledge import CategoryKnowledge
    from stma_ros.memory.descriptions import Description, DescriptionReader
    from stma_ros.memory.retrieval import Subgraph
    from stma_ros.models.embedder import Embedder
    from stma_ros.sensing.bag_frames import load_bag
    from stma_ros.sensing.camera_frame import CameraFrame
    from stma_ros.sensing.saved_frames import load_frames
    from stma_ros.storage.memory_store import (
        MemoryInUseError,
        MemoryNotSavedError,
        MemoryUnreadableError,
        MemoryVersionError,
    )
    from stma_ros.types.errors import (
        BadDepthError,
        BadImageError,
        ConfigurationError,
        NotRememberedError,
        PoseJumpError,
        StmaError,
        StorageError,
        TaskNotUnderstoodError,
        WrongFrameError,
    )
    from stma_ros.types.remembering import Sighting
    from stma_ros.types.scene_graph import Relation, SceneGraph

    __version__: str


class _AbsentInterfaces:
    """The last finder of modules: says what to do where the generated interfaces are imported and no other has them."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        """Raises MissingRosError for the interfaces, as in a core install; finds nothing else."""
        if name in (f"{__name__}.msg", f"{__name__}.srv", f"{__name__}.action"):
            from stma_ros.types.errors import MissingRosError

            raise MissingRosError(
                f"there is no {name}: this is the core, without interfaces compiled against ROS 2"
            )


sys.meta_path.append(_AbsentInterfaces())


_MODULES = {
    "Answer": "library.results",
    "BadDepthError": "types.errors",
    "BadImageError": "types.errors",
    "CameraFrame": "sensing.camera_frame",
    "CategoryKnowledge": "memory.category_knowledge",
    "ConfigurationError": "types.errors",
    "Description": "memory.descriptions",
    "DescriptionReader": "memory.descriptions",
    "Embedder": "models.embedder",
    "FrameResult": "library.results",
    "KnowledgeMemory": "library.knowledge_memory",
    "LastSeen": "library.results",
    "LateFrameError": "library.errors",
    "Learned": "library.knowledge_memory",
    "MapSnapshot": "mapping.spatial_map",
    "MappingConfig": "library.scene.place_memory",
    "MemoryClosedError": "library.errors",
    "MemoryInUseError": "storage.memory_store",
    "MemoryNotSavedError": "storage.memory_store",
    "MemoryUnreadableError": "storage.memory_store",
    "MemoryVersionError": "storage.memory_store",
    "NotRememberedError": "types.errors",
    "OccupancyMap": "library.occupancy_map",
    "PoseJumpError": "types.errors",
    "Relation": "types.scene_graph",
    "RetrievalConfig": "library.knowledge.knowledge_store",
    "SceneGraph": "types.scene_graph",
    "SceneMemory": "library.scene_memory",
    "SceneMemoryConfig": "library.scene_memory",
    "Sighting": "types.remembering",
    "StmaError": "types.errors",
    "StorageError": "types.errors",
    "Subgraph": "memory.retrieval",
    "TaskNotUnderstoodError": "types.errors",
    "WrongFrameError": "types.errors",
    "load_bag": "sensing.bag_frames",
    "load_frames": "sensing.saved_frames",
}

__all__ = [
    "Answer",
    "BadDepthError",
    "BadImageError",
    "CameraFrame",
    "CategoryKnowledge",
    "ConfigurationError",
    "Description",
    "DescriptionReader",
    "Embedder",
    "FrameResult",
    "KnowledgeMemory",
    "LastSeen",
    "LateFrameError",
    "Learned",
    "MapSnapshot",
    "MappingConfig",
    "MemoryClosedError",
    "MemoryInUseError",
    "MemoryNotSavedError",
    "MemoryUnreadableError",
    "MemoryVersionError",
    "NotRememberedError",
    "OccupancyMap",
    "PoseJumpError",
    "Relation",
    "RetrievalConfig",
    "SceneGraph",
    "SceneMemory",
    "SceneMemoryConfig",
    "Sighting",
    "StmaError",
    "StorageError",
    "Subgraph",
    "TaskNotUnderstoodError",
    "WrongFrameError",
    "__version__",
    "load_bag",
    "load_frames",
]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Imports an exported name, or looks the version up in the metadata of the installed package.

        Raises:
            AttributeError: The package has no such name.
            importlib.metadata.PackageNotFoundError: The version is asked for where the package is not installed.
        """
        if name == "__version__":
            from importlib.metadata import version

            return version("stma_ros")
        if name not in _MODULES:
            raise AttributeError(
                f"module {__name__!r} has no attribute {name!r}", name=name, obj=sys.modules[__name__]
            )
        from importlib import import_module

        return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
