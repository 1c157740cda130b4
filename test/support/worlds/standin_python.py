"""An interpreter with a stand-in for habitat-sim."""

from __future__ import annotations

import sys
from pathlib import Path
from shlex import quote

from stma_ros.worlds.habitat.engine.host import SIMULATOR

TESTS = Path(__file__).parents[2]
_SCRIPT = """#!/bin/sh
# Runs the engine's process as it is run, but for who makes the engine, which its last argument says.
test "$#:$8" = 8:{simulator} || {{ echo "this interpreter can only stand in for {simulator}: $*" >&2; exit 1; }}
PYTHONPATH={path} exec {python} "$1" "$2" "$3" "$4" "$5" "$6" "$7" support.worlds.standin_engine:{engine}
"""


def standin_python(folder: Path, engine: str = "StandinEngine") -> str:
    """Writes the interpreter into the folder and returns its path.

    Args:
        engine: a class in standin_engine.py.
    """
    path = folder / f"python_with_{engine}"
    script = _SCRIPT.format(
        simulator=SIMULATOR, path=quote(str(TESTS)), python=quote(sys.executable), engine=engine
    )
    path.write_text(script)
    path.chmod(0o755)
    return str(path)


def children(pid: int) -> set[int]:
    """Returns the processes that a process has started and not yet waited for."""
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    return {int(child) for found in lists for child in found.read_text().split()}


def state_of(pid: int) -> str:
    """Returns the state of a process as `ps` shows it: "R" and "S" running, "T" stopped, "Z" ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return "Z"
