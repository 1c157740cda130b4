"""Package versions and source revision with which a run was made."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

_PACKAGES = (
    "stma_ros",
    "numpy",
    "scipy",
    "ros-rclpy",
    "mcap",
    "rosbags",
    "open3d",
    "textworld",
    "jericho",
    "unified-planning",
    "openai",
    "torch",
    "transformers",
)


def provenance() -> dict[str, Any]:
    """Returns `versions` by package, and the `revision` of the source (None outside of git)."""
    return {"versions": _versions(), "revision": source_revision()}


def about_run(settings: Mapping[str, Any]) -> dict[str, str]:
    """Returns the metadata of a bag as texts: settings (any JSON values), versions and revision."""
    about = {**settings, **provenance()}
    return {
        key: value if isinstance(value, str) else json.dumps(value)
        for key, value in about.items()
        if value is not None
    }


def source_revision() -> str | None:
    """Returns the git revision of the source, with "+changes" if files were edited; None outside of git."""
    root = Path(__file__).resolve().parents[2]
    if not (root / ".git").exists():
        return None
    described = _git(root, "rev-parse", "HEAD")
    if described is None:
        return None
    edited = _git(root, "status", "--porcelain", "--untracked-files=no")
    return f"{described}+changes" if edited else described


def _git(root: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(root), *arguments], capture_output=True, text=True, timeout=10, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


def _versions(packages: Sequence[str] = _PACKAGES) -> dict[str, str]:
    found = {}
    for name in packages:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
