"""The suite's episodes: shares, seeds, truth."""

from __future__ import annotations

import pickle

import pytest

from stma_ros.evaluation import rearrangement
from stma_ros.evaluation.rearrangement import Rearrangement, visible_and_contained
from stma_ros.evaluation.registry import make_suite
from stma_ros.types.errors import ConfigurationError
from stma_ros.worlds.house.stocking import make_flat
from stma_ros.worlds.house.tasks import FindTask, Presence

TUNING_SEED = 1000


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Replaces the task generator, which renders; holds the flats asked for. Every fourth does not fit."""
    flats: list[int] = []

    def find_task(seed: int, presence: Presence, flat_seed: int) -> FindTask:
        flats.append(flat_seed)
        fitting = presence if flat_seed % 4 else Presence.ABSENT
        return FindTask(f"flat_{flat_seed}", seed, "find the mug", "mug", fitting, (), rooms=4, containers=5)

    monkeypatch.setattr(rearrangement, "find_task", find_task)
    return flats


def test_every_five_episodes_have_the_same_shares(drawn: list[int]) -> None:
    suite = Rearrangement()
    groups = [suite.episode(TUNING_SEED, index).group for index in range(10)]
    for group, count in (("visible", 4), ("contained", 4), ("absent", 2)):
        assert groups.count(group) == count
        assert groups[:5].count(group) == count // 2


def test_flats_of_different_seeds_and_episodes_never_meet(drawn: list[int]) -> None:
    suite = Rearrangement()
    flats: dict[int, tuple[int, int]] = {}
    for seed in (0, 1, 99, 1000):
        for index in (0, 1, 2, 9_999):
            drawn.clear()
            suite.episode(seed, index)
            for flat in drawn:
                assert flats.setdefault(flat, (seed, index)) == (seed, index)


def test_the_budget_comes_from_the_flat(drawn: list[int]) -> None:
    suite = Rearrangement()
    budgets = {
        episode.group: episode for episode in (suite.episode(TUNING_SEED, index) for index in range(5))
    }
    assert (budgets["visible"].optimal_steps, budgets["visible"].max_commands) == (1, 3 + 14)
    assert (budgets["contained"].optimal_steps, budgets["contained"].max_commands) == (2, 6 + 14)
    assert (budgets["absent"].optimal_steps, budgets["absent"].max_commands) == (14, 14)


@pytest.mark.parametrize(("seed", "index"), [(-1, 0), (10**9, 0), (0, 10_000), (0, -1)])
def test_seeds_and_indices_out_of_range_are_refused(seed: int, index: int) -> None:
    with pytest.raises(ConfigurationError, match=r"from 0 to|another seed"):
        Rearrangement().episode(seed, index)


def test_the_truth_is_that_of_the_flat() -> None:
    suite = make_suite("rearrangement", {"tasks": "find"})
    episode = suite.episode(TUNING_SEED, 0)
    flat = make_flat(int(episode.scene.removeprefix("flat_")))
    category = episode.truth.category  # type: ignore[attr-defined]
    assert category in episode.text
    boxes = {item.box for item in flat.items if item.category == category}
    assert set(episode.truth.instances) == boxes  # type: ignore[attr-defined]
    assert pickle.loads(pickle.dumps(suite)).episode(TUNING_SEED, 0) == episode


def test_the_demo_has_one_target_in_view_and_one_in_a_container() -> None:
    visible, contained = visible_and_contained(TUNING_SEED)
    assert visible.scene == contained.scene
    flat = make_flat(int(visible.scene.removeprefix("flat_")))
    inside = {item.category: item.inside for item in flat.items}
    assert (inside[visible.truth.category], inside[contained.truth.category]) == (False, True)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"task": "find"}, "rearrangement has no setting 'task'. Did you mean 'tasks'"),
        ({"tasks": "sort"}, "rearrangement.tasks must be one of find; got 'sort'"),
    ],
)
def test_bad_settings_are_named(settings: dict[str, str], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        make_suite("rearrangement", settings)


def test_an_unknown_suite_is_named_with_what_there_is() -> None:
    with pytest.raises(ConfigurationError, match=r"no suite 'rearangement'. Did you mean 'rearrangement'"):
        make_suite("rearangement", {})
