"""The excerpt of an engine's output that is shown after its end."""

from __future__ import annotations

import os
from pathlib import Path

from stma_ros.worlds.habitat.engine_log import EngineLog

LIGHTS = (
    "[14:14:21:298262]:[Warning]:[Metadata] SceneDatasetAttributes.cpp(107)::addNewSceneInstanceToDataset : Dataset : "
    "'flat' : Lighting Layout Attributes 'no_lights' specified in Scene Attributes but does not exist in dataset, so "
    "creating default."
)


def test_last_output_of_an_engine_leaves_out_the_warning_about_scenes_without_lamps(
    tmp_path: Path,
) -> None:
    log = EngineLog(tmp_path / "engine.log")
    os.write(log.fileno(), f"cannot allocate a texture\nterminate called\n{LIGHTS}\n".encode())
    assert log.last_output() == "cannot allocate a texture\nterminate called"
    assert LIGHTS in (tmp_path / "engine.log").read_text(), "the log itself keeps all"
    log.close()


def test_last_output_is_empty_when_an_engine_only_warned_about_scenes_without_lamps(tmp_path: Path) -> None:
    log = EngineLog(None)
    os.write(log.fileno(), f"{LIGHTS}\n".encode())
    assert log.last_output() == ""
    log.close()
