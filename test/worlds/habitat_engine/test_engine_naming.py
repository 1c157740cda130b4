"""Categories come from the metadata of the data set, else from the name of the template."""

from __future__ import annotations

from typing import Any

import pytest

from stma_ros.worlds.habitat.engine.naming import category_of, simple_name
from stma_ros.worlds.habitat.engine.versions import is_known

LEXICON = {3: "Sofa_Bed"}


@pytest.mark.parametrize(
    ("user", "semantic_id", "template", "category"),
    [
        ({"category": "Kitchen_Chair", "semantic_category": "x"}, 3, "chair_01", "kitchen chair"),
        ({"semantic_category": "mug"}, 3, "cup", "mug"),
        ({"category": " "}, 3, "cup", "sofa bed"),
        ({"category": 5}, 0, "frl_apartment_bowl_01", "bowl"),
        ({}, 0, "003_cracker_box", "cracker box"),
        ({}, 0, "065-a_cups", "cups"),
        ({}, 9, "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567", ""),
        ({}, 0, "42", ""),
    ],
)
def test_category_comes_from_metadata_lexicon_or_template_name(
    user: dict[str, Any], semantic_id: int, template: str, category: str
) -> None:
    assert category_of(user, LEXICON, semantic_id, template) == category


@pytest.mark.parametrize(
    ("handle", "name"),
    [
        ("/data/objects/cup.object_config.json", "cup"),
        ("flat.scene_instance.json", "flat"),
        ("urdf/fridge.urdf", "fridge"),
        ("/data/a.b.glb", "a.b"),
        ("plain", "plain"),
    ],
)
def test_simple_name_drops_folder_and_extensions(handle: str, name: str) -> None:
    assert simple_name(handle) == name


@pytest.mark.parametrize("version", ["0.3.4", "0.3.3", "0.3", "0.2.5", "0.2.4.dev1", "0.3.2+local"])
def test_supported_habitat_sim_versions_are_recognised(version: str) -> None:
    assert is_known(version)


@pytest.mark.parametrize("version", ["0.2.3", "0.30.1", "1.0", "", "of unknown version", "0.2"])
def test_unsupported_habitat_sim_versions_are_recognised(version: str) -> None:
    assert not is_known(version)
