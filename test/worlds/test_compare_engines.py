"""`stma compare-engines` with the real engine: to the robot, Habitat agrees with the house world."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from stma_ros.apps import cli
from support.worlds.habitat_available import why_not_in_a_process

WHY_NOT = why_not_in_a_process()


@pytest.mark.slow
@pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)
def test_habitat_agrees_with_the_house_world(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pytest.importorskip("open3d", reason="the house world needs the extra `house`")
    pytest.importorskip("matplotlib", reason="draws figures: pip install 'stma_ros[plots]'")
    result, picture = tmp_path / "parity.json", tmp_path / "parity.png"
    settings = ["world.width=160", "world.height=120", f"world.flats={tmp_path / 'flats'}"]
    given = [word for setting in settings for word in ("--set", setting)]
    arguments = ["--flats", "1", "--seed", "1003", "--json", str(result), "--picture", str(picture)]
    status = cli.main(["compare-engines", *arguments, *given])
    said = capsys.readouterr().out
    assert status == 0, said
    assert "missed" not in said
    measured = json.loads(result.read_text())
    assert measured["total"]["depth"] > 99.9
    assert measured["total"]["category"] > 99.9
    assert measured["total"]["colour"] < 12
    assert measured["settings"]["flats"] == [1_004_999_000]
    (of_flat,) = measured["flats"].values()
    assert set(of_flat) == {"as found", "all open and on"}
    with Image.open(picture) as drawn:
        assert drawn.size[0] > 1200
