"""The world `habitat` in a scene without categories: it provides colour and depth, and the agent maps it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip(
    "open3d", reason="the stand-in for habitat-sim needs Open3D: pip install 'stma_ros[house]'"
)

from stma_ros.apps.cli import main
from stma_ros.storage.bag.reader import read_bag
from stma_ros.types import topics
from stma_ros.worlds.habitat.export.dataset import export_flat
from support.worlds.standin_python import standin_python
from support.worlds.two_rooms import FLAT


def test_a_task_in_an_unlabelled_scene_is_executed_to_its_end(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    exported = export_flat(FLAT, tmp_path / "flat")
    options = {
        "dataset": exported.dataset,
        "unlabelled": "true",
        "python": standin_python(tmp_path, "UnlabelledEngine"),
        "width": 96,
        "height": 72,
    }
    given = [word for name, value in options.items() for word in ("--set", f"world.{name}={value}")]
    arguments = ["--world", "habitat", "--scene", exported.scene, "--runtime", "local"]
    out = tmp_path / "run"
    status = main(["run", "--task", "find the mug", *arguments, *given, "--out", str(out)])
    assert status == 0, capfd.readouterr()
    assert json.loads((out / "metrics.json").read_text())["status"] == "FAILED"
    recorded = list(read_bag(out))
    labels = [message for message in recorded if message.topic == topics.SEGMENTATION_LABELS]
    assert labels
    assert not any(each.message.labels for each in labels)  # type: ignore[attr-defined]
    (result,) = [each.message for each in recorded if each.topic == topics.TASK_RESULT]
    assert result.text == "No mug was found."  # type: ignore[attr-defined]
