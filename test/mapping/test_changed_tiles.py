"""Tests of noting which tiles of a grid have changed."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.mapping.changed_tiles import ChangedTiles
from stma_ros.mapping.depth_view import ColumnBox

SIDE = 150
BOXES = st.tuples(
    st.integers(0, SIDE - 40), st.integers(0, SIDE - 40), st.integers(1, 40), st.integers(1, 40)
).map(lambda numbers: ColumnBox(*numbers))


def _mask(boxes):
    mask = np.zeros((SIDE, SIDE), bool)
    for row, col, rows, cols in boxes:
        mask[row : row + rows, col : col + cols] = True
    return mask


@given(st.lists(BOXES, max_size=4), st.lists(BOXES, max_size=4), BOXES)
def test_boxes_since_a_revision_cover_what_was_marked_since_and_lie_within_the_asked(earlier, later, within):
    tiles = ChangedTiles((SIDE, SIDE))
    for box in earlier:
        tiles.mark(box)
    revision = tiles.revision
    for box in later:
        tiles.mark(box)
    found, asked = _mask(tiles.since(revision, within)), _mask([within])
    assert not (_mask(later) & asked & ~found).any()
    assert not (found & ~asked).any()


@given(BOXES)
def test_all_is_new_to_a_reader_that_has_seen_no_revision(within):
    np.testing.assert_array_equal(_mask(ChangedTiles((SIDE, SIDE)).since(-1, within)), _mask([within]))


def test_map_is_read_again_only_near_a_change():
    tiles = ChangedTiles((3200, 3200))
    tiles.mark(ColumnBox(1600, 1600, 60, 60))
    found = tiles.since(0, ColumnBox(0, 0, 3200, 3200))
    assert sum(box.rows * box.cols for box in found) <= 124 * 124
    assert tiles.since(1, ColumnBox(0, 0, 3200, 3200)) == []
