"""The library needs neither rclpy nor generated messages of any package."""

from __future__ import annotations

import subprocess
from pathlib import Path

import stma_ros
from support.python_process import run_python

ROOT = Path(__file__).parents[2]

BLOCK_ROS = """
import sys
from importlib.abc import MetaPathFinder

ROS = {
    "rclpy", "builtin_interfaces", "std_msgs", "sensor_msgs", "geometry_msgs", "nav_msgs", "std_srvs",
    "rosidl_runtime_py", "rosidl_parser", "rpyutils", "ament_index_python", "lifecycle_msgs", "action_msgs",
    "visualization_msgs",
}

class Blocker(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ROS or name in ("stma_ros.msg", "stma_ros.srv", "stma_ros.action"):
            raise ImportError(f"{name} is of ROS")
        return None

sys.meta_path.insert(0, Blocker())
"""

USE = """
import pkgutil, importlib
import numpy as np
import stma_ros

for folder in ("library", "sensing", "memory", "mapping", "domains", "storage", "roles", "components", "types"):
    package = importlib.import_module(f"stma_ros.{folder}")
    for module in pkgutil.walk_packages(package.__path__, f"stma_ros.{folder}."):
        importlib.import_module(module.name)

from stma_ros import CameraFrame, KnowledgeMemory, OccupancyMap, SceneMemory

memory = SceneMemory("home")
pose = np.array([[0.0, 0, 1, 0], [-1, 0, 0, 0], [0, -1, 0, 1], [0, 0, 0, 1]])
k = np.array([[40.0, 0, 39.5], [0, 40, 29.5], [0, 0, 1]])
ids = np.ones((60, 80), np.uint16)
ids[20:40, 30:50] = 2
frame = CameraFrame.from_arrays(
    depth=np.full((60, 80), 2000, np.uint16), k=k, camera_pose=pose, stamp=1.0,
    color=np.full((60, 80, 3), 200, np.uint8), segmentation=ids, labels={1: "wall", 2: "mug"},
)
memory.observe(frame)
OccupancyMap().observe(frame)
print(memory.last_seen("the mug"))
memory.close()
KnowledgeMemory().add_text("The mug is on the table.")
assert "rclpy" not in sys.modules
"""


def run(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return run_python("-c", script, folder=folder, PYTHONPATH=str(ROOT))


def test_the_library_works_when_no_ros_package_can_be_imported(tmp_path: Path) -> None:
    ran = run(BLOCK_ROS + USE, tmp_path)
    assert ran.stderr == ""
    assert ran.stdout.startswith("I last saw the white mug (mug_1) just now")


def test_exported_names_are_imported_on_first_use() -> None:
    script = "import sys, stma_ros; assert not {'numpy', 'stma_ros.library'} & sys.modules.keys(); "
    script += "stma_ros.KnowledgeMemory; assert 'stma_ros.library.scene_memory' not in sys.modules; "
    script += "print(dir(stma_ros))"
    ran = run(script, ROOT)
    assert ran.stderr == ""
    assert "'SceneMemory'" in ran.stdout


def test_every_exported_name_can_be_imported() -> None:
    assert all(getattr(stma_ros, name) for name in stma_ros.__all__)
    assert sorted(stma_ros.__all__) == sorted({*stma_ros._MODULES, "__version__"})  # type: ignore[attr-defined]
