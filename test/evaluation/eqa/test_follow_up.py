"""Second questions about a home: what they are about was seen, and their answers are those of the changed home."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.evaluation.eqa import again
from stma_ros.evaluation.eqa.again import EqaAgainEpisode
from stma_ros.evaluation.eqa.generation.follow_up import FollowUp, Subject, follow_up
from stma_ros.evaluation.eqa.generation.home import QuestionHome
from stma_ros.evaluation.eqa.generation.oracle import Oracle
from stma_ros.evaluation.eqa.suite import robot_base
from stma_ros.evaluation.registry import make_suite
from stma_ros.types.errors import StmaError
from stma_ros.types.planning import Action, Evidence, SkillRequest, TaskResult, TaskStatus
from stma_ros.types.standard import Header, Time
from stma_ros.worlds.house.changes import Changes
from stma_ros.worlds.house.truth import truth_of
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.state import HAND, SceneState

SEED = 1001
BEFORE = QuestionHome(SEED)
ROOMS = [room.floor.centre for room in BEFORE.flat.layout.rooms]
"""Places in the middle of the rooms."""


def changed_home(count: int = 12) -> QuestionHome:
    start = Placement(*ROOMS[0], 0.0)
    state = Changes(0, 7).between_tasks(count, BEFORE.flat, BEFORE.state, start, frozenset())
    return QuestionHome(SEED, state)


def draw(
    subject: Subject, *, changed: bool = False, number: int = 0, places: list[tuple[float, float]] = ROOMS
) -> FollowUp | None:
    rng = np.random.default_rng(number)
    return follow_up(
        Oracle(BEFORE), BEFORE.state, changed_home(), np.array(places), subject, changed, rng, first=""
    )


def test_changed_home_has_its_things_where_they_are_now() -> None:
    now = changed_home()
    moved = [name for name, spot in now.state.spots.items() if spot != BEFORE.state.spots[name]]
    assert moved
    for name in moved:
        assert now.flat.items_by_name[name].spot == now.state.spots[name]
    assert changed_home(0).flat == BEFORE.flat


@pytest.mark.parametrize("subject", Subject)
def test_second_question_is_the_same_for_the_same_seed(subject: Subject) -> None:
    one = draw(subject)
    assert one == draw(subject)
    assert one is not None
    assert (one.subject, one.text[-1] in "?.") == (subject, True)


@pytest.mark.parametrize("subject", [Subject.PORTABLE, Subject.STATE])
def test_answer_is_that_of_the_changed_home(subject: Subject) -> None:
    for number in range(4):
        asked = draw(subject, changed=True, number=number)
        assert asked is not None
        assert asked.has_changed
    unchanged = draw(subject)
    assert unchanged is not None
    assert not unchanged.has_changed


def test_what_nobody_has_seen_is_not_asked() -> None:
    outside = [(ROOMS[0][0] + 100.0, ROOMS[0][1])]
    assert draw(Subject.LASTING, places=outside) is None


def test_lasting_questions_are_about_furniture() -> None:
    for number in range(6):
        asked = draw(Subject.LASTING, number=number)
        assert asked is not None
        assert not asked.has_changed


# -- the home as the robot left it


def _first_task(episode: EqaAgainEpisode, *states: SceneState) -> EpisodeTrace:
    home = QuestionHome(episode.first.flat_seed)
    base = Placement(*home.flat.layout.rooms[0].floor.centre, 0.0)
    trace = EpisodeTrace()
    trace.truths += [truth_of(home.flat, episode.scene, base, state, Time()) for state in states]
    return trace


def test_changes_go_on_from_what_the_robot_opened_and_leave_it_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    episode = make_suite("eqa_again", {}).episode(1000, 1)
    assert isinstance(episode, EqaAgainEpisode)
    home = QuestionHome(episode.first.flat_seed)
    closed = sorted(home.flat.openable_names - home.state.open_names)
    assert len(closed) >= 3
    left = home.state.opened(*closed[:2])
    asked: list[tuple[SceneState, SceneState]] = []

    def noted(before: Oracle, state: SceneState, now: QuestionHome, *_: object, **__: object) -> FollowUp:
        asked.append((state, now.state))
        return FollowUp("Where is it?", Subject.PORTABLE, ("there",), has_changed=True)

    monkeypatch.setattr(again, "follow_up", noted)
    ajar = left.opened(closed[2])
    trace = _first_task(episode, home.state, home.state.opened(closed[0]), ajar, left)
    episode.follow(trace)
    base = robot_base(trace.truths[-1], trace.map_frame)
    handled = frozenset(closed[:3])
    assert asked == [(left, Changes(0, episode.seed).between_tasks(12, home.flat, left, base, handled))]


def test_home_in_which_the_robot_moved_a_thing_gets_no_second_question() -> None:
    episode = make_suite("eqa_again", {}).episode(1000, 1)
    assert isinstance(episode, EqaAgainEpisode)
    state = QuestionHome(episode.first.flat_seed).state
    name = next(iter(state.spots))
    trace = _first_task(episode, state, state.moved(name, HAND))
    with pytest.raises(StmaError, match=f"the robot moved {name}"):
        episode.follow(trace)


# -- the score

EPISODE = replace(
    make_suite("eqa_again", {}).episode(1000, 0),
    second=FollowUp("Is there a sofa?", Subject.LASTING, ("yes",), has_changed=False),
)


def result(text: str, commands: int, taken: int = 0) -> TaskResult:
    evidence = Evidence(snapshot="snapshot_1", stamp=Time(taken))
    header = Header(Time(100))
    return TaskResult(
        header=header, status=TaskStatus.SUCCEEDED, text=text, commands=commands, evidence=(evidence,)
    )


def sent_back() -> EpisodeTrace:
    trace = EpisodeTrace()
    request = SkillRequest(header=Header(Time(50)), action=Action("explore", ("snapshot_20000000000",)))
    trace("skill_request", request)
    return trace


def test_question_about_what_lasts_is_to_be_answered_without_a_step_and_rightly() -> None:
    assert isinstance(EPISODE, EqaAgainEpisode)
    scores = [
        EPISODE.score(result(text, commands), EpisodeTrace()).measures
        for text, commands in (("yes", 0), ("yes", 1), ("no", 0))
    ]
    assert [measures[again.AT_ONCE] for measures in scores] == [100.0, 0.0, 100.0]
    assert [measures.get(again.RIGHT_AT_ONCE) for measures in scores] == [100.0, None, 0.0]
    measures = EPISODE.score(result("yes", 0, taken=40), EpisodeTrace()).measures
    assert measures[again.EVIDENCE_AGE] == 60.0
    assert again.RIGHT_AGAIN not in measures


def test_question_about_what_can_move_tells_whether_it_was_looked_at_again_and_how_old_it_was() -> None:
    second = FollowUp("Where is the mug?", Subject.PORTABLE, ("on the table",), has_changed=True)
    measures = replace(EPISODE, second=second).score(result("on the table", 1), sent_back()).measures
    assert math.isclose(measures[again.SEEN_BEFORE], 30.0)
    assert (measures[again.LOOKED_AGAIN], measures[again.CHANGED]) == (100.0, 100.0)
    assert (measures[again.RIGHT_AGAIN], measures[again.RIGHT_CHANGED]) == (100.0, 100.0)
    assert again.AT_ONCE not in measures


def test_subjects_take_turns_and_the_first_question_is_that_of_the_suite_eqa() -> None:
    suite = make_suite("eqa_again", {"changes": "5"})
    episodes = [suite.episode(1000, index) for index in range(4)]
    assert [episode.group for episode in episodes] == ["lasting", "portable", "lasting", "state"]
    eqa = make_suite("eqa", {}).episode(1000, 0)
    assert isinstance(episodes[0], EqaAgainEpisode)
    assert (episodes[0].first_text, episodes[0].scene) == (eqa.text, eqa.scene)
    assert suite.world_options["changes_between"] == 5
