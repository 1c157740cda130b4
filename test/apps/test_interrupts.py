"""Tests of Ctrl-C and SIGTERM in the `stma` command: the first ends it in order, the second at once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from support.environment import python_environment

PATIENCE = 30.0  # [s] for any expected event
AT_ONCE = 2.0  # [s]; an orderly end would take a minute

STARTING = """
import subprocess, sys, threading, time
from stma_ros.apps.interrupts import handle_interrupts

handle_interrupts("ending the children")
child = [sys.executable, "-c", "import subprocess; subprocess.run(['sleep', '60'])"]
subprocess.Popen(child, start_new_session=True)
print("up", flush=True)
try:
    threading.Event().wait(60)
finally:
    print("closing", flush=True)
    end = time.monotonic() + {closing}
    while time.monotonic() < end:  # Python handles a signal that comes just before a wait after it
        threading.Event().wait(0.05)
"""
"""Starts a process that starts another. Its orderly end takes {closing} seconds and does not end these two."""

BENCH = """
import io, sys
from pathlib import Path
from rich.console import Console
from stma_ros.apps.bench import Bench
from stma_ros.apps.interrupts import handle_interrupts
from stma_ros.apps.session.session import LOCAL, SessionSpec
from stma_ros.storage.run_folder import RunFolder
from support.apps.scripted_session import ScriptedSuite, open_scripted

if __name__ == "__main__":
    handle_interrupts("ending the episodes")
    bench = Bench(ScriptedSuite(("wait", "wait")), {{}}, [SessionSpec(LOCAL)], 1000, 2, processes=2)
    try:
        bench.run(RunFolder.create(Path({folder!r})), Console(file=io.StringIO()), open_scripted)
    except KeyboardInterrupt:
        sys.exit(130)
"""
"""Runs two episodes that never end, each in a process of its own."""


def eventually(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"did not come: {what}"
        os.sched_yield()


@contextmanager
def started(program: Path, text: str) -> Iterator[subprocess.Popen[str]]:
    """Starts a program like a terminal does: in a process group of its own, which receives Ctrl-C."""
    program.write_text(text)
    with subprocess.Popen(
        [sys.executable, str(program)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=python_environment(),
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def descendants(pid: int) -> list[int]:
    children = [
        int(child)
        for file in Path(f"/proc/{pid}/task").glob("*/children")
        for child in file.read_text().split()
    ]
    return [*children, *(each for child in children for each in descendants(child))]


def is_there(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_second_signal_ends_the_command_and_all_its_processes_at_once(
    number: signal.Signals, tmp_path: Path
) -> None:
    with started(tmp_path / "command.py", STARTING.format(closing=60)) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "up\n"
        eventually(lambda: len(descendants(process.pid)) == 2, "the child's child")
        pids = descendants(process.pid)
        process.send_signal(number)
        assert process.stdout.readline() == "closing\n"
        second = time.monotonic()
        process.send_signal(number)
        _, errors = process.communicate(timeout=PATIENCE)
        assert time.monotonic() - second < AT_ONCE
    assert not any(map(is_there, pids))
    assert process.returncode == 128 + number
    cause = "interrupted" if number is signal.SIGINT else "asked to end"
    assert errors.splitlines() == [
        f"{cause}: ending the children; once more (Ctrl-C) ends it at once",
        f"{cause} again: ended at once",
    ]


def test_processes_left_by_an_orderly_end_are_killed_at_the_exit(tmp_path: Path) -> None:
    with started(tmp_path / "command.py", STARTING.format(closing=0)) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "up\n"
        eventually(lambda: len(descendants(process.pid)) == 2, "the child's child")
        pids = descendants(process.pid)
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)
    assert process.returncode == 128 + signal.SIGTERM
    assert not any(map(is_there, pids))


def test_ignored_interrupt_stays_ignored(tmp_path: Path) -> None:
    program = (
        "import signal\n"
        "from stma_ros.apps.interrupts import handle_interrupts\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "handle_interrupts('')\n"
        "signal.raise_signal(signal.SIGINT)\n"
    )
    with started(tmp_path / "command.py", program) as process:
        assert process.communicate(timeout=PATIENCE) == ("", "")
    assert process.returncode == 0


@pytest.mark.parametrize("moment", ["while they start", "while they work"])
def test_interrupted_bench_ends_its_processes_without_tracebacks(moment: str, tmp_path: Path) -> None:
    folder = tmp_path / "bench"
    with started(tmp_path / "bench.py", BENCH.format(folder=str(folder))) as process:

        def working() -> bool:
            marks = folder / "sessions"
            return marks.is_file() and marks.read_text().count("opened") == 2

        def starting() -> bool:
            return len(descendants(process.pid)) == 3  # two workers, and the tracker of their semaphores

        eventually(starting if moment == "while they start" else working, moment)
        pids = descendants(process.pid)
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert errors == "interrupted: ending the episodes; once more (Ctrl-C) ends it at once\n"
    assert not any(map(is_there, pids))
