"""The suite of prompt lengths: measured prompts, growth that fails, and a short game from the command line."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("textworld", reason="text games need TextWorld: pip install 'stma_ros[cooking]'")

from stma_ros.apps import cli
from stma_ros.evaluation import prompts
from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.evaluation.prompts import (
    GROWTH,
    LONGEST,
    Prompts,
    PromptsEpisode,
    PromptsSettings,
    lengths_by_role,
)
from stma_ros.evaluation.registry import make_suite
from stma_ros.evaluation.suite import Failure, Score
from stma_ros.types import topics
from stma_ros.types.common import Error
from stma_ros.types.errors import ConfigurationError, ErrorCode
from stma_ros.types.planning import TaskResult, TaskStatus
from stma_ros.types.stepped import StepStamp
from stma_ros.types.telemetry import RoleCall

pytestmark = pytest.mark.filterwarnings(
    "ignore:Game .* is not fully supported"
)  # of TextWorld's own interpreter

TUNING_SEED = 1000
EPISODE = PromptsEpisode(0, "home_30", 1, max_commands=200, growth=1.2, cap=4000)
SPENT = TaskResult(status=TaskStatus.FAILED, error=Error(ErrorCode.OUT_OF_COMMANDS, "spent"), commands=200)


def witness_of(**lengths: Callable[[int], float]) -> EpisodeTrace:
    """Returns a trace in which each role was asked at every step, with prompts of the given lengths."""
    witness = EpisodeTrace()
    for step in range(EPISODE.max_commands + 1):
        for role, length in lengths.items():
            witness(
                topics.ROLE_CALLS,
                RoleCall(at=StepStamp(step=step), role=role, context_tokens=round(length(step))),
            )
    return witness


def score(**lengths: Callable[[int], float]) -> Score:
    return EPISODE.score(SPENT, witness_of(**lengths))


def test_prompts_of_constant_length_pass_the_suite() -> None:
    found = score(planner=lambda step: min(30 * step, 2000), critic=lambda step: 1500)
    assert found.failure is Failure.NONE
    assert found.measures["context_planner_100"] == found.measures["context_planner_200"] == 2000
    assert found.measures[GROWTH] == 1.0
    assert found.measures[LONGEST] == 2000
    assert found.series["context_critic"] == (1500.0,) * 200


def test_prompts_that_grow_with_the_history_fail_the_suite() -> None:
    found = score(planner=lambda step: 15 * step)
    assert found.failure is Failure.PROMPT_GREW
    assert found.measures["context_growth_planner"] == pytest.approx(2, abs=0.1)


def test_a_single_growing_role_fails_the_suite() -> None:
    found = score(planner=lambda step: 1000, critic=lambda step: 5 * step)
    assert found.failure is Failure.PROMPT_GREW
    assert found.measures["context_growth_planner"] == 1.0
    assert found.measures[GROWTH] == found.measures["context_growth_critic"]


@pytest.mark.parametrize(("growth", "failure"), [(1.19, Failure.NONE), (1.21, Failure.PROMPT_GREW)])
def test_prompt_growth_fails_the_suite_beyond_its_limit(growth: float, failure: Failure) -> None:
    assert score(planner=lambda step: 1000 if step <= 150 else 1000 * growth).failure is failure


def test_a_single_too_long_prompt_fails_the_suite() -> None:
    assert score(planner=lambda step: 4001 if step == 50 else 100).failure is Failure.PROMPT_TOO_LONG
    assert score(planner=lambda step: 4000 if step == 50 else 100).failure is Failure.NONE


def test_a_single_long_prompt_at_the_last_step_does_not_count_as_growth() -> None:
    assert score(planner=lambda step: 2000 if step == 200 else 1000).failure is Failure.NONE


def test_an_agent_that_gives_up_early_fails_the_prompts_suite() -> None:
    gave_up = TaskResult(status=TaskStatus.FAILED, error=Error(ErrorCode.IMPOSSIBLE, "enough"), commands=90)
    found = EPISODE.score(gave_up, witness_of(planner=lambda step: 100))
    assert found.failure is Failure.GAVE_UP
    assert not found.measures


def test_roles_without_a_prompt_have_no_measure() -> None:
    assert not [key for key in score(planner=lambda step: 10).measures if "critic" in key]


CALLS = st.lists(
    st.builds(
        RoleCall,
        at=st.builds(StepStamp, step=st.integers(0, 30)),
        role=st.sampled_from(["planner", "critic"]),
        context_tokens=st.integers(0, 9),
    )
)


@given(CALLS)
def test_the_longest_prompt_of_a_step_counts_until_the_next_step(calls: list[RoleCall]) -> None:
    lengths = lengths_by_role(calls, 20)
    assert set(lengths) == {call.role for call in calls}
    for role, values in lengths.items():
        assert len(values) == 20
        asked = {call.step for call in calls if call.role == role}
        for step, value in enumerate(values, start=1):
            before = [other for other in asked if other <= step]
            at = max(before) if before else min(asked)
            assert value == max(c.context_tokens for c in calls if (c.role, c.step) == (role, at))


# -- the suite


@pytest.fixture
def unmade(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replaces the generation of games."""
    monkeypatch.setattr(prompts, "game_file", lambda scene, seed, folder: Path(f"{scene}-{seed}.z8"))


def test_each_episode_of_the_prompts_suite_has_a_home_of_its_own(unmade: None) -> None:
    suite = Prompts(PromptsSettings(rooms=12, budget=100))
    episodes = [suite.episode(seed, index) for seed in (TUNING_SEED, TUNING_SEED + 1) for index in range(100)]
    assert len({episode.seed for episode in episodes}) == 200
    assert {(e.scene, e.group, e.max_commands) for e in episodes} == {("home_12", "endless", 100)}
    assert "context_planner_50" in suite.columns
    assert pickle.loads(pickle.dumps(suite)).episode(TUNING_SEED, 0) == episodes[0]


@pytest.mark.parametrize(
    ("seed", "index", "message"),
    [
        (None, 0, "from 0 to 9999999, got None"),
        (-1, 0, "from 0 to 9999999, got -1"),
        (TUNING_SEED, 100, "100 games; take another seed"),
    ],
)
def test_prompts_suite_refuses_homes_out_of_range(seed: int | None, index: int, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        Prompts().check(seed, index + 1)
    with pytest.raises(ConfigurationError, match=message):
        Prompts().episode(seed, index)


def test_prompts_suite_refuses_bad_settings_by_name() -> None:
    with pytest.raises(ConfigurationError, match=r"prompts\.rooms must be from 2 to 36"):
        make_suite("prompts", {"rooms": "100"})


def test_bench_command_shows_that_prompts_of_react_grow_and_those_of_stma_do_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["bench", "prompts", "--episodes", "1", "--seed", str(TUNING_SEED)]
    arguments += ["--preset", "stma", "--preset", "react", "--set", "rooms=6", "--set", "budget=80"]
    arguments += ["--set", "spatial_memory.embedder=lexical", "--json", str(tmp_path / "result.json")]
    assert cli.main([*arguments, "--out", str(tmp_path / "bench")]) == 0
    assert "growth" in capsys.readouterr().out
    result = json.loads((tmp_path / "result.json").read_text())
    stma, react = result["episodes"]
    assert (stma["success"], stma["steps"], react["steps"]) == (True, 80, 80)
    assert react["failure"] in ("prompt grew", "prompt too long")
    assert stma[GROWTH] <= 1.2 < 1.7 < react[GROWTH]
    assert len(stma["context_planner"]) == len(react["context_planner"]) == 80
    assert "context_critic" not in react
