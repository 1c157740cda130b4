"""Programs in a Python process of their own, as a user runs them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def run_python(*arguments: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs this interpreter with the arguments.

    Args:
        folder: the working directory.
        variables: of the environment, on top of this process's.
    """
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
