"""The trained detector that `make detector` gets finds a person in a photograph."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from PIL import Image

from stma_ros.apps.detectors.command import KIND
from stma_ros.apps.detectors.source import CENTERNET
from stma_ros.worlds.habitat.export.folder import cached_folder

onnxruntime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: `make vision`")

DESCRIPTION = cached_folder("", KIND) / f"{CENTERNET.name}.yaml"

pytestmark = pytest.mark.skipif(
    not DESCRIPTION.is_file(),
    reason=f"there is no {DESCRIPTION}: `make detector`; NO TRAINED DETECTOR IS TESTED",
)


@pytest.fixture(scope="module")
def session() -> Any:
    network = DESCRIPTION.parent / yaml.safe_load(DESCRIPTION.read_text())["network"]
    return onnxruntime.InferenceSession(network, providers=["CPUExecutionProvider"])


def test_detector_has_the_input_and_the_output_that_its_description_names(session: Any) -> None:
    description = yaml.safe_load(DESCRIPTION.read_text())
    (image,), (rows,) = session.get_inputs(), session.get_outputs()
    assert (image.name, image.shape) == (
        description["input"]["name"],
        [1, *reversed(description["input"]["size"]), 3],
    )
    assert (rows.name, rows.shape) == (description["outputs"]["rows"], [1, 100, 6])
    metadata = session.get_modelmeta().custom_metadata_map
    assert json.loads(metadata["labels"]) == description["labels"]
    assert (metadata["source"], metadata["licence"]) == (description["source"], description["licence"])


def test_detector_finds_the_person_of_a_portrait(session: Any) -> None:
    samples = pytest.importorskip("matplotlib.cbook", reason="matplotlib is not installed: `make plots`")
    photograph = Image.open(Path(samples._get_data_path("sample_data/grace_hopper.jpg")))
    pixels = np.asarray(
        photograph.convert("RGB").resize(CENTERNET.size, Image.Resampling.BILINEAR), np.float32
    )
    (output,) = session.run([CENTERNET.rows], {CENTERNET.image: pixels[None]})
    best = output[0][0]
    assert CENTERNET.labels[int(best[5])] == "person"
    assert best[4] == pytest.approx(0.74, abs=0.02)
    np.testing.assert_allclose(best[:4], [6, 21, 506, 518], atol=3)  # what TensorFlow.js computes
    assert np.all(np.diff(output[0][:, 4]) <= 0)
