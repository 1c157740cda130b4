"""The checks of `stma doctor`."""

from __future__ import annotations

import ctypes
import enum
import importlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from stma_ros.ros.discovery import OFF, Discovery, discovery_of
from stma_ros.types.errors import MissingDependencyError, MissingRosError, StmaError

OLDEST, TOO_NEW = (3, 10), (3, 14)

SET_UP = "run `make setup`, or source a ROS 2 installation"
"""The remedy where ROS is missing."""

_DEMO_WORLD = "house"  # the others are extras; in a core install, all are
_EXTRAS = {
    "activities": "bddl",
    "plots": "matplotlib",
    "postgres": "pg8000",
    "view": "rerun-sdk",
    "vision": "onnxruntime",
}
"""The library of each extra that no world and no embedder tells of."""

_LIBRARIES = {"libusb-1.0.so.0": "libusb-1.0-0", "libGL.so.1": "libgl1", "libgomp.so.1": "libgomp1"}


class State(enum.Enum):
    FOUND = enum.auto()
    NOTE = enum.auto()  # present, and worth knowing
    OPTIONAL = enum.auto()  # absent, and rarely needed
    MISSING = enum.auto()


@dataclass(frozen=True)
class Finding:
    """The result of a check. `detail`: the observation; `remedy`: the remedy of a failure."""

    name: str
    state: State
    detail: str = ""
    remedy: str = ""


Check = Callable[[], Iterator[Finding]]


def python() -> Iterator[Finding]:
    supported = OLDEST <= sys.version_info[:2] < TOO_NEW
    state = State.FOUND if supported else State.MISSING
    yield Finding("Python", state, f"{sys.version.split()[0]}, {sys.executable}", "use Python 3.10 to 3.13")


def is_core_install() -> bool:
    """Whether this package was installed without its ROS 2 interfaces."""
    try:
        importlib.import_module("stma_ros.msg")
    except MissingRosError:
        return True
    except ImportError:  # a whole install, or sources, whose ROS 2 is missing
        return False
    return False


def ros() -> Iterator[Finding]:
    if is_core_install():
        detail = "this is a core install: the library and `--runtime local`, without nodes and interfaces"
        yield Finding("ROS 2", State.OPTIONAL, detail, SET_UP)
        return
    yield _module("rclpy", "ros-rclpy", SET_UP)
    interfaces = _module(
        "stma_ros.msg", "stma_ros", "run `make setup`, or `colcon build` and source its setup file"
    )
    yield Finding("our interfaces", interfaces.state, interfaces.detail, interfaces.remedy)
    middleware = os.environ.get("RMW_IMPLEMENTATION", "rmw_fastrtps_cpp")
    yield _module("rmw_dds_common", "ros-rmw-dds-common", SET_UP, shown=f"middleware {middleware}")
    yield Finding("ROS domain", State.FOUND, os.environ.get("ROS_DOMAIN_ID", "0"))
    yield _discovery(discovery_of())
    instead = "`stma` starts the nodes itself; for `ros2 launch`, use a ROS 2 installation"
    for name in ("launch", "launch_ros"):
        yield _module(name, name, instead, State.OPTIONAL)


def _discovery(found: Discovery) -> Finding:
    """Reports the hosts that find the nodes, the variable that decides, and the distribution."""
    detail = f"{found.reach}, by {found.source}; ROS 2 {found.distribution.capitalize()}"
    if found.reach == OFF:
        return Finding("discovery", State.MISSING, f"{detail}: nodes do not find one another", found.remedy)
    if found.warning:
        return Finding("discovery", State.NOTE, detail, found.warning)
    return Finding("discovery", State.FOUND, f"{detail}; no other host finds the nodes")


def worlds() -> Iterator[Finding]:
    from stma_ros.worlds.registry import WORLDS, make_world

    needed = State.OPTIONAL if is_core_install() else State.MISSING
    for name in WORLDS:
        try:
            make_world(name).close()
        except MissingDependencyError as error:
            state = needed if name == _DEMO_WORLD else State.OPTIONAL
            yield Finding(f"world {name}", state, str(error))
        except StmaError as error:
            yield Finding(f"world {name}", State.MISSING, str(error))
        else:
            yield Finding(f"world {name}", State.FOUND)
    for library, package in _LIBRARIES.items():
        try:
            ctypes.CDLL(library)
        except OSError as error:
            yield Finding(library, needed, str(error), f"apt-get install {package}")
        else:
            yield Finding(library, State.FOUND)


def models() -> Iterator[Finding]:
    from stma_ros.models.embedder import EMBEDDERS

    for name, make in EMBEDDERS.items():
        try:
            make()
        except (MissingDependencyError, OSError) as error:  # OSError: a library or the weights are damaged
            yield Finding(f"embedder {name}", State.OPTIONAL, str(error))
        else:
            yield Finding(f"embedder {name}", State.FOUND)


def extras() -> Iterator[Finding]:
    for extra, library in _EXTRAS.items():
        try:
            yield Finding(f"extra {extra}", State.FOUND, f"{library} {version(library)}")
        except PackageNotFoundError:
            remedy = f"pip install 'stma_ros[{extra}]', or in a clone `make {extra}`"
            yield Finding(f"extra {extra}", State.OPTIONAL, f"{library} is not installed", remedy)


def libraries() -> Iterator[Finding]:
    remedy = "pip install -r requirements/base.txt"
    for name in ("numpy", "scipy", "numba", "mcap"):
        yield _module(name, name, remedy)
    yield _module("rosbags.rosbag2", "rosbags", remedy, shown="rosbags")
    yield _numba_cache()


def _module(
    module: str, package: str, remedy: str, otherwise: State = State.MISSING, shown: str = ""
) -> Finding:
    """Whether a module can be imported; a broken one counts as not there, with the reason."""
    name = shown or module
    try:
        imported = importlib.import_module(module)
    except (ImportError, OSError) as error:  # OSError: a shared library of it is missing
        return Finding(name, otherwise, str(error), remedy)
    if imported.__file__ is None:  # a mere folder of that name, such as `launch` of this repository
        return Finding(name, otherwise, f"No module named {module!r}", remedy)
    try:
        return Finding(name, State.FOUND, version(package))
    except PackageNotFoundError:
        return Finding(name, State.FOUND, "of the ROS installation")


def _numba_cache() -> Finding:
    """Checks the folder of compiled code, without which the first steps of every run take half a minute longer."""
    from stma_ros import mapping

    configured = os.environ.get("NUMBA_CACHE_DIR")
    folder = Path(configured) if configured else Path(mapping.__file__).parent
    try:
        with tempfile.TemporaryFile(dir=folder):
            return Finding("numba's cache", State.FOUND, str(folder))
    except OSError as error:
        remedy = (
            "set NUMBA_CACHE_DIR to a folder that can be written; without, every start compiles for a while"
        )
        return Finding("numba's cache", State.OPTIONAL, f"{folder}: {error.strerror}", remedy)


CHECKS: Mapping[str, Check] = {
    "Python": python,
    "ROS 2": ros,
    "worlds": worlds,
    "models": models,
    "extras": extras,
    "libraries": libraries,
}
