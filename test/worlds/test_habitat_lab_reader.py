"""Data sets of episodes are read by habitat-lab itself; without it only the parts that do not need it are tested."""

from __future__ import annotations

import ast
import gzip
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stma_ros.types.errors import ConfigurationError
from stma_ros.worlds.habitat.export.dataset import ExportedFlat, export_flat
from stma_ros.worlds.habitat.lab import reader
from stma_ros.worlds.habitat.lab.episodes import OBJECT_GOALS, POINT_GOALS, RearrangeEpisode, RearrangeSet
from stma_ros.worlds.habitat.lab.reading import read_episodes
from stma_ros.worlds.house.furnishing.item_placement import make_flat
from stma_ros.worlds.robot.geometry import OrientedRect
from support.worlds.lab_available import lab_python, run_lab, why_no_lab
from support.worlds.rearranged_dataset import BOWL, CAN, as_read, raw_episode, write_rearranged

needs_lab = pytest.mark.usefixtures("lab")

POINT = {
    "episode_id": "a",
    "scene_id": "data/scene_datasets/little.glb",
    "start_position": [0.0, 0.0, 0.0],
    "start_rotation": [0.0, 0.0, 0.0, 1.0],
    "goals": [{"position": [1.0, 0.0, -2.0], "radius": 0.2}],
    "info": {"geodesic_distance": 2.5},
}


@pytest.fixture
def lab() -> None:
    if why_no_lab():
        pytest.skip(why_no_lab())


def zipped(path: Path, document: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt") as file:
        json.dump(document, file)
    return path


def test_the_episode_reader_is_python_3_9_and_imports_no_stma_ros() -> None:
    """It runs in an interpreter of Python 3.9 that has no stma_ros."""
    source = Path(reader.__file__).read_text()
    tree = ast.parse(source, feature_version=(3, 9))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported <= set(sys.stdlib_module_names)


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ([], "no data set of episodes"),
        ({"episodes": []}, "no episodes in"),
        ({"episodes": [3]}, "its first episode is int"),
        ({"episodes": [{"scene_id": "x", "prey": 1}]}, "unknown kind: its episodes have prey, scene_id"),
        ({"episodes": [{"instruction": {}, "goals": []}]}, "of the kind R2RVLN-v1"),
        ({"episodes": [{"question": {}, "goals": []}]}, "of the kind MP3DEQA-v1"),
        ({"episodes": [{"goal_object_id": "1", "goals": []}]}, "of the kind InstanceImageNav-v1"),
    ],
)
def test_episode_data_sets_of_other_tasks_are_refused_by_name(
    tmp_path: Path, document: Any, said: str
) -> None:
    with pytest.raises(reader.ReadingError, match=said):
        reader.kind_of(zipped(tmp_path / "val.json.gz", document))


def test_an_uncompressed_episode_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "val.json.gz"
    path.write_text("{}")
    with pytest.raises(reader.ReadingError, match=r"no \*\.json\.gz of habitat-lab"):
        reader.kind_of(path)


def test_an_interpreter_without_habitat_lab_is_refused_with_the_package_to_install(tmp_path: Path) -> None:
    plain = tmp_path / "python"
    plain.write_text(
        f'#!/bin/sh\nexec env -u PYTHONPATH {sys.executable} -I "$@"\n'
    )  # whatever it is named by
    plain.chmod(0o755)
    path = zipped(tmp_path / "val.json.gz", {"episodes": [POINT]})
    if not why_no_lab() and lab_python() == sys.executable:
        pytest.skip("this interpreter has habitat-lab")
    with pytest.raises(
        ConfigurationError, match=r"cannot be imported(.|\n)*pip install --no-deps habitat-lab"
    ):
        read_episodes(path, str(plain))


