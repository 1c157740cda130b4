"""Builds the wheel: the whole package where ROS 2 is, the core (Python alone, no interfaces) where it is not.

The whole package: CMake, which also serves `colcon build`, generates and compiles the interfaces and installs into a
staging prefix, which is packed. The core: the sources and the shared files, a wheel for every platform. The
environment variable STMA_ROS_CORE chooses: 1 builds the core also where ROS 2 is, 0 fails where it is not.
The metadata is in pyproject.toml, the version in package.xml.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar, NoReturn
from xml.etree import ElementTree

from setuptools import Command, Distribution, setup
from setuptools.command.build import build
from setuptools.command.dist_info import dist_info
from setuptools.command.editable_wheel import editable_wheel

ROOT = Path(__file__).resolve().parent
PACKAGE = "stma_ros"
CORE = "STMA_ROS_CORE"
SHARED = ("action", "config", "launch", "msg", "srv")  # folders that go to share/stma_ros, as CMake has it
GENERATORS = ("ament_package", "rosidl_parser")  # Python modules without which nothing is generated


def fail(cause: str, remedy: str) -> NoReturn:
    """Ends the build with a message that says what to do."""
    raise SystemExit(f"\nerror: {cause}\n  remedy: {remedy}\n")


def has_wheels() -> bool:
    """Whether this environment holds the wheels of ROS 2."""
    return (Path(sys.prefix) / "share" / "ament_index").is_dir()


def ros_prefixes() -> list[str]:
    """Where ROS 2 is: this environment, or the prefixes of a sourced installation."""
    sourced = os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep)
    return [sys.prefix] if has_wheels() else [prefix for prefix in sourced if prefix]


def is_core() -> bool:
    """Whether the interfaces are left out."""
    asked = os.environ.get(CORE, "")
    return asked == "1" or (asked != "0" and not ros_prefixes())


def refuse_the_impossible() -> None:
    """Ends the build where it cannot make what was asked for, or what this environment needs."""
    asked = os.environ.get(CORE, "")
    if asked not in ("", "0", "1"):
        fail(
            f"{CORE}={asked!r} is not understood",
            f"{CORE}=1 for the core alone, 0 for the interfaces, or unset",
        )
    if is_core():
        return
    prefixes = ros_prefixes()
    if not prefixes:
        fail(
            f"ROS 2 was not found: no wheels below {sys.prefix}, and AMENT_PREFIX_PATH is not set",
            "run `make setup`, or source a ROS 2 installation, and install with --no-build-isolation; "
            f"without {CORE}=0 the core is installed, which needs no ROS",
        )
    hidden = [module for module in GENERATORS if importlib.util.find_spec(module) is None]
    if hidden:
        fail(
            f"ROS 2 is in {prefixes[0]}, but this build cannot import its {' and '.join(hidden)}, as in the isolated "
            "environment that pip builds in by default; a package built here would lack the ROS interfaces",
            f"pip install --no-build-isolation . (after pip install -r requirements/ros.txt, where the wheels are not "
            f"complete), or, for the core without ROS, {CORE}=1 pip install .",
        )


def ros_environment() -> dict[str, str]:
    """The environment in which CMake finds ROS 2: this interpreter's wheels, or a sourced installation."""
    environment = dict(os.environ)
    if has_wheels():
        # Alone: generators of two ROS distributions must not mix.
        environment["AMENT_PREFIX_PATH"] = environment["CMAKE_PREFIX_PATH"] = sys.prefix
    programs = str(Path(sys.executable).parent)
    environment["PATH"] = os.pathsep.join((programs, environment.get("PATH", os.defpath)))
    return environment


def check_tools(environment: dict[str, str]) -> None:
    """Names everything the compilation lacks, before CMake fails on it in its own words."""
    missing = [
        package
        for program, package in (("cmake", "cmake"), ("cc", "gcc"), ("c++", "g++"))
        if shutil.which(program, path=environment["PATH"]) is None
    ]
    if not any(shutil.which(program, path=environment["PATH"]) for program in ("ninja", "make")):
        missing.append("ninja-build")
    if not (Path(sysconfig.get_path("include")) / "Python.h").is_file():
        missing.append("python3-dev")
    if missing:
        names = " ".join(missing)
        fail(f"the interfaces cannot be compiled without: {names}", f"sudo apt-get install -y {names}")


def data_files(base: Path, paths: Iterable[Path]) -> list[tuple[str, list[str]]]:
    """The files among the paths, relative to the repository's root, by their folder relative to `base`."""
    folders: defaultdict[str, list[str]] = defaultdict(list)
    for path in sorted(paths):
        if path.is_file() and "__pycache__" not in path.parts:
            folders[str(path.parent.relative_to(base))].append(str(path.relative_to(ROOT)))
    return list(folders.items())


