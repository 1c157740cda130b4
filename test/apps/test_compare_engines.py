"""Tests of the checks of `stma compare-engines`."""

from __future__ import annotations

from pathlib import Path

import pytest

from stma_ros.apps import cli


@pytest.mark.parametrize(
    ("arguments", "cause", "remedy"),
    [
        (("--set", "planner.actions=1"), "no setting of an agent", "world.option=value only"),
        (("--set", "tasks=find"), "has no setting 'tasks'", "world.option=value"),
        (("--set", "world.widht=640"), "habitat has no setting 'widht'", "Did you mean 'width'?"),
        (
            ("--set", "world.dataset=x.json"),
            "the house has no scenes of data sets",
            "leave world.dataset out",
        ),
        (("--json", "nowhere/x.json"), "there is no folder", "make it first"),
        (("--picture", "nowhere/x.png"), "there is no folder", "make it first"),
    ],
)
def test_compare_engines_refuses_invalid_arguments(
    arguments: tuple[str, ...],
    cause: str,
    remedy: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["compare-engines", *arguments]) == cli.EXIT_REFUSED
    error = capsys.readouterr().err
    assert cause in error
    assert remedy in error
