"""Measures the memory of processes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

_SHARE = "Pss:"
_KIB_PER_MB = 1e6 / 1024


def memory_use(pids: Iterable[int]) -> float:
    """Returns the memory of all processes together [MB], shared pages counted once (proportional set size); 0 where the
    system does not report it. Linux does, for running processes."""
    return sum(map(_share, pids)) / _KIB_PER_MB


def _share(pid: int) -> int:
    """Returns the memory of a process [KiB]."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(_SHARE)), 0)
