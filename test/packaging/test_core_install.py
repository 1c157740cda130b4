"""`pip install .` installs the core without ROS 2, and is refused with ROS 2 unless the core is requested."""

from __future__ import annotations

import json
import subprocess
import zipfile
from pathlib import Path

import pytest

from support.packaging.colcon_workspace import ROOT, mirror
from support.packaging.core_install import (
    bare_environment,
    build_core_wheel,
    call_backend,
    install,
    make_environment,
)

IMPORT_EVERYTHING = """
import importlib, json, pkgutil, sys
import stma_ros
from stma_ros.types.errors import MissingDependencyError

NEED_ROS = ("stma_ros.ros", "stma_ros.nodes", "stma_ros.apps.launch_arguments")
ABSENT = {"jericho", "open3d", "rerun", "rerun_cli", "rclpy"}  # what only extras and ROS 2 bring
failures, count = {}, 0
for module in pkgutil.walk_packages(stma_ros.__path__, "stma_ros.", onerror=lambda name: None):
    if module.name.startswith(NEED_ROS):
        continue
    try:
        importlib.import_module(module.name)
        count += 1
    except MissingDependencyError:
        pass
    except ModuleNotFoundError as error:
        if error.name not in ABSENT:
            failures[module.name] = str(error)
loaded = sorted(name for name in sys.modules if name.split(".")[0] in ("rclpy", "rosidl_parser", "std_msgs"))
print(json.dumps({"count": count, "failures": failures, "loaded": loaded}))
"""

IMPORT_INTERFACES = """
import importlib, json, sys
from stma_ros.types.errors import MissingDependencyError
said = {}
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except ImportError as error:
        assert isinstance(error, MissingDependencyError), error
        said[name] = str(error)
print(json.dumps(said))
"""


