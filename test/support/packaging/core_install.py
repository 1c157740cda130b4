"""The core, built from the source distribution and installed with requirements/base.txt alone, without ROS 2."""

from __future__ import annotations

import os
import shutil
import subprocess
import venv
from collections.abc import Iterable
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement

from support.packaging.colcon_workspace import ROOT, mirror

BUILD = """
import json, sys
from setuptools import build_meta
print(json.dumps(getattr(build_meta, sys.argv[1])(sys.argv[2])))
"""


def bare_environment(**variables: str) -> dict[str, str]:
    """Returns the environment of a shell in which no ROS 2 is sourced."""
    path = os.environ.get("PATH", os.defpath)
    return {"PATH": path, "HOME": os.environ.get("HOME", "/"), "LANG": "C.UTF-8", **variables}


def closure(requirements: Iterable[str]) -> dict[str, Distribution]:
    """Returns the installed distributions that meet the requirements and all that they require in turn, by name."""
    found: dict[str, Distribution] = {}
    pending = [Requirement(line) for line in requirements]
    while pending:
        requirement = pending.pop()
        extras = ["", *requirement.extras]
        name = requirement.name.lower().replace("_", "-")
        if name in found or (
            requirement.marker and not any(requirement.marker.evaluate({"extra": extra}) for extra in extras)
        ):
            continue
        found[name] = distribution(requirement.name)
        pending += [Requirement(line) for line in found[name].requires or ()]
    return found


def base_requirements() -> list[str]:
    lines = (ROOT / "requirements" / "base.txt").read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def link(distributions: Iterable[Distribution], site: Path) -> None:
    """Makes the distributions importable from the folder `site`."""
    for one in distributions:
        library = Path(str(one.locate_file("")))
        for top in {file.parts[0] for file in one.files or ()} - {"..", "__pycache__"}:
            if (library / top).exists() and not (site / top).exists():
                (site / top).symlink_to(library / top)


def make_environment(folder: Path, requirements: Iterable[str]) -> Path:
    """Makes a virtual environment with links to the distributions that meet the requirements.

    Returns:
        its interpreter.
    """
    venv.create(folder, symlinks=True)
    (site,) = folder.glob("lib/python3*/site-packages")
    link(closure(requirements).values(), site)
    return folder / "bin" / "python"


def call_backend(
    python: Path, hook: str, sources: Path, target: Path, environment: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    """Calls a hook of the build backend in an environment prepared for the build, as pip does."""
    target.mkdir(exist_ok=True)
    return subprocess.run(
        [python, "-c", BUILD, hook, target],
        cwd=sources,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )


def build(python: Path, hook: str, sources: Path, target: Path) -> Path:
    """Returns the file that a hook of the build backend builds without ROS 2."""
    outcome = call_backend(python, hook, sources, target, bare_environment())
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    (built,) = target.iterdir()
    return built


def build_core_wheel(folder: Path) -> Path:
    """Returns the wheel built from the source distribution."""
    python = make_environment(folder / "build", ["setuptools"])
    mirror(folder / "sources")
    archive = build(python, "build_sdist", folder / "sources", folder / "sdist")
    shutil.unpack_archive(archive, folder)
    return build(python, "build_wheel", folder / archive.name.removesuffix(".tar.gz"), folder / "wheel")


def install(wheel: Path, folder: Path, *further: str) -> Path:
    """Makes a virtual environment with the wheel, the requirements of its metadata, and further requirements.

    Returns:
        the folder of its programs.
    """
    python = make_environment(folder, [*base_requirements(), *further, "pip"])
    # Without an index: a requirement that base.txt does not name would fail here.
    command = [python, "-m", "pip", "install", "--quiet", "--no-index", wheel]
    outcome = subprocess.run(command, env=bare_environment(), capture_output=True, text=True, timeout=120)
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    return folder / "bin"
