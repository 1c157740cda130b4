"""Tests of `stma ask`: answers from a saved memory, their pictures, and refusals."""

from __future__ import annotations

from pathlib import Path

import pytest

from stma_ros.apps import cli
from stma_ros.library.scene_memory import SceneMemory
from support.library.wall_arrays import FRIDGE, MUG, wall_frame


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    folder = tmp_path / "my_home"
    with SceneMemory(folder) as memory:
        for second in (1, 2):
            memory.observe(wall_frame(second, FRIDGE, MUG))
    return folder


def test_ask_command_answers_questions_and_leaves_the_memory_as_it_is(
    saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (saved / "memory.stma").read_bytes()
    assert cli.main(["ask", str(saved), "What colour is the fridge?", "Is there milk in the fridge?"]) == 0
    output = capsys.readouterr().out
    assert "white. I last saw the white fridge (fridge_1)" in output
    assert "As far as I know: no." in output
    assert (saved / "memory.stma").read_bytes() == before


def test_ask_command_writes_pictures_of_what_the_answer_rests_on(
    saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pictures = tmp_path / "seen"
    assert cli.main(["ask", str(saved), "What colour is the fridge?", "--pictures", str(pictures)]) == 0
    assert str(pictures / "fridge_1.jpg") in capsys.readouterr().out
    assert (pictures / "fridge_1.jpg").read_bytes().startswith(b"\xff\xd8")


def test_ask_command_refuses_a_folder_of_pictures_that_cannot_be_made(
    saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    taken = str(saved / "memory.stma")
    arguments = ["ask", str(saved), "What colour is the fridge?", "--pictures", taken]
    assert cli.main(arguments) == cli.EXIT_REFUSED
    assert f"{taken} cannot be a folder (File exists); name another one" in capsys.readouterr().err


def test_ask_command_refuses_a_folder_without_a_memory_and_a_text_that_asks_nothing(
    saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["ask", str(tmp_path / "nowhere"), "Is there a mug?"]) == cli.EXIT_REFUSED
    assert "holds no memory" in capsys.readouterr().err
    assert not (tmp_path / "nowhere").exists()
    assert cli.main(["ask", str(saved), "sing"]) == cli.EXIT_REFUSED
    assert "asks nothing" in capsys.readouterr().err
