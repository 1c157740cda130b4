"""Tests of runs whose roles are answered by models: recorded replies repeat a run, and misbehaving models cause no
disallowed action."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from stma_ros.agents.configured_agent import configure_agent
from stma_ros.apps.session.local import LocalSession
from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.models.model_pool import ModelPool
from stma_ros.roles.critic import CRITIC
from stma_ros.roles.planner import PLANNER
from stma_ros.roles.registry import RoleModelConfig
from stma_ros.roles.relation_aggregator import RELATION_AGGREGATOR
from stma_ros.roles.relation_retriever import RELATION_RETRIEVER
from stma_ros.roles.summariser import SUMMARISER
from stma_ros.storage.decision_log import DecisionLog
from stma_ros.storage.run_folder import RunFolder
from stma_ros.testing.model_server.misbehaviour import Misbehaviour, MisbehaviourKind
from stma_ros.testing.model_server.server import ServerOptions, serving
from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.component import CancelToken, Emission
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import (
    ArgumentKind,
    Outcome,
    Result,
    SkillRequest,
    SkillSchema,
    TaskResult,
    TaskStatus,
)
from stma_ros.types.sensing import EpisodeState, Observation
from stma_ros.types.standard import Header, Time
from stma_ros.types.telemetry import REPLIES_FILE
from stma_ros.worlds.registry import world_entry
from support.roles.scripted_text_home import TextHome, small_home
from support.roles.text_player import TASK

ASKED = {SUMMARISER.name, RELATION_RETRIEVER.name, RELATION_AGGREGATOR.name, PLANNER.name, CRITIC.name}
"""The roles of this run, which has no retries, no camera, and a task that rules can read."""

BUDGET = 40  # commands
OFTEN = 0.3
SHORT, LONG = 0.2, 0.5  # the deadline of a call, and the delay of a slow answer [s]


def home() -> TextHome:
    return small_home(ingredients=("ham",), directions=("fry the ham",))


def ending(home: TextHome) -> EpisodeState:
    if home.won:
        return EpisodeState.WON
    return EpisodeState.LOST if home.lost else EpisodeState.RUNNING


class HomeWorld:
    """A World of a scripted text home."""

    skills = (SkillSchema(name=words.SKILL_COMMAND, arguments=(ArgumentKind.COMMAND,)),)

    def __init__(self) -> None:
        self._home = home()

    def reset(self, scene: str, seed: int) -> str:
        self._home = home()
        return scene

    def execute(self, request: SkillRequest, cancel: CancelToken) -> Iterator[Emission]:
        header = Header(Time(1 + request.step))
        is_command = request.action.skill == words.SKILL_COMMAND
        feedback = self._home.do(request.action.arguments[0]) if is_command else ""
        outcome = Outcome(
            header=header,
            request_id=request.request_id,
            task_id=request.task_id,
            step=request.step,
            action=request.action,
            result=Result.SUCCEEDED,
        )
        yield (
            topics.OBSERVATION,
            Observation(
                header=header,
                task_id=request.task_id,
                step=request.step,
                last_outcome=outcome if is_command else Outcome(),
                feedback=feedback,
                description=self._home.description,
                inventory=self._home.inventory,
                admissible_commands=self._home.commands,
                episode=ending(self._home),
            ),
        )
        yield topics.OUTCOME, outcome

    def close(self) -> None:
        pass


def played(
    models: RoleModelConfig, folder: Path, task: str = TASK
) -> tuple[TaskResult, DecisionLog, EpisodeTrace]:
    game = world_entry("textworld").offer
    agent = configure_agent("full", {"spatial_memory": {"embedder": "lexical"}}, game, models)
    log, witness = DecisionLog(), EpisodeTrace()
    with closing(ModelPool(models)) as answering:
        session = LocalSession(HomeWorld(), agent, models=answering)
        with closing(session):
            session.start_episode("home", 0, (log, witness), RunFolder.create(folder))
            return session.run_task(task, BUDGET), log, witness


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, DecisionLog]:
    """Returns folder and decision log of a run with a model server that is closed by now."""
    folder = tmp_path_factory.mktemp("asked")
    with serving() as server:
        models = RoleModelConfig(default=f"openai:rules@{server.url}", on_failure="fail")
        result, log, witness = played(models, folder)
    assert result.status == TaskStatus.SUCCEEDED, result.text
    assert {call.role for call in witness.model_calls} == ASKED
    return folder, log


def test_run_with_the_stand_in_model_decides_like_the_rules(
    recorded: tuple[Path, DecisionLog], tmp_path: Path
) -> None:
    _, log, witness = played(RoleModelConfig(), tmp_path)

    assert log.first_difference(recorded[1]) == ""
    assert not witness.model_calls


def test_recorded_run_is_repeated_without_a_server(
    recorded: tuple[Path, DecisionLog], tmp_path: Path
) -> None:
    folder, log = recorded

    _, again, witness = played(RoleModelConfig(default=f"recorded:{folder}", on_failure="fail"), tmp_path)

    assert log.first_difference(again) == ""
    assert not [call.error.text for call in witness.model_calls if call.error]


def test_unrecorded_request_ends_the_task_with_the_nearest_recorded_one(
    recorded: tuple[Path, DecisionLog], tmp_path: Path
) -> None:
    models = RoleModelConfig(default=f"recorded:{recorded[0]}", on_failure="fail")
    other = TASK.replace("kitchen", "pantry")

    result, log, _ = played(models, tmp_path, other)

    assert (result.status, result.error.code) == (TaskStatus.ERROR, ErrorCode.MODEL_NOT_RECORDED)
    assert "this was never asked" in result.text
    assert f"-Task: {TASK}\n+Task: {other}\n" in result.text
    assert not outcomes(log)


@pytest.mark.parametrize(
    ("kind", "on_failure"),
    [*((kind, "rules") for kind in MisbehaviourKind), (MisbehaviourKind.DISALLOWED, "fail")],
)
def test_run_executes_only_allowed_actions_when_the_model_misbehaves(
    kind: MisbehaviourKind, on_failure: str, recorded: tuple[Path, DecisionLog], tmp_path: Path
) -> None:
    misbehaviour = Misbehaviour(**{kind.value: OFTEN}, seconds=LONG)
    deadline = SHORT if kind is MisbehaviourKind.SLOW else RoleModelConfig().deadline
    with serving(options=ServerOptions(misbehaviour=misbehaviour)) as server:
        model = f"openai:rules@{server.url}"
        models = RoleModelConfig(default=model, on_failure=on_failure, attempts=1, deadline=deadline)
        result, log, witness = played(models, tmp_path)

    assert replies_of(tmp_path) - replies_of(recorded[0])  # at least one reply is misbehaviour
    assert result.status in (TaskStatus.SUCCEEDED, TaskStatus.FAILED), result.text
    proposed = [proposal for proposal in witness.proposals if proposal.action in proposal.allowed_actions]
    assert outcomes(log) <= {(proposal.step + 1, str(proposal.action)) for proposal in proposed}
    assert len(outcomes(log)) == result.commands > 0


def outcomes(log: DecisionLog) -> set[tuple[int, str]]:
    """Returns the steps, except the first, with the commands that began them."""
    records = [record for record in log.records if record["kind"] == topics.OUTCOME]
    return {(record["step"], record["action"]) for record in records if record["step"]}


def replies_of(folder: Path) -> set[tuple[str, str]]:
    """Returns the keys of recorded requests with their replies, which are empty for failed calls."""
    lines = map(json.loads, (folder / REPLIES_FILE).read_text().splitlines())
    return {(line["request"], line.get("reply", {}).get("text", "")) for line in lines}
