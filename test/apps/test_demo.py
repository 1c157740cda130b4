"""Tests of `stma demo` from end to end on the ROS graph, called without options as a newcomer does."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from stma_ros.storage.bag.reader import Bag, read_bag
from stma_ros.types import topics
from stma_ros.types.planning import TaskResult

ROOT = Path(__file__).parents[2]
SEED = 1000
ENDING = 5.0  # [s] from the signal to the end of everything

pytestmark = pytest.mark.slow


@pytest.fixture
def environment() -> dict[str, str]:
    """Returns the environment with a ROS domain that no other test uses."""
    domain = str(101 + os.getpid() % 100)
    return {**os.environ, "ROS_DOMAIN_ID": domain, "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST"}


def demo(out: Path, environment: dict[str, str]) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "stma_ros.apps.cli", "demo", "--seed", str(SEED), "--out", str(out)]
    return subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def nodes_of(out: Path) -> list[str]:
    """Returns the command lines of all processes whose parameters come from the folder of the run."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = entry.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:  # it has just ended
            continue
        if str(out / "logs") in command:
            found.append(command)
    return found


def late_nodes(out: Path) -> str:
    """Returns the logs of the nodes that had to be killed."""
    logs = {log.name: log.read_text() for log in (out / "logs").glob("*.log")}
    return "".join(f"\n{name}:\n{text}" for name, text in logs.items() if "killed" in text)


def test_demo_solves_its_three_tasks_and_leaves_a_complete_folder(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    out = tmp_path / "demo"
    with demo(out, environment) as process:
        output, _ = process.communicate(timeout=400)
    assert process.returncode == 0, output
    assert output.count("right: ") == 3
    assert f"report: {out}/report.html" in output
    metrics = json.loads((out / "metrics.json").read_text())
    assert (metrics["tasks"], metrics["solved"]) == (3, 3)
    assert Bag(out).is_finished
    recorded = [message for topic, _, message in read_bag(out) if topic == topics.TASK_RESULT]
    assert [type(message) for message in recorded] == [TaskResult] * 3
    assert "<svg" in (out / "report.html").read_text()
    assert nodes_of(out) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_ends_the_demo_and_leaves_no_process(
    number: signal.Signals, tmp_path: Path, environment: dict[str, str]
) -> None:
    out = tmp_path / "demo"
    with demo(out, environment) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if "observe()" in line:
                break
        assert len(nodes_of(out)) == 9
        process.send_signal(number)
        sent = time.monotonic()
        rest = process.stdout.read()
        process.wait(timeout=60)
        took = time.monotonic() - sent
    assert nodes_of(out) == []
    assert process.returncode == (130 if number is signal.SIGINT else 128 + signal.SIGTERM), rest
    assert "Traceback" not in rest
    assert took < ENDING, rest + late_nodes(out)


def test_second_interrupt_ends_the_demo_at_once(tmp_path: Path, environment: dict[str, str]) -> None:
    out = tmp_path / "demo"
    with demo(out, environment) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if "observe()" in line:
                break
        process.send_signal(signal.SIGINT)
        for line in process.stdout:
            if line.startswith("interrupted: "):
                break
        process.send_signal(signal.SIGINT)
        sent = time.monotonic()
        rest = process.stdout.read()
        process.wait(timeout=60)
        took = time.monotonic() - sent
    assert nodes_of(out) == []
    assert process.returncode == 130
    assert rest.splitlines()[-1] == "interrupted again: ended at once"
    assert "Traceback" not in rest + late_nodes(out)
    assert took < ENDING / 2