@needs_lab
def test_pointnav_episodes_are_read_by_habitat_lab(tmp_path: Path) -> None:
    path = zipped(
        tmp_path / "val {1}.json.gz", {"episodes": [POINT, {**POINT, "episode_id": "b", "info": None}]}
    )
    read = read_episodes(path, lab_python())
    assert read.kind == POINT_GOALS
    first, second = read.episodes
    assert (first.id, first.scene, first.dataset, first.category) == ("a", "little.glb", "", "")
    assert (first.geodesic, second.geodesic) == (2.5, None)
    assert first.goals[0].position.tolist() == [1.0, 2.0, 0.0]


@needs_lab
def test_a_data_set_in_several_files_is_read_completely(tmp_path: Path) -> None:
    path = zipped(tmp_path / "val" / "val.json.gz", {"episodes": []})
    for name in ("one", "two"):
        episode = {**POINT, "scene_id": f"data/scene_datasets/{name}.glb"}
        zipped(tmp_path / "val" / "content" / f"{name}.json.gz", {"episodes": [episode]})
    read = read_episodes(path, lab_python())
    assert [episode.scene for episode in read.episodes] == ["one.glb", "two.glb"]


@needs_lab
def test_an_error_of_habitat_lab_is_reported_with_its_message(tmp_path: Path) -> None:
    path = zipped(tmp_path / "val.json.gz", {"episodes": [{**POINT, "colour": "red"}]})
    with pytest.raises(ConfigurationError, match=r"cannot read .* as PointNav-v1: TypeError: .*colour"):
        read_episodes(path, lab_python())


RADIUS, NEAR = 0.25, 1.0
"""Of the robot, and from an object to its view points at most [m], in the data sets that lab_data_sets.py makes."""

CLOSE = 0.15  # [m] the distance of two view points


@pytest.fixture(scope="module")
def flat(tmp_path_factory: pytest.TempPathFactory) -> ExportedFlat:
    return export_flat(make_flat(1001, 3), tmp_path_factory.mktemp("flats") / "flat")


@needs_lab
def test_objectnav_goals_made_by_habitat_lab_are_at_our_objects(flat: ExportedFlat, tmp_path: Path) -> None:
    path = tmp_path / "objects.json.gz"
    run_lab(tmp_path, "objects", flat.dataset, flat.scene, path, 2, "sofa")
    read = read_episodes(path, lab_python())
    assert read.kind == OBJECT_GOALS
    sofa = next(piece for piece in make_flat(1001, 3).furniture if piece.category == "sofa")
    for episode in read.episodes:
        assert (episode.category, episode.scene, episode.dataset) == ("sofa", flat.scene, str(flat.dataset))
        (goal,) = episode.goals
        # habitat-lab writes five decimals.
        assert goal.position[:2] == pytest.approx((sofa.placement.x, sofa.placement.y), abs=1e-4)
        x, y = goal.view_points[:, 0], goal.view_points[:, 1]
        distances = np.array(OrientedRect.of(sofa.footprint).distances(x, y))
        assert RADIUS - CLOSE < distances.min() < 2 * RADIUS
        assert NEAR - CLOSE < distances.max() < NEAR + CLOSE
        assert episode.geodesic is not None
        straight = np.linalg.norm(goal.view_points[:, :2] - (episode.start.x, episode.start.y), axis=1).min()
        assert straight - 1e-3 <= episode.geodesic < 20


@needs_lab
def test_rearrange_episodes_written_by_habitat_lab_are_read(tmp_path: Path) -> None:
    written = write_rearranged(tmp_path, raw_episode(), raw_episode(CAN, BOWL))
    again = tmp_path / "again.json.gz"
    run_lab(tmp_path, "rearranged", written.episodes, again)  # by habitat-lab's own classes, there and back
    for path in (written.episodes, again):
        read = read_episodes(path, lab_python())
        assert isinstance(read, RearrangeSet)
        by_hand = as_read(raw_episode(), raw_episode(CAN, BOWL))
        assert [episode_text(each) for each in read.episodes] == [
            episode_text(each) for each in by_hand.episodes
        ]


def episode_text(episode: RearrangeEpisode) -> str:
    with np.printoptions(precision=6):
        return repr(episode)
