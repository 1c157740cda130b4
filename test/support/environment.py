"""The environment of processes that tests start."""

from __future__ import annotations

import os
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]


def python_environment(**variables: str) -> dict[str, str]:
    """Returns the environment of this process, changed by `variables`, in which Python finds the sources and
    `support`."""
    paths = (str(TESTS.parent), str(TESTS), os.environ.get("PYTHONPATH", ""))
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths)), **variables}
