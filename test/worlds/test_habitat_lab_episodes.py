"""Episodes of habitat-lab in the frame of the map, the locations of their scenes, and start poses in scene names."""

from __future__ import annotations

import json
import math
import stat
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stma_ros.types.errors import ConfigurationError
from stma_ros.types.standard import Time
from stma_ros.worlds.habitat.lab.document import episodes_of, heading
from stma_ros.worlds.habitat.lab.reading import read_episodes
from stma_ros.worlds.habitat.lab.scenes import dataset_file, scene_name
from stma_ros.worlds.habitat.lab.start import PlaceFrom, Start, scene_from, split_scene
from stma_ros.worlds.house.furnishing.item_placement import make_flat
from stma_ros.worlds.house.place import FlatPlace
from stma_ros.worlds.house.rendering.renderer import Renderer
from stma_ros.worlds.robot.config import RobotConfig
from stma_ros.worlds.robot.geometry import Placement
from support.worlds.rearranged_dataset import BOWL, CAN, as_read, raw_episode

HERE = Path("somewhere/val.json.gz")
HALF = math.sqrt(0.5)


def written(**changes: Any) -> dict[str, Any]:
    """Returns the output of the reader: one episode with two goals."""
    episode = {
        "id": "17",
        "scene": "hm3d/val/house.glb",
        "dataset": "default",
        "start_position": [1.0, 0.2, -3.0],
        "start_rotation": [0.0, HALF, 0.0, HALF],
        "goals": "house.glb_bed",
        "category": "bed",
        "geodesic_distance": 4.5,
    }
    goals = [
        {"position": [5.0, 0.7, 2.0], "view_points": [[4.0, 0.2, 2.0], [5.0, 0.2, 1.0]]},
        {"position": [9.0, 0.7, 2.0], "view_points": []},
    ]
    return {"kind": "ObjectNav-v1", "goals": {"house.glb_bed": goals}, "episodes": [episode | changes]}


def read(document: dict[str, Any]) -> Any:
    return episodes_of(json.dumps(document).encode(), HERE)


def test_habitat_lab_episodes_are_converted_to_the_map_frame() -> None:
    (episode,) = read(written()).episodes
    assert (episode.start.x, episode.start.y, episode.start.z) == (1.0, 3.0, 0.2)
    assert abs(episode.start.yaw) == pytest.approx(
        math.pi
    )  # turned left by 90 degrees from Habitat's -z, the north
    first, second = episode.goals
    assert first.position.tolist() == [5.0, -2.0, 0.7]
    assert first.view_points.tolist() == [[4.0, -2.0, 0.2], [5.0, -1.0, 0.2]]
    assert second.view_points.shape == (0, 3)
    assert (episode.category, episode.geodesic, episode.dataset) == ("bed", 4.5, "")


@pytest.mark.parametrize(
    ("rotation", "yaw"),
    [
        ((0.0, 0.0, 0.0, 1.0), math.pi / 2),
        ((0.0, HALF, 0.0, HALF), math.pi),
        ((0.0, -HALF, 0.0, HALF), 0.0),
        ((0.0, 1.0, 0.0, 0.0), -math.pi / 2),
        ((0.0, -math.sin(0.15), 0.0, -math.cos(0.15)), math.pi / 2 + 0.3),  # the same as its negative
    ],
)
def test_a_start_without_rotation_faces_north(rotation: Any, yaw: float) -> None:
    assert math.remainder(heading(rotation) - yaw, math.tau) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"start_position": [1.0, 2.0]}, "start_position"),
        ({"start_position": [1.0, 2.0, math.nan]}, "start_position"),
        ({"start_rotation": [0.0, 0.0, 0.0, 0.0]}, "no rotation"),
        ({"geodesic_distance": -1.0}, "geodesic_distance"),
        ({"geodesic_distance": math.inf}, "geodesic_distance"),
        ({"goals": "nowhere"}, "no goal for its episode 17"),
    ],
)
def test_an_episode_with_an_invalid_start_or_goal_is_refused(changes: dict[str, Any], named: str) -> None:
    with pytest.raises(ConfigurationError, match=named) as caught:
        read(written(**changes))
    assert str(HERE) in str(caught.value)


def test_an_error_of_the_episode_reader_is_raised_as_a_configuration_error() -> None:
    with pytest.raises(ConfigurationError, match=r"^why it could not$"):
        episodes_of(b'{"error": "why it could not"}', HERE)


def python(folder: Path, script: str) -> str:
    """Returns an executable that is run in place of an interpreter."""
    path = folder / "python"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_an_interpreter_that_fails_is_named_with_its_last_output(tmp_path: Path) -> None:
    data = tmp_path / "val.json.gz"
    data.write_bytes(b"")
    failing = python(tmp_path, "echo all is lost; exit 7")
    with pytest.raises(ConfigurationError, match=r"exit status 7(.|\n)*all is lost"):
        read_episodes(data, failing)


def test_an_interpreter_that_takes_too_long_is_killed(tmp_path: Path) -> None:
    data = tmp_path / "val.json.gz"
    data.write_bytes(b"")
    with pytest.raises(ConfigurationError, match=r"did not read .* within 0\.2 s"):
        read_episodes(data, python(tmp_path, "exec sleep 60"), deadline=0.2)


