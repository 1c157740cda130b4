"""Episodes of the rearrangement suite: shares of groups, seeds and ground truth."""

from __future__ import annotations

import pickle
import re
from dataclasses import replace
from typing import Any

import pytest

from stma_ros.evaluation import rearrangement
from stma_ros.evaluation.conditions import recall
from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.evaluation.household import HouseholdEpisode
from stma_ros.evaluation.household_tasks.find_tasks import FindTask, Presence
from stma_ros.evaluation.rearrangement import (
    FIND,
    FindEpisode,
    Rearrangement,
    RearrangementSettings,
    demo_episodes,
)
from stma_ros.evaluation.registry import make_suite
from stma_ros.types import topics
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.planning import SkillTarget, TaskResult, TaskStatus
from stma_ros.types.standard import Point, Pose
from stma_ros.worlds.house.config import HouseConfig
from stma_ros.worlds.house.furnishing.item_placement import make_flat
from stma_ros.worlds.house.house import House
from stma_ros.worlds.robot.scene import is_hidden
from support.worlds.map_frames import AT_HOME

TUNING_SEED = 1000
FINDS = RearrangementSettings(tasks=FIND)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Replaces the task generator, which renders; records the requested flats. Every fourth does not fit."""
    flats: list[int] = []

    def find_task(seed: int, presence: Presence, flat_seed: int) -> FindTask:
        flats.append(flat_seed)
        fitting = presence if flat_seed % 4 else Presence.ABSENT
        commands = {Presence.IN_VIEW: 1, Presence.IN_CONTAINER: 2, Presence.ABSENT: 0}[fitting]
        return FindTask(f"flat_{flat_seed}", seed, "find the mug", "mug", fitting, 0, 4, 5, commands)

    monkeypatch.setattr(rearrangement, "find_task", find_task)
    return flats


def test_every_five_find_episodes_have_the_same_shares_of_groups(drawn: list[int]) -> None:
    suite = Rearrangement(FINDS)
    groups = [suite.episode(TUNING_SEED, index).group for index in range(10)]
    for group, count in (("visible", 4), ("contained", 4), ("absent", 2)):
        assert groups.count(group) == count
        assert groups[:5].count(group) == count // 2


def test_different_seeds_and_episodes_use_different_flats(drawn: list[int]) -> None:
    suite = Rearrangement(FINDS)
    flats: dict[int, tuple[int, int]] = {}
    for seed in (0, 1, 99, 1000):
        for index in (0, 1, 2, 7_999):
            drawn.clear()
            suite.episode(seed, index)
            for flat in drawn:
                assert flats.setdefault(flat, (seed, index)) == (seed, index)


def test_the_budget_of_a_find_episode_comes_from_its_flat(drawn: list[int]) -> None:
    suite = Rearrangement(FINDS)
    budgets = {
        episode.group: episode for episode in (suite.episode(TUNING_SEED, index) for index in range(5))
    }
    assert (budgets["visible"].optimal_steps, budgets["visible"].max_commands) == (1, 3 + 14)
    assert (budgets["contained"].optimal_steps, budgets["contained"].max_commands) == (2, 6 + 14)
    assert (budgets["absent"].optimal_steps, budgets["absent"].max_commands) == (14, 14)


@pytest.mark.parametrize(("seed", "index"), [(-1, 0), (10**9, 0), (0, 8_000), (0, -1)])
def test_rearrangement_suite_refuses_seeds_and_indices_out_of_range(seed: int, index: int) -> None:
    with pytest.raises(ConfigurationError, match=r"from 0 to|another seed"):
        Rearrangement().episode(seed, index)


def test_a_find_episode_is_about_things_of_its_flat_and_reproducible() -> None:
    suite = make_suite("rearrangement", {"tasks": "find"})
    episode = suite.episode(TUNING_SEED, 0)
    assert isinstance(episode, FindEpisode)
    flat = make_flat(int(episode.scene.removeprefix("flat_")))
    assert episode.category in episode.text
    assert any(item.category == episode.category for item in flat.items)
    assert pickle.loads(pickle.dumps(suite)).episode(TUNING_SEED, 0) == episode


@pytest.mark.parametrize("options", [AT_HOME, {"map_yaw": 0.6, "map_offset": "2.5,-1"}])
def test_a_find_episode_is_scored_in_the_map_frame_of_its_world(options: dict[str, Any]) -> None:
    episode = Rearrangement(FINDS).episode(TUNING_SEED, 0)
    assert isinstance(episode, FindEpisode)
    house = House(HouseConfig(width=16, height=12, **options))
    house.reset(episode.scene, episode.seed)
    trace = EpisodeTrace()
    trace(topics.GROUND_TRUTH, house.truth())
    true = next(thing for thing in house.truth().objects if thing.category == episode.category)
    home = next(item.box for item in house.flat.items if item.name == true.name)
    for pose, right in ((true.box.center, True), (Pose(Point(*home.centre)), options is AT_HOME)):
        target = SkillTarget(id="it", category=episode.category, pose=pose, size=true.size)
        result = TaskResult(status=TaskStatus.SUCCEEDED, target=target)
        assert episode.score(result, trace).success is right


@pytest.fixture
def lengths(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int, int]]:
    """Replaces the task generator by one that finds no task in a flat; records the requested flats and lengths."""
    asked: list[tuple[int, int, int]] = []

    def household_task(seed: int, flat_seed: int, least: int, most: int, items_seed: int) -> None:
        assert (seed, items_seed) == (flat_seed, 0)
        asked.append((flat_seed, least, most))
        if len(asked) == 3:
            raise KeyboardInterrupt  # instead of the other 97 flats of the episode

    monkeypatch.setattr(rearrangement, "household_task", household_task)
    return asked


@pytest.mark.parametrize(
    ("index", "least", "most"), [(0, 1, 9), (1, 10, 20), (2, 21, 30), (3, 31, 50), (4, 1, 9)]
)
def test_household_episodes_alternate_between_the_length_classes(
    lengths: list[tuple[int, int, int]], index: int, least: int, most: int
) -> None:
    with pytest.raises(KeyboardInterrupt):
        Rearrangement().episode(TUNING_SEED, index)
    first = 1_001_000_000 + 100 * index
    assert lengths == [(first + k, least, most) for k in range(3)]


@pytest.fixture(scope="module")
def episodes() -> list[HouseholdEpisode]:
    made = [Rearrangement().episode(TUNING_SEED, index) for index in range(4)]
    return [episode for episode in made if isinstance(episode, HouseholdEpisode)]


def test_household_episodes_can_keep_to_one_length_class() -> None:
    suite = Rearrangement(RearrangementSettings(length=">30"))
    made = [suite.episode(TUNING_SEED, index) for index in range(3)]
    assert {each.group for each in made} == {">30"}
    assert len({each.seed for each in made}) == len(made)
    assert all(each.optimal_steps > 30 for each in made)


def test_household_episodes_have_the_length_and_the_budget_of_their_class(
    episodes: list[HouseholdEpisode],
) -> None:
    assert [episode.group for episode in episodes] == ["<10", "10-20", "20-30", ">30"]
    for episode, (least, most) in zip(episodes, ((1, 9), (10, 20), (21, 30), (31, 50)), strict=True):
        assert least <= episode.optimal_steps <= most
        flat = make_flat(episode.seed)
        closed = [piece for piece in flat.containers if piece.name not in flat.initial.open_names]
        inspection = len(flat.layout.rooms) + 2 * len(closed)
        assert episode.max_commands == 3 * episode.optimal_steps + inspection


def test_no_goal_condition_holds_at_the_start_of_an_episode(episodes: list[HouseholdEpisode]) -> None:
    house = House(HouseConfig(width=16, height=12))
    for episode in episodes:
        house.reset(episode.scene, episode.seed)
        assert recall(episode.conditions, house.truth()) == 0 or not episode.conditions
        assert episode.conditions or episode.sought


def test_a_rearrangement_episode_is_reproducible(episodes: list[HouseholdEpisode]) -> None:
    suite = pickle.loads(pickle.dumps(Rearrangement()))
    assert suite.episode(TUNING_SEED, 1) == episodes[1]
    assert pickle.loads(pickle.dumps(episodes[1])) == episodes[1]


def test_household_tasks_can_share_flats_with_the_small_things_placed_anew() -> None:
    scenes, texts = [], []
    for items in (1, 2):
        suite = Rearrangement(RearrangementSettings(flats=2, items=items, length="<10"))
        made = [suite.episode(TUNING_SEED, index) for index in range(3)]
        assert suite.episode(TUNING_SEED, 0) == made[0]
        scenes.append([each.scene for each in made])
        texts.append([each.text for each in made])
    first, second = 1_001_000_000, 1_001_000_100
    assert scenes[0] == [f"flat_{flat}_items_1" for flat in (first, second, first)]
    assert scenes[1] == [f"flat_{flat}_items_2" for flat in (first, second, first)]
    assert len({text for each in texts for text in each}) == 6


def test_a_task_is_the_same_in_any_wording(episodes: list[HouseholdEpisode]) -> None:
    plain, everyday = (
        Rearrangement(RearrangementSettings(phrasing=phrasing)).episode(TUNING_SEED, 1)
        for phrasing in ("plain", "everyday")
    )
    assert isinstance(plain, HouseholdEpisode)
    assert isinstance(everyday, HouseholdEpisode)
    assert plain.text != everyday.text
    assert (plain.phrasing, everyday.phrasing) == ("plain", "everyday")
    assert replace(plain, text="", phrasing="") == replace(everyday, text="", phrasing="")
    assert episodes[1] in (plain, everyday)


def test_at_least_a_third_of_every_group_has_everyday_wording(drawn: list[int]) -> None:
    suite = Rearrangement(FINDS)
    made = [suite.episode(TUNING_SEED, index) for index in range(25)]
    for group in ("visible", "contained", "absent"):
        worded = [each.phrasing for each in made if isinstance(each, FindEpisode) and each.group == group]
        assert worded.count("everyday") == 2 * len(worded) // 5
        assert worded.count("everyday") + worded.count("plain") == len(worded)


def test_the_wording_of_a_find_task_names_the_object(drawn: list[int]) -> None:
    suite = Rearrangement(RearrangementSettings(tasks=FIND, phrasing="everyday"))
    texts = {suite.episode(TUNING_SEED, index).text for index in range(20)}
    assert len(texts) > 10
    for text in texts:
        assert re.search(r"\b(the|a|my) mug\b", text), text


def test_noise_and_changes_of_the_rearrangement_suite_are_options_of_the_world() -> None:
    assert Rearrangement().world_options == {}
    suite = make_suite("rearrangement", {"noise": "true", "changes": "2"})
    assert suite.world_options == {"noise": True, "changes": 2}


@pytest.mark.parametrize(
    ("corrupted", "planner", "kinds"),
    [("all", True, "all"), ("plans", True, None), ("beliefs", False, "beliefs"), ("labels", False, "labels")],
)
def test_corruption_of_the_rearrangement_suite_concerns_what_is_named(
    corrupted: str, planner: bool, kinds: str | None
) -> None:
    rates = {"fault_rate": 0.3, "fault_seed": 7}
    suite = make_suite("rearrangement", {"corruption": "0.3", "corrupted": corrupted, "corruption_seed": "7"})
    expected: dict[str, Any] = {"planner": rates} if planner else {}
    if kinds is not None:
        expected["spatial_memory"] = {**rates, "fault_kinds": kinds}
    assert suite.component_settings == expected
    assert "critic_recall" in suite.columns


def test_the_demo_shows_a_find_a_fetch_out_of_a_container_and_a_put_all() -> None:
    find, fetch, gather = demo_episodes(TUNING_SEED, 4)
    assert find.scene == fetch.scene == gather.scene
    assert find.seed == fetch.seed == gather.seed == TUNING_SEED
    flat = make_flat(int(find.scene.removeprefix("flat_")), 4)
    assert find.sought is not None
    assert not find.conditions
    (brought,) = fetch.conditions
    (name,) = brought.things
    assert is_hidden(flat, flat.items_by_name[name], flat.initial)
    names = [condition.things[0] for condition in gather.conditions]
    assert len(names) in (2, 3)
    category = flat.items_by_name[names[0]].category
    assert sorted(names) == sorted(item.name for item in flat.items if item.category == category)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"task": "find"}, "rearrangement has no setting 'task'. Did you mean 'tasks'"),
        ({"tasks": "find", "flats": "3"}, "rearrangement.flats and items are for tasks=household"),
        ({"tasks": "sort"}, "rearrangement.tasks must be one of household, find; got 'sort'"),
    ],
)
def test_rearrangement_suite_refuses_bad_settings_by_name(settings: dict[str, str], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        make_suite("rearrangement", settings)


def test_an_unknown_suite_is_refused_with_a_suggestion() -> None:
    with pytest.raises(ConfigurationError, match=r"no suite 'rearangement'. Did you mean 'rearrangement'"):
        make_suite("rearangement", {})
