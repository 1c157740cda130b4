"""An activity that is told in text, with every role of MCoT-Memory prompted over HTTP: decisions and experiences are
those of the rules, and the run repeats from its record."""

from __future__ import annotations

from pathlib import Path

import pytest

from stma_ros.apps import cli
from stma_ros.library.experience_memory import ExperienceMemory
from stma_ros.testing.model_server.server import serving
from stma_ros.worlds.programs.execution import Home
from stma_ros.worlds.programs.program import read_program
from support.people_programs import MILK_TO_THE_TABLE, document_of, home_graph, write_activity

ROLES = ("summariser", "relation_retriever", "relation_aggregator", "thinker", "judge")


def _run(out: Path, activities: Path, model: str = "") -> tuple[bytes, list[tuple[str, float]]]:
    """Runs the activity with a model (empty = rules) for all roles.

    Returns:
        The decisions, and text and score of what was kept.
    """
    store = out.with_suffix(".db")
    settings = [f"folder={activities}", f"experience_memory.store={store}"]
    if model:
        settings += ["model.on_failure=fail", *(f"model.{role}={model}" for role in ROLES)]
    options = [option for each in settings for option in ("--set", each)]
    command = ["bench", "programs", "--preset", "mcot_memory", "--episodes", "1"]
    assert cli.main([*command, *options, "--out", str(out)]) == 0
    (decisions,) = out.rglob("decisions.jsonl")
    with ExperienceMemory(store) as memory:
        return decisions.read_bytes(), [(each.task, each.score) for each in memory]


def test_prompted_agent_decides_and_keeps_what_the_rules_do_and_repeats_from_its_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = Home(home_graph())
    for step in read_program(MILK_TO_THE_TABLE).steps:
        home.do(step.action, step.arguments)
    activities = tmp_path / "activities"
    write_activity(activities, "breakfast", MILK_TO_THE_TABLE, document_of(home.graph))

    by_rules = _run(tmp_path / "rules", activities)
    assert len(by_rules[1]) == 1
    with serving() as server:
        assert _run(tmp_path / "prompted", activities, f"openai:rules@{server.url}") == by_rules
        assert server.requests > 10
    assert _run(tmp_path / "again", activities, f"recorded:{tmp_path / 'prompted'}") == by_rules
