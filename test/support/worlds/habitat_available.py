"""Whether habitat-sim can be had here, for tests that need the real engine."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache

from stma_ros.worlds.habitat.config import PYTHON_VARIABLE

_HOW = "see docs/howto/habitat.md"


@cache
def why_not_in_a_process() -> str:
    """Empty: a second interpreter (that of the variable, else this one) has it."""
    python = os.environ.get(PYTHON_VARIABLE) or sys.executable
    if subprocess.run([python, "-c", "import habitat_sim"], capture_output=True, timeout=120).returncode:
        return f"{python} has no habitat-sim: name one that has in {PYTHON_VARIABLE} ({_HOW})"
    return ""


@cache
def why_not_inside() -> str:
    """Empty: this interpreter has it."""
    if subprocess.run(
        [sys.executable, "-c", "import habitat_sim"], capture_output=True, timeout=120
    ).returncode:
        return f"this interpreter has no habitat-sim ({_HOW})"
    return ""