class Staging(Command):
    """A step of the build that hands files to the wheel."""

    user_options: ClassVar[list[tuple[str, str, str]]] = []

    def initialize_options(self) -> None:
        self.build_lib: str | None = None

    def finalize_options(self) -> None:
        self.set_undefined_options("build", ("build_lib", "build_lib"))

    def copy_package(self, source: Path) -> None:
        """Copies the Python package to where the wheel takes it from."""
        assert self.build_lib is not None  # setuptools has called finalize_options
        target = ROOT / self.build_lib / PACKAGE
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "*.pyc", "*.c"))


class BuildInterfaces(Staging):
    """Runs CMake, then hands its staging prefix to the wheel."""

    description = "generate and compile the interfaces, stage the package"

    def run(self) -> None:
        # One folder per interpreter, reused between builds: unchanged interfaces are not compiled again.
        folder = ROOT / "build" / f"cmake-{sysconfig.get_platform()}-{sys.implementation.cache_tag}"
        stage = folder / "stage"
        self.cmake(folder, stage)
        self.pack(stage)

    def cmake(self, folder: Path, stage: Path) -> None:
        environment = ros_environment()
        check_tools(environment)
        # A cache made for another virtual environment holds paths that may be gone.
        marker = folder / "prefix.txt"
        if folder.is_dir() and (not marker.is_file() or marker.read_text() != sys.prefix):
            shutil.rmtree(folder)
        shutil.rmtree(stage, ignore_errors=True)
        generator = ["-G", "Ninja"] if shutil.which("ninja", path=environment["PATH"]) else []
        configure = [
            *("cmake", "-S", str(ROOT), "-B", str(folder), *generator),
            f"-DPython3_EXECUTABLE={sys.executable}",
            f"-DCMAKE_INSTALL_PREFIX={stage}",
            "-DCMAKE_BUILD_TYPE=Release",
            "-DBUILD_TESTING=OFF",
            "-DSTMA_ROS_RCLPY_ONLY=ON",
            "-DSTMA_ROS_UNITY_BUILD=ON",
        ]
        compile_ = ["cmake", "--build", str(folder), "-j", str(os.cpu_count() or 1)]
        install = ["cmake", "--install", str(folder)]
        for command in (configure, compile_, install):
            subprocess.run(command, check=True, env=environment)
        marker.write_text(sys.prefix)

    def pack(self, stage: Path) -> None:
        """Python packages go to the wheel's library folder, all else to the prefix of the environment."""
        (library,) = stage.glob("lib/python3*/site-packages")
        self.copy_package(library / PACKAGE)
        # bin/stma is the console script of pyproject.toml.
        self.distribution.data_files = data_files(
            stage,
            (
                path
                for path in stage.rglob("*")
                if library not in path.parents and path.parent != stage / "bin"
            ),
        )


class BuildCore(Staging):
    """Hands the sources and the shared files to the wheel."""

    description = "stage the sources, without interfaces"

    def run(self) -> None:
        self.copy_package(ROOT / PACKAGE)
        shared = (path for folder in SHARED for path in (ROOT / folder).rglob("*"))
        self.distribution.data_files = [
            (f"share/{PACKAGE}/{folder}", names) for folder, names in data_files(ROOT, shared)
        ]


class Build(build):
    sub_commands: ClassVar[list[tuple[str, None]]] = [
        ("build_core" if is_core() else "build_interfaces", None)
    ]

    def run(self) -> None:
        refuse_the_impossible()
        super().run()


class DistInfo(dist_info):
    """Metadata of a wheel: pip asks for them before it fetches the dependencies."""

    def run(self) -> None:
        refuse_the_impossible()
        super().run()


class EditableWheel(editable_wheel):
    def run(self) -> None:
        if not is_core():
            fail(
                "an editable install cannot hold the compiled interfaces",
                f"pip install --no-build-isolation . (`make setup` does so), or {CORE}=1 pip install -e .",
            )
        super().run()


class WheelDistribution(Distribution):
    def has_ext_modules(self) -> bool:
        return not is_core()  # type supports are compiled: that wheel is for one platform and one Python


setup(
    version=ElementTree.parse(ROOT / "package.xml").findtext("version"),
    packages=[PACKAGE] if is_core() else [],  # what an editable install finds; wheels are staged
    cmdclass={
        "build": Build,
        "build_core": BuildCore,
        "build_interfaces": BuildInterfaces,
        "dist_info": DistInfo,
        "editable_wheel": EditableWheel,
    },
    distclass=WheelDistribution,
)
