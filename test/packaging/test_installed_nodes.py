"""Nodes run from the colcon install, as `ros2 run` starts them."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import yaml

from support.packaging.colcon_workspace import Workspace

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

TO_END = 5.0  # [s], documented limit
TO_START = 180.0  # [s], of all nodes at once, each of which compiles its kernels: no cache is installed
DOMAIN = "100"  # beyond those of the tests in test/ros, which take the first free one

CLIENT = """
import json
from stma_ros.ros.task_client import TaskClient

with TaskClient() as client:
    client.wait_until_active(200.0)
    result = client.execute("find the unicorn", max_commands=1, timeout=60.0)
print(json.dumps({"status": result.status.name, "error": result.error.code.name}))
"""


@pytest.fixture
def environment(workspace: Workspace) -> dict[str, str]:
    """Returns the environment of the workspace, without the folder of the sources."""
    alone = {"ROS_DOMAIN_ID": DOMAIN, "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST"}
    return {**workspace.environment, **alone}


@pytest.fixture
def nodes(
    workspace: Workspace, environment: dict[str, str], tmp_path: Path
) -> Iterator[dict[str, subprocess.Popen[bytes]]]:
    """Starts the lifecycle manager and all nodes that the installed parameter file lists for it."""
    parameters = workspace.install / "share" / "stma_ros" / "config" / "stma.yaml"
    manager = yaml.safe_load(parameters.read_text())["/**/lifecycle_manager"]["ros__parameters"]
    with ExitStack() as stack:
        started = {}
        for name in (*manager["node_names"], "lifecycle_manager"):
            deadline = (
                ["-p", f"lifecycle_manager:deadline:={TO_START}"] if name == "lifecycle_manager" else []
            )
            process = subprocess.Popen(
                [
                    workspace.install / "lib" / "stma_ros" / name,
                    *("--ros-args", "--params-file", parameters, *deadline),
                ],
                cwd=tmp_path,
                env=environment,
                stdout=stack.enter_context((tmp_path / f"{name}.log").open("wb")),
                stderr=subprocess.STDOUT,
            )
            stack.callback(process.wait)
            stack.callback(process.kill)
            started[name] = process
        yield started


def test_installed_nodes_start_execute_a_task_and_end(
    nodes: dict[str, subprocess.Popen[bytes]],
    workspace: Workspace,
    environment: dict[str, str],
    tmp_path: Path,
) -> None:
    client = subprocess.run(
        [sys.executable, "-c", CLIENT],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    said = "\n".join(f"{log.name}: {log.read_text()[-500:]}" for log in sorted(tmp_path.glob("*.log")))
    assert client.returncode == 0, f"{client.stderr}\n{said}"
    assert json.loads(client.stdout) == {"status": "FAILED", "error": "OUT_OF_COMMANDS"}

    for name, process in nodes.items():
        maps = Path(f"/proc/{process.pid}/maps").read_text()
        libraries = set(re.findall(r"/\S*libstma_ros__\S*", maps))
        assert libraries, f"{name} uses none of our messages"
        assert all(Path(library).is_relative_to(workspace.install) for library in libraries), libraries

    signalled = time.monotonic()
    for process in nodes.values():
        process.send_signal(signal.SIGTERM)
    statuses = {name: process.wait(2 * TO_END) for name, process in nodes.items()}
    assert time.monotonic() - signalled < TO_END
    assert set(statuses.values()) == {0}, statuses
