"""A text game is played over DDS as in one process, however late and out of order messages arrive.

With the sentence encoder and without delays, games are compared by
`stma bench cooking --set level=2 --episodes 1 --seed N --out A`, the same with `--runtime ros --out B`, and
`diff -r A/full B/full`.
"""

from __future__ import annotations

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
from stma_ros.storage.decision_log import DecisionLog
from stma_ros.storage.run_folder import RunFolder

pytestmark = pytest.mark.slow

SEED = 1000
LONGEST_DELAY = 0.05  # [s]; many times what a step takes


def spec(runtime: str) -> SessionSpec:
    lexical = {
        "spatial_memory": {"embedder": "lexical"}
    }  # the test compares the wiring, so torch need not be loaded
    return SessionSpec(runtime, overrides=lexical, world="textworld")


def played(session: Session, episode: Episode) -> tuple[DecisionLog, EpisodeTrace]:
    log, witness = DecisionLog(), EpisodeTrace()
    session.start_episode(episode.scene, episode.seed, (log, witness))
    result = session.run_task(episode.text, episode.max_commands)
    assert episode.score(result, witness).success, result.text  # a game that ends early would show little
    return log, witness


def contexts(witness: EpisodeTrace) -> list[tuple[str, int, int]]:
    """Returns the context tokens of the roles that are asked one after the other."""
    return [
        (c.role, c.step, c.context_tokens) for c in witness.calls if c.role in (PLANNER.name, CRITIC.name)
    ]


def test_decisions_and_points_of_a_game_do_not_depend_on_the_runtime(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path)
    episode = make_suite("cooking", {"level": "2"}).episode(SEED, 0)
    delays = {"delivery_delay": LONGEST_DELAY, "delivery_seed": 1}
    with (
        open_local(spec(LOCAL), folder, record=False) as local,
        closing(RosSession(spec(ROS), folder, record=False, host_settings=delays)) as ros,
    ):
        log, witness = played(local, episode)
        other_log, other_witness = played(ros, episode)

    assert log.first_difference(other_log) == ""
    assert [truth.score for truth in witness.truths] == [truth.score for truth in other_witness.truths]
    assert contexts(witness) == contexts(other_witness)
