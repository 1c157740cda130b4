"""An interpreter with a stand-in for habitat-sim, for all that can be told of an interpreter that has it."""

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
    """The path of the interpreter, which is written into that folder. engine: a class in standin_engine.py."""
    path = folder / f"python_with_{engine}"
    script = _SCRIPT.format(
        simulator=SIMULATOR, path=quote(str(TESTS)), python=quote(sys.executable), engine=engine
    )
    path.write_text(script)
    path.chmod(0o755)
    return str(path)


def children(pid: int) -> set[int]:
    """The processes that a process has started, and that have not been waited for."""
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    return {int(child) for found in lists for child in found.read_text().split()}


def state_of(pid: int) -> str:
    """What a process does, as `ps` has it: "R" and "S" when it runs, "T" when it is stopped, "Z" when it has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return "Z"
