"""A workspace that `colcon build` has built from a copy of the sources, over the ROS wheels."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
NOT_SOURCES = {"build", "install", "log", "dist", "runs"}


@dataclass(frozen=True)
class Workspace:
    """A built workspace and the environment of its set-up file."""

    install: Path
    environment: dict[str, str]


def source_files() -> Iterator[Path]:
    """Returns the files of the repository, relative to its root, without build outputs."""
    for folder, subfolders, names in os.walk(ROOT):
        here = Path(folder).relative_to(ROOT)
        subfolders[:] = [
            name
            for name in subfolders
            if not (name.startswith(".") or name == "__pycache__" or (here == Path() and name in NOT_SOURCES))
        ]
        for name in names:
            yield here / name


def mirror(target: Path) -> None:
    """Makes the target equal to the sources; unchanged files stay, so the build is incremental."""
    wanted = {path: (ROOT / path).read_bytes() for path in source_files()}
    for present in [path for path in target.rglob("*") if path.is_file()]:
        if present.relative_to(target) not in wanted:
            present.unlink()
    for path, content in wanted.items():
        copy = target / path
        if not copy.is_file() or copy.read_bytes() != content:
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(content)


def underlay() -> dict[str, str]:
    """Returns the environment of a shell in which only the prefix of the wheels is known."""
    prefix = Path(sys.prefix)
    return {
        "PATH": os.pathsep.join((str(prefix / "bin"), os.environ.get("PATH", os.defpath))),
        "HOME": os.environ.get("HOME", "/"),
        "LANG": "C.UTF-8",
        "AMENT_PREFIX_PATH": str(prefix),
        "CMAKE_PREFIX_PATH": str(prefix),
        # The wheels' start-up code has put their folders here; a second time it would shuffle them.
        "LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH", str(prefix / "lib")),
        "_ROS_WHEELS_BOOTSTRAP_COMPLETE": "1",
    }


def build_workspace() -> Workspace:
    """Builds in build/colcon, which is not deleted: with unchanged interfaces the next build takes seconds."""
    base = ROOT / "build" / "colcon"
    mirror(base / "src" / "stma_ros")
    command = [
        *(sys.executable, str(Path(sys.prefix) / "bin" / "colcon"), "--log-base", str(base / "log"), "build"),
        *("--base-paths", "src", "--event-handlers", "console_direct+", "--cmake-args"),
        *("-G", "Ninja", f"-DPython3_EXECUTABLE={sys.executable}", "-DBUILD_TESTING=OFF"),
        "-DSTMA_ROS_UNITY_BUILD=ON",
    ]
    build = subprocess.run(command, cwd=base, env=underlay(), capture_output=True, text=True, timeout=600)
    assert build.returncode == 0, f"colcon build failed:\n{build.stdout[-4000:]}\n{build.stderr[-4000:]}"

    install = base / "install"
    shell = subprocess.run(
        ["bash", "-c", f"source {install / 'setup.bash'} >&2 && env -0"],
        env=underlay(),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    environment = dict(line.split("=", 1) for line in shell.stdout.split("\0") if "=" in line)
    return Workspace(install / "stma_ros", environment)
