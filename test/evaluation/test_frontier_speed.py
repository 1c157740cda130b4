"""The measurement `frontiers`: what its rows compare, and what its map is."""

from __future__ import annotations

import numpy as np
import pytest

from stma_ros.evaluation.frontier_speed import FrontierSettings, FrontierSpeed, _Building
from stma_ros.evaluation.registry import MEASUREMENTS
from stma_ros.mapping.frontiers.boundary_rules import FrontierFinder
from stma_ros.mapping.occupancy import FREE, UNKNOWN
from stma_ros.types.errors import ConfigurationError, StmaError

_SMALL = FrontierSettings(small=80, large=200, rounds=4)


def test_rows_are_of_both_rules_in_both_maps():
    measurement = FrontierSpeed(_SMALL)
    rows = list(measurement.rows(1000))
    assert len(rows) == measurement.total
    assert all(set(row) == set(measurement.columns) for row in rows)
    assert [(row["preset"], row["group"]) for row in rows] == [
        (rules, group) for group in ("80 x 80", "200 x 200") for rules in ("own", "published")
    ]
    assert all(min(row["full_ms"], row["incremental_ms"], row["ids_ms"]) > 0 for row in rows)
    assert all(row["frontiers"] for row in rows)


def test_result_after_a_change_that_differs_from_the_whole_one_is_an_error(monkeypatch):
    update = FrontierFinder.update
    calls = []

    def forgetful(finder, occupancy, distance):
        calls.append(finder)
        found = update(finder, occupancy, distance)
        return found[1:] if calls.count(finder) > 1 else found

    monkeypatch.setattr(FrontierFinder, "update", forgetful)
    with pytest.raises(StmaError, match="differ from those that are found from nothing"):
        list(FrontierSpeed(_SMALL).rows(1000))


@pytest.mark.parametrize("share", [0.01, 0.05])
def test_change_adds_at_least_a_share_of_the_cells(share):
    building = _Building(200, np.random.default_rng(0))
    before, after = building.occupancy.data, building.changed(share).data
    added = (before == UNKNOWN) & (after != UNKNOWN)
    assert share * before.size <= added.sum() < 2 * share * before.size
    assert np.array_equal(before[~added], after[~added])


def test_much_of_the_building_can_be_reached():
    building = _Building(1000, np.random.default_rng(0))
    assert building.occupancy.data[building.robot] == FREE
    assert 0.2 < np.isfinite(building.distance(building.occupancy)).mean() < 0.6


def test_frontiers_is_a_measurement_with_settings():
    assert MEASUREMENTS["frontiers"]({"rounds": "3"}).settings["rounds"] == 3
    with pytest.raises(ConfigurationError, match="no setting 'round'"):
        MEASUREMENTS["frontiers"]({"round": 3})
