"""Availability of habitat-sim, for tests that need the real engine."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache

from stma_ros.worlds.habitat.config import PYTHON_VARIABLE

_HOW = "see docs/howto/habitat.md"


@cache
def why_not_in_a_process() -> str:
    """Returns why no second interpreter (that of the variable, else this one) has it; empty = one has it."""
    python = os.environ.get(PYTHON_VARIABLE) or sys.executable
    if subprocess.run([python, "-c", "import habitat_sim"], capture_output=True, timeout=120).returncode:
        return f"{python} has no habitat-sim: name one that has in {PYTHON_VARIABLE} ({_HOW})"
    return ""


@cache
def why_not_inside() -> str:
    """Returns why this interpreter does not have it; empty = it has it."""
    if subprocess.run(
        [sys.executable, "-c", "import habitat_sim"], capture_output=True, timeout=120
    ).returncode:
        return f"this interpreter has no habitat-sim ({_HOW})"
    return ""
