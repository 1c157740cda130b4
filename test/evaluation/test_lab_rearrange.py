"""Rearrange episodes as tasks to move objects: task text, left-out episodes and score."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.language import HouseholdLanguage
from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.evaluation.habitat_lab import rearrange as lab_rearrange
from stma_ros.evaluation.habitat_lab import suite as habitat_lab
from stma_ros.evaluation.habitat_lab.rearrange import (
    AT_GOAL,
    DISTANCE_LEFT,
    RIGHT_PLACE,
    LabRearrangement,
    PhrasableEpisode,
    PlacementGoal,
    WantedThing,
    rearrange,
    why_not_phrasable,
)
from stma_ros.evaluation.habitat_lab.settings import HabitatLabSettings
from stma_ros.evaluation.habitat_lab.suite import HabitatLab
from stma_ros.evaluation.metrics import GOAL_CONDITION_RECALL
from stma_ros.evaluation.suite import Failure
from stma_ros.types import topics
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.common import Error
from stma_ros.types.errors import ConfigurationError, ErrorCode
from stma_ros.types.planning import TaskResult, TaskStatus
from stma_ros.types.standard import Point, Vector3
from stma_ros.types.truth import GroundTruth, GroundTruthObject
from stma_ros.worlds.habitat.lab.episodes import RearrangeEpisode, RearrangeSet, Target
from stma_ros.worlds.habitat.lab.rearranged import StagedEpisodes, StagedScene
from stma_ros.worlds.robot.map_frame import MapFrame

read_goals = HouseholdLanguage(household_categories()).goals

SETTINGS = HabitatLabSettings(episodes="easy.json.gz")
DONE = TaskResult(status=TaskStatus.SUCCEEDED)
CANS = PlacementGoal("can", "table", "shelf")


def wanted(thing: str, *way: float, goal: str = "shelf_a", wish: PlacementGoal = CANS) -> WantedThing:
    return WantedThing(thing, goal, np.array(way or (4.0, 0.0, 0.5)), wish)


def episode(*things: WantedThing, number: int = 7) -> LabRearrangement:
    return rearrange(0, PhrasableEpisode(number, "easy_00007", things or (wanted("can_1"),)), SETTINGS)


def thing(
    name: str, category: str, at: tuple[float, float, float], on: str = "", *, inside: bool = False
) -> GroundTruthObject:
    return GroundTruthObject(
        name=name,
        category=category,
        box=BoundingBox3D.aligned(Point(*at), Vector3(0.1, 0.1, 0.1)),
        support=on,
        inside=inside,
    )


FIXED = (
    thing("table", "table", (0.0, 0.0, 0.4)),
    thing("counter", "counter", (0.0, 5.0, 0.4)),
    thing("shelf_a", "shelf", (4.0, 0.0, 0.6)),
    thing("shelf_b", "shelf", (4.0, 5.0, 0.6)),
)
BEFORE = (
    thing("can_1", "can", (0.0, 0.0, 0.8), "table"),
    thing("can_2", "can", (0.3, 0.0, 0.8), "table"),
    thing("can_3", "can", (0.0, 5.0, 0.8), "counter"),
)


def witnessed(*after: GroundTruthObject, before: tuple[GroundTruthObject, ...] = BEFORE) -> EpisodeTrace:
    """Returns a trace in which the given objects were moved and all others stayed."""
    witness = EpisodeTrace()
    moved = {each.name: each for each in after}
    for things in (before, [moved.get(each.name, each) for each in before]):
        witness(topics.GROUND_TRUTH, GroundTruth(objects=(*FIXED, *things)))
    return witness


def on_shelf(
    name: str, shelf: str = "shelf_a", *, off: float = 0.0, inside: bool = False
) -> GroundTruthObject:
    y = 0.0 if shelf == "shelf_a" else 5.0
    return thing(name, "can", (4.0 + off, y, 1.3), shelf, inside=inside)


def test_an_object_at_its_goal_position_scores_full_marks() -> None:
    score = episode().score(DONE, witnessed(on_shelf("can_1")))
    assert score.success
    assert score.measures == pytest.approx(
        {GOAL_CONDITION_RECALL: 100.0, RIGHT_PLACE: 100.0, AT_GOAL: 100.0, DISTANCE_LEFT: 0.0}
    )


def test_an_object_on_the_right_furniture_succeeds_and_its_distance_to_the_goal_is_measured() -> None:
    score = episode().score(DONE, witnessed(on_shelf("can_1", off=0.2, inside=True)))
    assert score.success
    assert (score.measures[RIGHT_PLACE], score.measures[AT_GOAL]) == (100.0, 0.0)
    assert score.measures[DISTANCE_LEFT] == pytest.approx(0.2)


def test_the_distance_to_an_exact_goal_does_not_depend_on_the_map_frame() -> None:
    frame, trace = MapFrame.of(0.7, 2.0, -3.0), witnessed(on_shelf("can_1", off=0.2))
    turned = EpisodeTrace(frame.settings)
    for truth in trace.truths:
        turned(topics.GROUND_TRUTH, frame.truth(truth))
    assert episode().score(DONE, turned).measures == pytest.approx(episode().score(DONE, trace).measures)


def test_every_object_and_furniture_that_the_task_text_describes_succeeds() -> None:
    shelf = episode().score(DONE, witnessed(on_shelf("can_1", "shelf_b")))
    can = episode().score(DONE, witnessed(on_shelf("can_2")))
    assert shelf.success
    assert can.success
    assert (shelf.measures[RIGHT_PLACE], can.measures[RIGHT_PLACE]) == (0.0, 0.0)


def test_an_object_from_another_start_than_the_described_one_is_wrong() -> None:
    score = episode().score(DONE, witnessed(on_shelf("can_3")))
    assert score.failure is Failure.WRONG_OBJECT
    assert "instead: can_3" in score.detail


def test_every_object_of_the_category_succeeds_when_the_task_names_no_start() -> None:
    anywhere = wanted("can_1", wish=replace(CANS, start=""))
    assert episode(anywhere).score(DONE, witnessed(on_shelf("can_3"))).success


def test_an_object_at_the_goal_from_the_start_does_not_count() -> None:
    anywhere = episode(wanted("can_1", wish=replace(CANS, start="")))
    before = (*BEFORE, on_shelf("can_4", "shelf_b"))
    assert anywhere.score(DONE, witnessed(before=before)).failure is Failure.NOT_DONE
    assert anywhere.score(DONE, witnessed(on_shelf("can_3"), before=before)).success
    tray = thing("table", "table", (4.0, 0.0, 1.25), "shelf_a")  # its support stands at the goal
    score = episode().score(DONE, witnessed(before=(tray, *BEFORE)))
    assert (score.failure, score.detail) == (
        Failure.NOT_DONE,
        "nothing was left to do: the words held from the start",
    )


@pytest.mark.parametrize(
    ("result", "failure"),
    [
        (DONE, Failure.NOT_DONE),
        (
            TaskResult(status=TaskStatus.FAILED, error=Error(ErrorCode.TARGET_NOT_FOUND, "")),
            Failure.NOT_FOUND,
        ),
    ],
)
def test_an_episode_without_any_move_fails(result: TaskResult, failure: Failure) -> None:
    score = episode().score(result, witnessed())
    assert score.failure is failure
    assert score.measures[DISTANCE_LEFT] == pytest.approx(np.hypot(4.0, 0.5))


def test_objects_of_one_category_are_counted_one_by_one() -> None:
    both = episode(wanted("can_1"), wanted("can_2", 4.0, 0.0, 0.5))
    assert both.text == "Move two cans from the table to the shelf."
    assert (both.group, both.max_commands) == ("2 things", 120)
    score = both.score(DONE, witnessed(on_shelf("can_2", off=0.3)))
    assert score.failure is Failure.NOT_DONE
    assert (score.measures[GOAL_CONDITION_RECALL], score.measures[AT_GOAL]) == (50.0, 50.0)


def test_an_object_unknown_to_the_world_fails_without_a_distance() -> None:
    score = episode(wanted("can_9")).score(DONE, witnessed())
    assert not score.success
    assert DISTANCE_LEFT not in score.measures
    assert score.measures[AT_GOAL] == 0.0


def test_the_scene_and_seed_of_a_rearrange_episode_follow_from_its_number() -> None:
    assert (episode().seed, episode().scene, episode().group) == (7, "easy_00007", "1 thing")


@pytest.mark.parametrize(
    ("wish", "count", "said"),
    [
        (
            PlacementGoal("cracker box", "counter", "table"),
            1,
            "Move the cracker box from the counter to the table.",
        ),
        (PlacementGoal("potted meat can", "", "tv stand"), 1, "Move the potted meat can to the tv stand."),
        (
            PlacementGoal("bowl", "chest of drawers", "sink"),
            3,
            "Move three bowls from the chest of drawers to the sink.",
        ),
        (PlacementGoal("cup", "sink", "chest of drawers"), 1, "Move the cup from the sink to the chest of drawers."),
    ],
)  # fmt: skip
def test_rearrange_task_texts_are_understood_by_the_task_parser(
    wish: PlacementGoal, count: int, said: str
) -> None:
    assert wish.said(count) == said
    assert len(read_goals(said)) == 1


def staged(**categories: str) -> StagedScene:
    starts = {name: np.zeros(3) for name in ("can_:0000", "can_:0001")}
    names = {
        **dict.fromkeys(starts, "can"),
        "table_:0000": "table",
        "shelf_:0000": "shelf",
        "sofa_:0000": "sofa",
        **categories,
    }
    return StagedScene("easy_00000", names, (target(),), starts)


def target(thing: str = "can_:0000", start: str = "table_:0000", goal: str = "shelf_:0000") -> Target:
    return Target(thing, start, goal, np.eye(4))


RAW = RearrangeEpisode("0", "s", "d", (), (), {}, (target(),))


@pytest.mark.parametrize(
    ("targets", "scene", "why"),
    [
        ([target()], staged(), ""),
        ([target(start="")], staged(), ""),
        ([target(goal="")], staged(), "what that which can_:0000 is to lie on is called"),
        ([target(goal="shelf_:0007")], staged(), "what shelf_:0007 is called"),
        ([target()], staged(**{"can_:0000": ""}), "what can_:0000 is called"),
        ([target(goal="table_:0000")], staged(), "can_:0000 is to go from one table to another"),
        ([target(), target("can_:0001")], staged(), ""),
        ([target(), target("can_:0001", start="sofa_:0000")], staged(), ""),
        ([target(), target("can_:0001", goal="sofa_:0000")], staged(), 'to the sofa." may mean the same can'),
        ([target(), target("can_:0001", start="")], staged(), '"Move the can to the shelf." may mean the same can'),
    ],
)  # fmt: skip
def test_an_episode_without_words_for_its_objects_is_left_out_with_the_reason(
    targets: list[Target], scene: StagedScene, why: str
) -> None:
    said = why_not_phrasable(replace(scene, targets=tuple(targets)))
    assert why in said
    assert bool(why) == bool(said)


def test_an_episode_with_more_objects_than_number_words_is_left_out() -> None:
    assert "no word for 7 things" in why_not_phrasable(replace(staged(), targets=(target(),) * 7))


@pytest.fixture
def suite(monkeypatch: pytest.MonkeyPatch) -> HabitatLab:
    """Returns a suite of four episodes; the second cannot be phrased, the fourth has no scene."""
    scenes = (
        staged(),
        staged(**{"can_:0000": ""}),
        replace(staged(), name="easy_00002"),
        "episode 3 is about 'mug_:0000', which is not in its scene",
    )
    episodes = RearrangeSet((RAW,) * len(scenes))
    monkeypatch.setattr(habitat_lab, "read_episodes", lambda path, python: episodes)
    monkeypatch.setattr(habitat_lab, "dataset_file", lambda episode, folder: "home.json")
    made = StagedEpisodes(Path("staged.json"), scenes)
    monkeypatch.setattr(lab_rearrange, "stage_episodes", lambda *arguments: made)
    return HabitatLab(SETTINGS)


def test_rearrange_suite_has_the_phrasable_episodes_and_counts_the_others(suite: HabitatLab) -> None:
    assert suite.defaults.episodes == 2
    assert suite.settings["left_out"] == 2
    assert [suite.episode(None, k).scene for k in range(2)] == ["easy_00000", "easy_00002"]
    assert [suite.episode(None, k).seed for k in range(2)] == [0, 2]
    assert suite.world_options == {"dataset": "staged.json"}
    assert RIGHT_PLACE in suite.columns


def test_rearrange_suite_without_phrasable_episodes_reports_the_first_reason(
    monkeypatch: pytest.MonkeyPatch, suite: HabitatLab
) -> None:
    made = StagedEpisodes(Path("staged.json"), (staged(**{"can_:0000": ""}),) * 4)
    monkeypatch.setattr(lab_rearrange, "stage_episodes", lambda *arguments: made)
    with pytest.raises(ConfigurationError, match=r"none .* can be phrased .* what can_:0000 is called"):
        suite.check(None, 1)


def test_rearrange_episodes_without_a_scene_data_set_are_refused(
    monkeypatch: pytest.MonkeyPatch, suite: HabitatLab
) -> None:
    monkeypatch.setattr(habitat_lab, "dataset_file", lambda episode, folder: "")
    with pytest.raises(ConfigurationError, match="name no scene data set"):
        suite.check(None, 1)


def test_a_pickled_rearrange_suite_leaves_its_episodes_out(suite: HabitatLab) -> None:
    suite.check(None, 2)
    assert len(pickle.dumps(suite)) < 1000