def files(folder: Path) -> set[str]:
    return {
        str(path.relative_to(ROOT))
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_core_wheel(tmp_path_factory.mktemp("core"))


@pytest.fixture(scope="module")
def programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(wheel, tmp_path_factory.mktemp("core_install") / "venv")


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sources")
    mirror(folder)
    return folder


@pytest.fixture(scope="module")
def build_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the interpreter of an environment with setuptools only, like pip's isolated build environment."""
    return make_environment(tmp_path_factory.mktemp("build") / "venv", ["setuptools"])


def run(command: list[str | Path], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=folder, env=bare_environment(), capture_output=True, text=True, timeout=240
    )


def test_core_wheel_is_for_every_platform_and_holds_all_sources_and_shared_files(wheel: Path) -> None:
    assert wheel.name.endswith("-py3-none-any.whl")
    names = zipfile.ZipFile(wheel).namelist()
    package = {name for name in names if name.startswith("stma_ros/")}
    assert package == files(ROOT / "stma_ros")
    (share,) = {name.split("/share/")[0] for name in names if "/share/" in name}
    shared = {name.removeprefix(f"{share}/share/stma_ros/") for name in names if name.startswith(share)}
    folders = ("action", "config", "launch", "msg", "srv")
    assert shared == {name for folder in folders for name in files(ROOT / folder)}


def test_core_install_imports_every_module_outside_ros_with_the_base_requirements_alone(
    programs: Path, tmp_path: Path
) -> None:
    outcome = run([programs / "python", "-c", IMPORT_EVERYTHING], tmp_path)
    assert outcome.returncode == 0, outcome.stderr
    found = json.loads(outcome.stdout)
    assert found["failures"] == {}
    assert found["loaded"] == []
    assert found["count"] > 500


def test_core_install_says_what_to_do_when_its_interfaces_or_nodes_are_imported(
    programs: Path, tmp_path: Path
) -> None:
    names = ["stma_ros.msg", "stma_ros.srv", "stma_ros.action", "stma_ros.nodes.planner"]
    outcome = run([programs / "python", "-c", IMPORT_INTERFACES, *names], tmp_path)
    assert outcome.returncode == 0, outcome.stderr
    said = json.loads(outcome.stdout)
    assert list(said) == names
    assert all("make setup" in text and "colcon build" in text for text in said.values())


@pytest.mark.timeout(600)
def test_core_install_with_the_house_runs_a_task_in_one_process_and_replays_its_record(
    wheel: Path, tmp_path: Path
) -> None:
    house = (ROOT / "requirements" / "house.txt").read_text().splitlines()[-1]
    stma = install(wheel, tmp_path / "venv", house) / "stma"
    task = ["--task", "find the camera", "--seed", "7", "--max-commands", "2", "--out", "short_run"]
    done = run([stma, "run", "--runtime", "local", *task], tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "the budget of 2 commands is spent" in done.stdout
    replayed = run([stma, "replay", "short_run"], tmp_path)
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr


@pytest.mark.parametrize(
    "command",
    ["run --runtime ros --task find", "bench bridge", "bench mapping_latency", "replay . --publish"],
)
def test_core_install_refuses_a_command_that_needs_ros_with_the_remedy(
    command: str, programs: Path, tmp_path: Path
) -> None:
    outcome = run([programs / "stma", *command.split()], tmp_path)
    assert outcome.returncode == 2
    assert "Traceback" not in outcome.stderr
    assert "error: ROS 2 cannot be loaded (No module named 'rclpy')" in outcome.stderr
    assert "make setup" in outcome.stderr


def test_doctor_of_a_core_install_lists_absent_parts_without_reporting_an_error(
    programs: Path, tmp_path: Path
) -> None:
    outcome = run([programs / "stma", "doctor"], tmp_path)
    assert outcome.returncode == 0, outcome.stdout
    assert "absent   ROS 2  this is a core install" in outcome.stdout
    assert "absent   world house" in outcome.stdout


@pytest.mark.parametrize(
    ("variables", "cause", "remedy"),
    [
        ({"AMENT_PREFIX_PATH": "/opt/ros/kilted"}, "ROS 2 is in /opt/ros/kilted", "--no-build-isolation"),
        ({"STMA_ROS_CORE": "0"}, "ROS 2 was not found", "make setup"),
        ({"STMA_ROS_CORE": "yes"}, "STMA_ROS_CORE='yes' is not understood", "STMA_ROS_CORE=1"),
    ],
)
def test_build_is_refused_before_pip_fetches_anything(
    variables: dict[str, str], cause: str, remedy: str, build_python: Path, sources: Path, tmp_path: Path
) -> None:
    for hook in ("prepare_metadata_for_build_wheel", "build_wheel"):
        outcome = call_backend(build_python, hook, sources, tmp_path, bare_environment(**variables))
        assert outcome.returncode == 1
        assert f"error: {cause}" in outcome.stderr
        assert remedy in outcome.stderr


def test_isolated_build_is_refused_when_the_environment_has_the_ros_wheels(
    build_python: Path, sources: Path, tmp_path: Path
) -> None:
    index = build_python.parents[1] / "share" / "ament_index"
    index.mkdir(parents=True)
    try:
        outcome = call_backend(build_python, "build_wheel", sources, tmp_path, bare_environment())
    finally:
        index.rmdir()
    assert outcome.returncode == 1
    assert f"error: ROS 2 is in {build_python.parents[1]}" in outcome.stderr
    assert "pip install --no-build-isolation ." in outcome.stderr
    assert "STMA_ROS_CORE=1 pip install ." in outcome.stderr


def test_core_is_built_in_an_environment_with_ros_when_it_is_requested(
    build_python: Path, sources: Path, tmp_path: Path
) -> None:
    asked = bare_environment(AMENT_PREFIX_PATH="/opt/ros/kilted", STMA_ROS_CORE="1")
    outcome = call_backend(build_python, "build_wheel", sources, tmp_path, asked)
    assert outcome.returncode == 0, outcome.stderr
    (built,) = tmp_path.iterdir()
    assert built.name.endswith("-py3-none-any.whl")


def test_editable_install_uses_the_sources_and_is_refused_with_ros(
    build_python: Path, sources: Path, tmp_path: Path
) -> None:
    outcome = call_backend(build_python, "build_editable", sources, tmp_path, bare_environment())
    assert outcome.returncode == 0, outcome.stderr
    (built,) = tmp_path.iterdir()
    (finder,) = [name for name in zipfile.ZipFile(built).namelist() if name.endswith("_finder.py")]
    assert str(sources / "stma_ros") in zipfile.ZipFile(built).read(finder).decode()

    with_ros = bare_environment(STMA_ROS_CORE="0")
    refused = call_backend(build_python, "build_editable", sources, tmp_path / "refused", with_ros)
    assert refused.returncode == 1
    assert "an editable install cannot hold the compiled interfaces" in refused.stderr
