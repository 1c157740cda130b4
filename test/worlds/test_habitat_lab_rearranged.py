"""The scenes of Rearrange episodes as a scene data set: its files, and the categories of its objects."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stma_ros.types.errors import ConfigurationError
from stma_ros.worlds.habitat.lab.rearranged import StagedEpisodes, StagedScene, stage_episodes
from stma_ros.worlds.habitat.lab.scenes import dataset_file
from stma_ros.worlds.habitat.scene.dataset_files import DatasetFiles, scenes_of
from support.worlds.external_dataset import FLOOR
from support.worlds.rearranged_dataset import (
    BOWL,
    CAN,
    IN_DRAWER,
    ON_TABLE,
    WrittenEpisodes,
    as_read,
    raw_episode,
    scene_of,
    write_rearranged,
)


@pytest.fixture
def written(tmp_path: Path) -> WrittenEpisodes:
    return write_rearranged(tmp_path)


def staged(written: WrittenEpisodes, *episodes: Any) -> StagedEpisodes:
    read = as_read(*(episodes or (raw_episode(),)))
    cache = written.episodes.parent / "cache"
    return stage_episodes(read.episodes, str(written.dataset), "easy", written.scenes, str(cache))


def instance(made: StagedEpisodes, number: int = 0) -> Any:
    name = f"{scene_of(made, number).name}.scene_instance.json"
    return json.loads((made.dataset.parent / "scenes" / name).read_text())


def test_every_rearrange_episode_is_a_scene_of_the_staged_data_set(written: WrittenEpisodes) -> None:
    made = staged(written, raw_episode(), raw_episode(BOWL))
    assert [scene_of(made, number).name for number in range(2)] == ["easy_00000", "easy_00001"]
    assert scenes_of(str(made.dataset)) == ["easy_00000", "easy_00001"]


def test_a_staged_data_set_refers_to_the_original_files_without_copying(written: WrittenEpisodes) -> None:
    made = staged(written)
    files = sorted(path.name for path in made.dataset.parent.rglob("*") if path.is_file())
    assert files == [
        "easy.scene_dataset_config.json",
        "easy_00000.scene_instance.json",
        "stma_ros_episodes.json",
    ]
    found = DatasetFiles(str(made.dataset))
    for section, name in (
        ("stages", "home.stage_config.json"),
        ("objects", "cup.object_config.json"),
        ("objects", "024_bowl.object_config.json"),
        ("articulated_objects", "cabinet.ao_config.json"),
        ("semantic_scene_descriptor_instances", "home.semantic_config.json"),
    ):
        assert [path.name for path in found.of(section, ".json")].count(name) == 1, name


def test_a_staged_scene_has_its_own_objects_and_those_of_the_episode(written: WrittenEpisodes) -> None:
    scene = instance(staged(written))
    before = json.loads((written.dataset.parent / "scenes" / "home.scene_instance.json").read_text())
    *had, can, _bowl = scene["object_instances"]
    assert had == before["object_instances"]
    assert Path(can["template_name"]).is_file()
    assert can["translation"] == [ON_TABLE[0], ON_TABLE[2] + FLOOR, -ON_TABLE[1]]
    assert (can["rotation"], can["translation_origin"]) == ([1.0, 0.0, 0.0, 0.0], "COM")


def test_objects_of_a_staged_scene_have_the_rotations_of_the_episode(written: WrittenEpisodes) -> None:
    about_y = [[0.0, 0.0, 1.0, 1.0], [0.0, 1.0, 0.0, 2.0], [-1.0, 0.0, 0.0, 3.0], [0.0, 0.0, 0.0, 1.0]]
    raw = raw_episode(rigid_objs=[["005_tomato_soup_can.object_config.json", about_y]])
    can = instance(staged(written, raw))["object_instances"][-1]
    assert can["rotation"] == pytest.approx([np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0])


def test_open_containers_are_passed_to_the_engine_as_link_positions(written: WrittenEpisodes) -> None:
    cabinet, nightstand, _door = instance(staged(written))["articulated_object_instances"]
    assert cabinet["user_defined"] == {"link_positions": {"0": 1.5}}
    assert "user_defined" not in nightstand


def test_staged_objects_have_the_categories_that_the_engine_reports(written: WrittenEpisodes) -> None:
    assert scene_of(staged(written)).categories == {
        "big_table_03_:0000": "dining table",
        "cup_:0000": "cup",
        "apple_:0000": "apple",
        "spoon_:0000": "spoon",
        "chair_:0000": "chair",
        "rug_:0000": "rug",
        "cabinet_:0000": "cabinet",
        "nightstand_:0000": "nightstand",
        "door_:0000": "door",
        CAN: "tomato soup can",
        BOWL: "bowl",
    }


def test_categories_by_semantic_id_come_from_the_lexicon_of_the_scene(written: WrittenEpisodes) -> None:
    folder = written.dataset.parent
    classes = [{"id": 0, "name": "unknown"}, {"id": 7, "name": "Side_Table"}, {"id": 8, "name": "unlabeled"}]
    (folder / "semantics" / "home.semantic_config.json").unlink()
    (folder / "semantics" / "home_lexicon.json").write_text(json.dumps({"classes": classes}))
    for name, number in (("cup", 7), ("apple", 8)):
        config = folder / "objects" / f"{name}.object_config.json"
        config.write_text(json.dumps({**json.loads(config.read_text()), "semantic_id": number}))
    home = folder / "scenes" / "home.scene_instance.json"
    scene = {**json.loads(home.read_text()), "semantic_scene_instance": "home_lexicon"}
    home.write_text(json.dumps(scene))
    (folder / "semantics" / "home_lexicon-2.json").write_text(
        json.dumps({"classes": [{"id": 7, "name": "sink"}]})
    )
    (folder / "semantics" / "a_home_lexicon.json").write_text(
        json.dumps({"classes": [{"id": 7, "name": "bed"}]})
    )
    names = scene_of(staged(written)).categories
    assert (names["cup_:0000"], names["apple_:0000"]) == ("side table", "apple")
    dataset = json.loads(written.dataset.read_text())
    dataset["semantic_scene_descriptor_instances"] = {"home_lexicon": "semantics/a_home_lexicon.json"}
    written.dataset.write_text(json.dumps(dataset))
    assert scene_of(staged(written)).categories["cup_:0000"] == "bed"


def test_an_existing_staged_data_set_is_not_rewritten(written: WrittenEpisodes) -> None:
    first = staged(written)
    stamps = {path: path.stat().st_mtime_ns for path in first.dataset.parent.rglob("*.json")}
    assert staged(written).dataset == first.dataset
    assert {path: path.stat().st_mtime_ns for path in first.dataset.parent.rglob("*.json")} == stamps
    assert staged(written, raw_episode(bowl=IN_DRAWER)).dataset.parent != first.dataset.parent


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"scene_id": "attic.scene_instance.json"}, r"attic\.scene_instance\.json of episode 0 is not among the 4"),
        ({"additional_obj_config_paths": ["data/objects/gso/"]}, r"are in data/objects/gso/, which is neither"),
        ({"additional_obj_config_paths": []}, r"005_tomato_soup_can\.object_config\.json of episode 0 is neither"),
    ],
)  # fmt: skip
def test_an_episode_that_names_a_missing_file_is_refused(
    written: WrittenEpisodes, changes: dict[str, Any], said: str
) -> None:
    with pytest.raises(ConfigurationError, match=said):
        staged(written, raw_episode(**changes))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"ao_states": {"fridge_:0000": {"2": 1.0}}}, r"episode 0 opens 'fridge_:0000', .* cabinet_:0000, nightst"),
        ({"targets": {"mug_:0000": raw_episode()["targets"][CAN]}}, r"episode 0 is about 'mug_:0000', which is not in"),
    ],
)  # fmt: skip
def test_an_episode_that_does_not_fit_its_scene_is_the_only_one_left_out(
    written: WrittenEpisodes, changes: dict[str, Any], said: str
) -> None:
    unfit, fit = staged(written, raw_episode(**changes), raw_episode()).scenes
    assert isinstance(unfit, str)
    assert re.match(said, unfit)
    assert isinstance(fit, StagedScene)


def test_objects_that_the_episode_adds_are_numbered_as_by_habitat_lab(written: WrittenEpisodes) -> None:
    home = written.dataset.parent / "scenes" / "home.scene_instance.json"
    there = {"template_name": CAN.partition("_:")[0], "translation": [0.0, 1.0, 0.0]}
    scene = json.loads(home.read_text())
    home.write_text(json.dumps({**scene, "object_instances": [*scene["object_instances"], there]}))
    staged_scene = scene_of(staged(written))
    assert [target.thing for target in staged_scene.targets] == [CAN.replace("0000", "0001")]
    assert staged_scene.starts[CAN.replace("0000", "0001")][0] != 0.0


@pytest.mark.parametrize(
    ("file", "changes", "said"),
    [
        ("scenes/home.scene_instance.json", {"object_instances": [{}]}, r"at object_instances\.0\.template_name"),
        ("scenes/home.scene_instance.json", {"articulated_object_instances": 3}, "at articulated_object_instances"),
        ("objects/cup.object_config.json", {"semantic_id": "cup"}, "at semantic_id"),
        ("objects/cup.object_config.json", {"user_defined": ["cup"]}, "at user_defined"),
    ],
)  # fmt: skip
def test_a_broken_file_of_the_data_set_is_refused_with_the_place_of_the_mistake(
    written: WrittenEpisodes, file: str, changes: dict[str, Any], said: str
) -> None:
    path = written.dataset.parent / file
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))
    with pytest.raises(ConfigurationError, match=rf"{path.name} is broken {said}: .*; restore the file"):
        staged(written)
    path.write_text("{")
    with pytest.raises(ConfigurationError, match=rf"{path.name} is broken: Invalid JSON"):
        staged(written)


def test_an_unwritable_folder_for_staged_scenes_is_refused_with_the_remedy(written: WrittenEpisodes) -> None:
    file = written.episodes.parent / "taken"
    file.write_text("")
    read = as_read(raw_episode())
    with pytest.raises(ConfigurationError, match=r"name another folder; with --set cache_folder="):
        stage_episodes(read.episodes, str(written.dataset), "easy", written.scenes, str(file))


@pytest.mark.parametrize("folder", ["data/scene_datasets", "data"])
def test_files_named_by_episodes_are_found_in_the_scenes_folder_and_next_to_it(
    written: WrittenEpisodes, folder: str
) -> None:
    (episode,) = as_read(raw_episode()).episodes
    scenes = written.episodes.parent / folder
    if folder == "data":  # as a data set that is no scene data set of habitat-lab names it
        (episode,) = as_read(
            raw_episode(scene_dataset_config="data/foreign/foreign.scene_dataset_config.json")
        ).episodes
        written.dataset.parent.rename(scenes / "foreign")
        written = WrittenEpisodes(scenes / "scene_datasets", scenes, written.episodes)
    assert dataset_file(episode, written.scenes).endswith("foreign.scene_dataset_config.json")
