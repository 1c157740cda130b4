"""Tests of replaying a robot's own recording: the map is that of the robot, and answers name their pictures."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("open3d", reason="the house world needs the extra `house`")

from PIL import Image as PillowImage

from stma_ros.apps.replay_external import replay_external
from stma_ros.storage.bag.reader import Recorded, read_bag
from stma_ros.types import topics
from stma_ros.types.planning import ActionProposal
from stma_ros.types.scene_graph import SceneGraph
from stma_ros.types.standard import Odometry
from support.sensing.external_bags import (
    MOUNT,
    NAMES,
    Run,
    map_of,
    record_run,
    same,
    stripped,
    tf,
    transform,
    write_mcap,
    write_sqlite,
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Records a run without opening doors: the robot removes an opened leaf from its map, which no bag tells."""
    run = record_run(tmp_path_factory.mktemp("run") / "bag", "find the unicorn", 3, seed=1004)
    assert set(run.skills) == {"observe", "explore"}
    return run


@pytest.fixture
def mount(tmp_path: Path) -> Path:
    file = tmp_path / "mapping.yaml"
    file.write_text(MOUNT)
    return file


@pytest.mark.parametrize("write", [write_sqlite, write_mcap])
def test_replayed_bag_gives_the_same_map_voxel_by_voxel(
    run: Run, mount: Path, tmp_path: Path, write: Any
) -> None:
    bag = write(tmp_path / "bag", stripped(run.folder))
    made, tally = map_of(bag, mount)
    assert same(made, run.voxels)
    assert np.count_nonzero(made.counts) > 100_000
    assert (tally.frames, dict(tally.skipped)) == (tally.seen, {})


def test_replayed_bag_with_transforms_instead_of_odometry_gives_the_same_map(
    run: Run, tmp_path: Path
) -> None:
    def as_transforms(recorded: Recorded) -> Recorded:
        if not isinstance(recorded.message, Odometry):
            return recorded
        pose = recorded.message.pose.pose
        p, q = pose.position, pose.orientation
        return tf(transform(recorded.stamp_ns, "odom", "base_link", (p.x, p.y, p.z), (q.x, q.y, q.z, q.w)))

    pitch = (0.0, float(np.sin(0.15)), 0.0, float(np.cos(0.15)))
    camera = transform(1, "base_link", "camera_link", (0, 0, 1.2), pitch)
    optical = transform(1, "camera_link", "camera_color_optical_frame", xyzw=(-0.5, 0.5, -0.5, 0.5))
    moved = map(as_transforms, stripped(run.folder))
    bag = write_mcap(tmp_path / "bag", (tf(camera, optical, static=True), *moved))
    made, tally = map_of(bag, None)
    assert same(made, run.voxels)
    assert not tally.skipped


def test_replay_without_a_segmentation_writes_map_keyframes_and_answers(
    run: Run, mount: Path, tmp_path: Path
) -> None:
    bag = write_sqlite(tmp_path / "bag", stripped(run.folder))
    out = tmp_path / "out"
    assert replay_external(bag, mount, ["the mug"], out=out, json_file=tmp_path / "summary.json") == 0
    (answer,) = read(out / "answers.json")
    assert not answer["found"]
    assert "seen nothing" in answer["text"]
    assert read(out / "frontiers.json")["frontiers"]
    assert read(out / "scene_graph.json")["rooms"]
    summary = read(tmp_path / "summary.json")
    assert summary["topics"]["depth"] == NAMES[topics.DEPTH]
    assert summary["keyframes"] == len(read(out / "keyframes.json")) > 10
    assert (out / "report.html").is_file()
    with PillowImage.open(out / "map.pgm") as picture:
        shades = np.asarray(picture)
    assert set(np.unique(shades)) == {0, 205, 254}
    assert "resolution: 0.05" in (out / "map.yaml").read_text()
    recorded = list(read_bag(out))  # the replay is recorded like a run, but without decisions
    assert {*topics.FRAME, topics.MAP, topics.SPATIAL_BELIEF} <= {message.topic for message in recorded}
    assert not any(isinstance(message.message, ActionProposal) for message in recorded)


def test_replay_with_a_segmentation_finds_the_objects_of_the_run(
    run: Run, mount: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each answer names the stamp and the picture of the sighting."""
    names = {**NAMES, topics.SEGMENTATION: "/seg/ids", topics.SEGMENTATION_LABELS: "/seg/labels"}
    bag = write_mcap(tmp_path / "bag", stripped(run.folder, names))
    original = [r.message for r in read_bag(run.folder) if isinstance(r.message, SceneGraph)][-1]
    kind = next(node.category for node in original.objects if node.category not in ("door",))
    out = tmp_path / "out"
    assert replay_external(bag, mount, [f"the {kind}", f"@0.5 the {kind}"], out=out) == 0
    made = read(out / "scene_graph.json")
    assert sorted(node["category"] for node in made["objects"]) == sorted(
        node.category for node in original.objects
    )
    early, late = read(out / "answers.json")
    assert early["asked_at"]["seconds"] < late["asked_at"]["seconds"]
    sighting = late["sightings"][0]
    assert late["found"]
    assert 0 < sighting["first_seen"]["stamp_ns"] <= sighting["last_seen"]["stamp_ns"]
    assert Path(sighting["picture"]).stem == str(sighting["pictured_at"]["stamp_ns"])
    output = capsys.readouterr().out
    assert f"{sighting['picture']} shows it at {sighting['pictured_at']['seconds']:.1f} s" in output
    assert "in room room_" not in output
    with PillowImage.open(out / sighting["picture"]) as picture:
        assert picture.size == (160, 120)


def read(path: Path) -> Any:
    content: Mapping[str, Any] = json.loads(path.read_text())
    return content
