from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from stma_ros.apps.cli import EXIT_REFUSED, main
from stma_ros.evaluation.figures import SERIES, SWEEPS, series_over_commands, success_over_setting


def episode(preset: str, group: str, scores: list[float]) -> dict[str, Any]:
    return {"preset": preset, "group": group, "max_commands": 4, "scores": scores}


def result(noise: float, success: float) -> dict[str, Any]:
    row = {"preset": "full", "success_rate": success, "success_rate_interval": [success - 5, success + 5]}
    return {
        "suite": "cooking",
        "settings": {"suite": {"noise": noise}},
        "rows": [{**row, "group": "level 1"}, {**row, "group": "all"}],
        "episodes": [episode("full", "level 1", [0, 50, 100]), episode("react", "level 1", [0, 0, 0, 25])],
    }


def test_score_figure_has_a_panel_for_each_group_and_a_line_for_each_preset(tmp_path: Path) -> None:
    assert series_over_commands(result(0, 90), SERIES["score"], tmp_path / "score.svg")

    drawn = (tmp_path / "score.svg").read_text()
    assert "level 1" in drawn  # titles and names are comments next to their outlines
    assert "full" in drawn
    assert "react" in drawn


def test_executability_figure_counts_only_the_episodes_that_go_on(tmp_path: Path) -> None:
    played = {"preset": "full", "group": "gripper", "max_commands": 4}
    both = [{**played, "executable": [1.0]}, {**played, "executable": [0.0, 1.0, 1.0]}]
    file = tmp_path / "executability.svg"
    assert series_over_commands({"episodes": both}, SERIES["executability"], file)
    assert "executable [%]" in file.read_text()


def test_series_figure_is_not_drawn_without_its_series(tmp_path: Path) -> None:
    assert not series_over_commands(result(0, 90), SERIES["progress"], tmp_path / "progress.svg")
    assert not (tmp_path / "progress.svg").exists()


def test_noise_figure_needs_results_of_different_noise(tmp_path: Path) -> None:
    noise, file = SWEEPS["noise"], tmp_path / "noise.svg"
    assert not success_over_setting([result(0, 90), result(0, 80)], noise, file)
    assert success_over_setting([result(0.2, 70), result(0, 90)], noise, file)
    assert (tmp_path / "noise.svg").is_file()


def test_plot_command_draws_every_figure_that_its_results_allow(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, noise in (("quiet", 0.0), ("noisy", 0.2)):
        (tmp_path / f"{name}.json").write_text(json.dumps(result(noise, 50)))

    assert (
        main(["plot", str(tmp_path / "quiet.json"), str(tmp_path / "noisy.json"), "--out", str(tmp_path)])
        == 0
    )
    assert sorted(file.name for file in tmp_path.glob("*.svg")) == [
        "cooking-noise.svg",
        "noisy-score.svg",
        "quiet-score.svg",
    ]
    capsys.readouterr()


@pytest.mark.parametrize("text", ["{", "[]", '{"suite": "cooking"}'])
def test_plot_command_refuses_a_file_without_results(
    tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.json").write_text(text)

    assert main(["plot", str(tmp_path / "bad.json"), "--out", str(tmp_path)]) == EXIT_REFUSED
    assert "bad.json" in capsys.readouterr().err


def test_plot_command_says_that_scores_of_bags_have_nothing_to_draw(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scores = {"suite": "score", "settings": {"bags": ["run"]}, "rows": [{"group": "run"}], "episodes": []}
    (tmp_path / "scores.json").write_text(json.dumps(scores))
    assert main(["plot", str(tmp_path / "scores.json"), "--out", str(tmp_path)]) == EXIT_REFUSED
    assert "there is nothing to draw" in capsys.readouterr().err


def test_figures_of_files_with_the_same_name_are_named_after_their_folders(tmp_path: Path) -> None:
    files = [tmp_path / name / "metrics.json" for name in ("quiet", "noisy")]
    for file in files:
        file.parent.mkdir()
        file.write_text(json.dumps(result(0, 50)))
    assert main(["plot", *map(str, files), "--out", str(tmp_path / "out")]) == 0
    drawn = [path.name for path in (tmp_path / "out").iterdir()]
    assert sorted(drawn) == ["noisy-metrics-score.svg", "quiet-metrics-score.svg"]


def test_plot_command_refuses_figures_that_would_replace_one_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "results.json"
    file.write_text(json.dumps(result(0, 50)))
    assert main(["plot", str(file), str(file), "--out", str(tmp_path / "out")]) == EXIT_REFUSED
    assert "draw them one by one" in capsys.readouterr().err


def test_plot_command_refuses_a_folder_that_cannot_be_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "results.json"
    file.write_text(json.dumps(result(0, 50)))
    assert main(["plot", str(file), "--out", str(file)]) == EXIT_REFUSED
    assert (
        "results.json cannot be a folder (File exists); name another one with --out"
        in capsys.readouterr().err
    )
