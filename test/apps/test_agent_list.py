"""Tests of `stma run --list`, which shows agents, presets and the worlds that each fits."""

from __future__ import annotations

import pytest
from rich.console import Console

from stma_ros.agents.hiagent import HIAGENT
from stma_ros.agents.mcot_memory import MCOT_MEMORY
from stma_ros.agents.pred_eqa import PRED_EQA
from stma_ros.agents.registry import AGENTS
from stma_ros.apps import agent_list, cli
from stma_ros.worlds.registry import WORLDS


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent_list, "make_console", lambda: Console(width=250))


def rows(output: str) -> dict[str, list[str]]:
    """Returns the cells of each row by its preset."""
    cells = [[cell.strip() for cell in line.split("│")[1:-1]] for line in output.splitlines() if "│" in line]
    return {row[1]: row for row in cells if row[1] in AGENTS.presets}


def test_agent_list_shows_every_preset_with_the_worlds_that_it_fits(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["run", "--list"]) == 0
    listed = rows(capsys.readouterr().out)
    assert list(listed) == list(AGENTS.presets)
    for preset, unfit in {
        "full": ("pddl", "jericho", "programs"),
        "hiagent": ("textworld", "programs"),
        "mcot_memory": ("textworld", "pddl", "jericho"),
    }.items():
        assert listed[preset][-1].split(", ") == [name for name in WORLDS if name not in unfit]
    assert listed["react"] == ["", "react", AGENTS.presets["react"].summary, "STMA, table 1", "textworld"]
    assert listed["stma"][0] == "stma"
    assert listed["stma"][2] == AGENTS.agents["stma"].summary


def test_agent_list_for_one_world_marks_presets_that_do_not_fit(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["run", "--list", "--world", "house"]) == 0
    listed = rows(capsys.readouterr().out)
    assert {name for name, row in listed.items() if row[-1] == "house"} == {
        *("full", "no_critic", "no_priors", "stma", "stma_no_critic"),
        *HIAGENT.presets,
        *PRED_EQA.presets,
        *MCOT_MEMORY.presets,
    }
    assert listed["react"][-1] == "-"


def test_agent_list_for_an_unknown_world_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["run", "--list", "--world", "hose"]) == cli.EXIT_REFUSED
    assert "there is no world 'hose'. Did you mean 'house'?" in capsys.readouterr().err


def test_run_with_a_preset_that_does_not_fit_its_world_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["run", "--preset", "react", "--task", "find a mug"]) == cli.EXIT_REFUSED
    assert (
        "not for worlds that offer a camera; there are: full, no_critic, no_priors, stma, stma_no_critic"
        in capsys.readouterr().err
    )