def test_a_missing_data_set_or_interpreter_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no data set of episodes"):
        read_episodes(tmp_path / "none.json.gz")
    data = tmp_path / "val.json.gz"
    data.write_bytes(b"")
    with pytest.raises(ConfigurationError, match="cannot be started"):
        read_episodes(data, str(tmp_path / "no_python"))


def test_a_start_pose_in_a_scene_name_is_read_back() -> None:
    start = Start(1.25, -3.5, 0.1, -3.1)
    name = scene_from("/data/a@b/house.glb", start)
    assert name == "/data/a@b/house.glb@1.2500,-3.5000,0.1000,-3.1000"
    assert split_scene(name) == ("/data/a@b/house.glb", start)


@pytest.mark.parametrize("name", ["flat_7", "a@b.glb", "x@1,2,3,4", "@1.0,2.0,3.0,4.0"])
def test_scene_names_without_a_start_pose_are_unchanged(name: str) -> None:
    assert split_scene(name) == (name, None)


def test_a_scene_with_a_start_pose_starts_there_for_every_seed() -> None:
    flat = make_flat(1000, 3)
    plain = FlatPlace("flat_1000", flat, Renderer(flat, RobotConfig().camera), 0)
    place = PlaceFrom(plain, Start(2.0, 1.0, 0.0, 0.5))
    assert {place.begin(seed) for seed in range(5)} == {Placement(2.0, 1.0, 0.5)}
    assert place.scene is plain.scene
    assert place.truth("name", Placement(2.0, 1.0, 0.5), flat.initial, Time()).scene == "name"


def test_scenes_of_episodes_are_files_in_the_folder_or_names(tmp_path: Path) -> None:
    (episode,) = read(written()).episodes
    with pytest.raises(ConfigurationError, match=r"house\.glb of episode 17 is not in"):
        scene_name(episode, tmp_path)
    file = tmp_path / "hm3d" / "val" / "house.glb"
    file.parent.mkdir(parents=True)
    file.write_bytes(b"")
    start = scene_from("", episode.start)
    assert scene_name(episode, tmp_path) == f"{file}{start}"
    (named,) = read(written(scene="apt_0")).episodes
    assert scene_name(named, tmp_path) == f"apt_0{start}"


def test_scene_data_sets_of_episodes_are_searched_in_the_folder(tmp_path: Path) -> None:
    assert dataset_file(read(written()).episodes[0], tmp_path) == ""
    config = "data/scene_datasets/hm3d/hm3d.scene_dataset_config.json"
    (episode,) = read(written(dataset=f"./{config}")).episodes
    with pytest.raises(ConfigurationError, match=r"hm3d\.scene_dataset_config\.json of episode 17"):
        dataset_file(episode, tmp_path)
    file = tmp_path / "hm3d" / "hm3d.scene_dataset_config.json"
    file.parent.mkdir()
    file.write_text("{}")
    assert dataset_file(episode, tmp_path) == str(file)


def test_converted_points_are_in_a_right_handed_frame() -> None:
    """East, north and up of the map are right, ahead and up of a robot without rotation in Habitat."""
    (episode,) = read(written(start_position=[0.0, 0.0, 0.0], start_rotation=[0.0, 0.0, 0.0, 1.0])).episodes
    ahead = np.array((math.cos(episode.start.yaw), math.sin(episode.start.yaw)))
    document = written()
    document["goals"]["house.glb_bed"] = [{"position": [0.0, 0.0, -2.0], "view_points": []}]
    (other,) = read(document).episodes
    assert other.goals[0].position[:2] == pytest.approx(2 * ahead)


def test_rearrange_episodes_are_read_with_their_transforms() -> None:
    (episode,) = as_read(raw_episode(CAN, BOWL)).episodes
    assert [(each.thing, each.start, each.goal) for each in episode.targets] == [
        (CAN, "big_table_03_:0000", "nightstand_:0000"),
        (BOWL, "nightstand_:0000", "big_table_03_:0000"),
    ]
    assert episode.objects[0].template == "005_tomato_soup_can.object_config.json"
    assert episode.objects[0].transform.shape == (4, 4)
    assert episode.joints == {"cabinet_:0000": {0: 1.5}}


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"targets": {}}, "targets"),
        ({"targets": {CAN: [[1.0, 0.0, 0.0, 0.0]] * 4}}, "no transform of a rigid thing"),
        ({"ao_states": {"cabinet_:0000": {"hinge": 1.0}}}, "joints"),
        ({"rigid_objs": [["cup", [[math.nan] * 4] * 4]]}, "transform"),
    ],
)
def test_an_impossible_rearrange_episode_is_refused(changes: dict[str, Any], named: str) -> None:
    raw = raw_episode(**changes)
    count = len(raw["targets"])
    raw["target_receptacles"], raw["goal_receptacles"] = ([("", None)] * count for _ in range(2))
    with pytest.raises(ConfigurationError, match=named):
        as_read(raw)
