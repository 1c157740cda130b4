"""A text game with models over HTTP in every role.

It is played over DDS as by rules in one process, and its recording reproduces the game without a server.
"""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from stma_ros.apps.session.local import open_local
from stma_ros.apps.session.ros import RosSession
from stma_ros.apps.session.session import LOCAL, ROS, Session, SessionSpec
from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.evaluation.registry import make_suite
from stma_ros.evaluation.suite import Episode
from stma_ros.roles.critic import CRITIC
from stma_ros.roles.planner import PLANNER
from stma_ros.roles.relation_aggregator import RELATION_AGGREGATOR
from stma_ros.roles.relation_retriever import RELATION_RETRIEVER
from stma_ros.roles.summariser import SUMMARISER
from stma_ros.storage.decision_log import DecisionLog
from stma_ros.storage.run_folder import RunFolder
from stma_ros.testing.model_server.server import serving
from stma_ros.types.telemetry import REPLIES_FILE

pytestmark = pytest.mark.slow

SEED = 1000
ASKED = {SUMMARISER.name, RELATION_RETRIEVER.name, RELATION_AGGREGATOR.name, PLANNER.name, CRITIC.name}
"""The roles of this agent, which has one trial, no camera, and a task that needs no parser."""


def spec(runtime: str, model: str = "rules") -> SessionSpec:
    """Returns the session with models that answer, or with rules only."""
    lexical = {
        "spatial_memory": {"embedder": "lexical"}
    }  # the test compares the answers, so torch need not be loaded
    models = {"default": model, "on_failure": "fail"}
    return SessionSpec(runtime, overrides=lexical, world="textworld", models=models)


def played(session: Session, episode: Episode) -> tuple[DecisionLog, EpisodeTrace]:
    log, witness = DecisionLog(), EpisodeTrace()
    session.start_episode(episode.scene, episode.seed, (log, witness))
    result = session.run_task(episode.text, episode.max_commands)
    assert episode.score(result, witness).success, result.text  # a game that ends early would show little
    return log, witness


def played_here(model: str, folder: Path, episode: Episode) -> tuple[DecisionLog, EpisodeTrace]:
    with open_local(spec(LOCAL, model), RunFolder.create(folder), record=False) as session:
        return played(session, episode)


def test_models_over_http_decide_as_the_rules_and_their_recorded_replies_reproduce_the_run(
    tmp_path: Path,
) -> None:
    folder = RunFolder.create(tmp_path / "asked")
    episode = make_suite("cooking", {"level": "2"}).episode(SEED, 0)
    with (
        serving() as server,
        closing(RosSession(spec(ROS, f"openai:rules@{server.url}"), folder, record=False)) as session,
    ):
        log, witness = played(session, episode)
    by_rules, _ = played_here("rules", tmp_path / "rules", episode)
    again, repeated = played_here(f"recorded:{folder.path}", tmp_path / "again", episode)

    assert by_rules.first_difference(log) == ""
    assert log.first_difference(again) == ""

    # The run does not wait for questions about the step that wins the game.
    last = max(record["step"] or 0 for record in log.records)
    calls = [call for call in witness.model_calls if call.step < last]
    assert not [call.error.text for call in calls if call.error]
    assert {(call.role, call.model) for call in calls} == {(role, f"rules at {server.url}") for role in ASKED}
    lines = [json.loads(line) for line in (folder.path / REPLIES_FILE).read_text().splitlines()]
    assert {line["role"] for line in lines} == ASKED
    assert {call.request for call in calls} <= {line["request"] for line in lines}
    assert {call.role for call in repeated.model_calls} == ASKED
