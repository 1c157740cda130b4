"""Builds the wheel: CMake, which also serves `colcon build`, installs into a staging prefix that it packs.

So CMakeLists.txt alone knows what is installed where. The metadata is in pyproject.toml, the version in
package.xml.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections import defaultdict
from pathlib import Path
from typing import ClassVar, NoReturn
from xml.etree import ElementTree

from setuptools import Command, Distribution, setup
from setuptools.command.build import build

ROOT = Path(__file__).resolve().parent
PACKAGE = "stma_ros"


def fail(cause: str, remedy: str) -> NoReturn:
    """Ends the build with a message that says what to do."""
    raise SystemExit(f"\nerror: {cause}\n  remedy: {remedy}\n")


def ros_environment() -> dict[str, str]:
    """The environment in which CMake finds ROS 2: this interpreter's wheels, or a sourced installation."""
    environment = dict(os.environ)
    if (Path(sys.prefix) / "share" / "ament_index").is_dir():
        # Alone: generators of two ROS distributions must not mix.
        environment["AMENT_PREFIX_PATH"] = environment["CMAKE_PREFIX_PATH"] = sys.prefix
    elif not environment.get("AMENT_PREFIX_PATH"):
        fail(
            f"ROS 2 was not found: no wheels below {sys.prefix}, and AMENT_PREFIX_PATH is not set",
            "run `make setup`, or source a ROS 2 installation, and install with --no-build-isolation",
        )
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


class BuildInterfaces(Command):
    """Runs CMake, then hands its staging prefix to the wheel."""

    description = "generate and compile the interfaces, stage the package"
    user_options: ClassVar[list[tuple[str, str, str]]] = []

    def initialize_options(self) -> None:
        self.build_lib: str | None = None

    def finalize_options(self) -> None:
        self.set_undefined_options("build", ("build_lib", "build_lib"))

    def run(self) -> None:
        # One folder per interpreter, kept between builds: unchanged interfaces are not compiled again.
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
        assert self.build_lib is not None  # setuptools has called finalize_options
        target = ROOT / self.build_lib / PACKAGE
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(library / PACKAGE, target, ignore=shutil.ignore_patterns("__pycache__", "*.c"))
        data: defaultdict[str, list[str]] = defaultdict(list)
        for path in sorted(stage.rglob("*")):
            # bin/stma is the console script of pyproject.toml.
            if path.is_file() and library not in path.parents and path.parent != stage / "bin":
                data[str(path.parent.relative_to(stage))].append(str(path.relative_to(ROOT)))
        self.distribution.data_files = list(data.items())


class Build(build):
    sub_commands: ClassVar[list[tuple[str, None]]] = [("build_interfaces", None)]


class PlatformDistribution(Distribution):
    def has_ext_modules(self) -> bool:
        return True  # the type supports are compiled: the wheel is for one platform and one Python


setup(
    version=ElementTree.parse(ROOT / "package.xml").findtext("version"),
    packages=[],
    cmdclass={"build": Build, "build_interfaces": BuildInterfaces},
    distclass=PlatformDistribution,
)
