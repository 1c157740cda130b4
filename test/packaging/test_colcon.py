"""The install that `colcon build` makes is complete on its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from support.packaging.colcon_workspace import ROOT, Workspace

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

PROBE = """
import json, re
from pathlib import Path
import stma_ros, stma_ros.msg
from ament_index_python import get_package_prefix, get_resource
from rclpy.serialization import deserialize_message, serialize_message

task = stma_ros.msg.Task(text="find the cup")
print(json.dumps({
    "package": stma_ros.__file__,
    "messages": stma_ros.msg.__file__,
    "prefix": get_package_prefix("stma_ros"),
    "interfaces": get_resource("rosidl_interfaces", "stma_ros")[0].split(),
    "round trip": deserialize_message(serialize_message(task), stma_ros.msg.Task) == task,
    "libraries": sorted(set(re.findall(r"/\\S*libstma_ros__\\S*", Path("/proc/self/maps").read_text()))),
}))
"""


def test_colcon_install_can_be_used_without_the_sources(workspace: Workspace, tmp_path: Path) -> None:
    probe = subprocess.run(
        [sys.executable, "-c", PROBE],
        cwd=tmp_path,
        env=workspace.environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert probe.returncode == 0, probe.stderr
    found = json.loads(probe.stdout)

    assert found["prefix"] == str(workspace.install)
    assert found["round trip"] is True
    assert found["libraries"]
    for path in (found["package"], found["messages"], *found["libraries"]):
        assert Path(path).is_relative_to(workspace.install)

    defined = {f"{kind}/{path.name}" for kind in ("msg", "srv", "action") for path in (ROOT / kind).iterdir()}
    assert defined <= set(found["interfaces"])


def test_colcon_install_has_executables_for_every_node_and_the_command(workspace: Workspace) -> None:
    nodes = {path.stem for path in (ROOT / "stma_ros" / "nodes").glob("[a-z]*.py")}
    executables = workspace.install / "lib" / "stma_ros"
    assert {path.name for path in executables.iterdir()} == nodes | {"stma"}
    assert all(path.stat().st_mode & 0o111 for path in executables.iterdir())


def test_colcon_install_has_the_data_files_of_the_package(workspace: Workspace) -> None:
    sources = ROOT / "stma_ros"
    files = {path.relative_to(sources) for path in sources.rglob("*") if path.is_file()}
    data = {path for path in files if path.suffix != ".py" and "__pycache__" not in path.parts}
    (package,) = workspace.install.glob("lib/python3*/site-packages/stma_ros")
    assert Path("domains/household/categories.yaml") in data
    assert not [path for path in data if not (package / path).is_file()]


@pytest.mark.parametrize("folder", ["launch", "config"])
def test_colcon_install_has_the_shared_files(workspace: Workspace, folder: str) -> None:
    def files(base: Path) -> set[Path]:
        return {
            path.relative_to(base) for path in base.rglob("*") if path.is_file() and path.suffix != ".pyc"
        }

    assert files(workspace.install / "share" / "stma_ros" / folder) == files(ROOT / folder)
