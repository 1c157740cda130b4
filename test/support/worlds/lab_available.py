"""Availability of habitat-lab, for tests that need it."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

from stma_ros.worlds.habitat.config import PYTHON_VARIABLE

_MAKER = Path(__file__).parent / "lab_data_sets.py"


def lab_python() -> str:
    """Returns the interpreter that should have habitat-lab and habitat-sim."""
    return os.environ.get(PYTHON_VARIABLE) or sys.executable


@cache
def why_no_lab() -> str:
    """Returns why habitat-lab is not available; empty = it is."""
    done = subprocess.run(
        [lab_python(), "-c", "import habitat, habitat_sim"], capture_output=True, timeout=120
    )
    if done.returncode:
        return (
            f"{lab_python()} has no habitat-lab with habitat-sim: name one that has in {PYTHON_VARIABLE} "
            "(see docs/howto/habitat.md)"
        )
    return ""


def run_lab(folder: Path, *arguments: object) -> None:
    """Runs lab_data_sets.py in that interpreter, with its working files in `folder`."""
    done = subprocess.run(
        [lab_python(), str(_MAKER), *map(str, arguments)],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout[-3000:]
