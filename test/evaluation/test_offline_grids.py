"""Scores of the agent's map against a reference in the format of Nav2's map_server."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from stma_ros.evaluation.offline.grid_score import intersection_over_union, score_grid
from stma_ros.evaluation.offline.reference_grid import read_grid
from stma_ros.evaluation.tally import Tally
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.standard import Header, MapMetaData, OccupancyGrid, Pose

WHITE, BLACK, GREY = 254, 0, 205
ABOUT = """\
image: map.png
resolution: 0.5
origin: [1.0, 2.0, 0.0]
negate: 0
occupied_thresh: 0.65
free_thresh: 0.25
"""


def saved(folder: Path, shades: list[list[int]], about: str = ABOUT) -> Path:
    Image.fromarray(np.array(shades, np.uint8)).save(folder / "map.png")
    (folder / "map.yaml").write_text(about)
    return folder / "map.yaml"


def grid(
    cells: list[list[int]], resolution: float = 1.0, x: float = 0.0, y: float = 0.0, yaw: float = 0.0
) -> OccupancyGrid:
    """Returns a map whose first row is at the bottom, as in the message."""
    data = np.array(cells, np.int8)
    info = MapMetaData(
        resolution=resolution, width=data.shape[1], height=data.shape[0], origin=Pose.planar(x, y, yaw)
    )
    return OccupancyGrid(Header(), info, data.reshape(-1))


def test_a_map_picture_is_flipped_so_that_its_first_row_is_at_the_bottom(tmp_path):
    read = read_grid(saved(tmp_path, [[WHITE, BLACK, GREY], [BLACK, BLACK, WHITE]]))
    assert read.data.reshape(2, 3).tolist() == [[100, 100, 0], [0, 100, -1]]
    assert (read.info.origin.position.x, read.info.origin.position.y, read.info.resolution) == (1, 2, 0.5)


def test_a_pgm_of_map_saver_keeps_its_unknown_cells(tmp_path):
    file = saved(tmp_path, [[0]], ABOUT.replace("map.png", "map.pgm"))
    (tmp_path / "map.pgm").write_bytes(b"P5\n# by map_saver\n3 1\n255\n" + bytes([WHITE, GREY, BLACK]))
    assert read_grid(file).data.tolist() == [0, -1, 100]


def test_a_negated_map_picture_is_inverted(tmp_path):
    about = ABOUT.replace("negate: 0", "negate: 1")
    assert read_grid(saved(tmp_path, [[WHITE, BLACK]], about)).data.tolist() == [100, 0]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("resolution: 0.5", "resolution: 0", "line 2: resolution"),
        ("origin: [1.0, 2.0, 0.0]", "origin: [1.0, 2.0]", "line 3: origin"),
        ("free_thresh: 0.25", "free_thresh: 0.9", "line 6: free_thresh: is above occupied_thresh"),
        ("map.png", "plan.png", "line 1: image: .*plan.png cannot be read as a picture"),
        ("image: map.png\n", "", "map.yaml is no map of Nav2's map_server: it has no 'image'"),
    ],
)
def test_a_mistake_in_a_map_file_is_refused_with_key_and_line(tmp_path, old, new, message):
    with pytest.raises(ConfigurationError, match=message):
        read_grid(saved(tmp_path, [[WHITE]], ABOUT.replace(old, new)))


def test_a_map_picture_given_instead_of_its_yaml_file_is_refused_with_the_remedy(tmp_path):
    saved(tmp_path, [[WHITE]], ABOUT)
    with pytest.raises(
        ConfigurationError, match=r"map\.png is the picture of a map; give the \.yaml beside it"
    ):
        read_grid(tmp_path / "map.png")


def test_a_map_scores_full_marks_against_itself():
    cells = grid([[0, 100, -1], [100, 0, 0]], 0.05, -1.2, 3.4)
    score = score_grid(cells, cells)
    assert (score.accuracy, score.coverage, score.known) == (1.0, 1.0, 5)
    assert (score.free, score.occupied) == (Tally(3, 3, 3), Tally(2, 2, 2))


def test_only_cells_known_in_both_maps_can_be_wrong():
    reference = grid([[0, 0, 100, 100, -1]])
    score = score_grid(grid([[0, 100, 100, -1, 0]]), reference)
    assert (score.right, score.both, score.known) == (2, 3, 4)
    assert score.occupied == Tally(1, 2, 1)
    assert score.free == Tally(1, 1, 2)
    assert intersection_over_union(score.occupied) == 0.5


def test_maps_of_different_extent_and_resolution_are_aligned():
    reference = grid([[0, 100], [100, 0]], resolution=1.0, x=10.0, y=20.0)
    fine = np.full((12, 12), -1, np.int8)
    fine[4:8, 4:8] = np.kron(np.array([[0, 100], [100, 0]], np.int8), np.ones((2, 2), np.int8))
    score = score_grid(grid(fine.tolist(), 0.5, x=8.0, y=18.0), reference)
    assert (score.right, score.both, score.known) == (4, 4, 4)


def test_a_rotated_reference_map_is_aligned():
    turned = grid([[0, 0, 100]], x=5.0, y=0.0, yaw=math.pi / 2)  # its row runs along y
    score = score_grid(grid([[0], [0], [100]], x=4.0, y=0.0), turned)
    assert (score.right, score.both, score.known) == (3, 3, 3)


def test_a_map_outside_the_reference_covers_nothing():
    score = score_grid(grid([[0, 100]], x=100.0), grid([[0, 100]]))
    assert (score.coverage, score.accuracy, score.both) == (0.0, 0.0, 0)
