"""Measures the processor time of processes."""

from __future__ import annotations

import os
from pathlib import Path

_USER, _SYSTEM = 11, 12  # fields after the name


def cpu_seconds(pid: int) -> float:
    """Returns the processor time that all threads of a process have used [s]. Raises OSError when it has ended, and
    where the system does not report it."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[_USER]) + int(fields[_SYSTEM])) / os.sysconf("SC_CLK_TCK")
