"""Tests of the kinds of things that only activities need."""

from __future__ import annotations

import pytest

from stma_ros.worlds.house.kinds.activity_items import ACTIVITY_ITEMS
from stma_ros.worlds.house.kinds.item_kind import ItemKind
from stma_ros.worlds.house.kinds.item_kinds import ALL_ITEMS, ITEMS


def test_kinds_of_activities_are_not_among_those_that_flats_are_stocked_with() -> None:
    assert not ACTIVITY_ITEMS.keys() & ITEMS.keys()
    assert len(ACTIVITY_ITEMS) > 200
    assert ALL_ITEMS == {**ITEMS, **ACTIVITY_ITEMS}


@pytest.mark.parametrize("kind", ACTIVITY_ITEMS.values(), ids=lambda kind: kind.name)
def test_thing_stands_on_its_underside_and_what_it_holds_is_within_its_outline(kind: ItemKind) -> None:
    low, high = kind.build(kind.colours[0]).bounds()
    assert low[2] == pytest.approx(0.0, abs=1e-3)
    assert high[:2] == pytest.approx(-low[:2], abs=0.02)
    places = [place for place in (kind.on, *kind.inside) if place is not None]
    for place in places:
        area = place.area
        assert (area.x0 >= low[0] - 1e-6, area.y1 <= high[1] + 1e-6) == (True, True)
        assert place.height > 0
    assert [place.height for place in kind.inside] == sorted(place.height for place in kind.inside)
    assert all(place.height < high[2] for place in kind.inside[:1])


def test_size_of_a_kind_is_that_of_the_table() -> None:
    low, high = ACTIVITY_ITEMS["cardboard box"].build((1, 2, 3)).bounds()
    assert high - low == pytest.approx((0.40, 0.54, 0.34))
    assert ACTIVITY_ITEMS["printer"].lit is not None
    assert ACTIVITY_ITEMS["potato"].on is None
