"""Poses before a side of an object."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.mapping.approach_pose import ApproachPose
from stma_ros.mapping.distance import Field, Mask
from stma_ros.mapping.footprint import SIDES, Side
from stma_ros.mapping.front_pose import FrontConfig, FrontEvidence, find_front_pose
from stma_ros.mapping.occupancy import FREE, OCCUPIED, OccupancySlice
from stma_ros.mapping.voxel_grid import VoxelGrid
from stma_ros.types.planar import turned

GAP = FrontConfig().gap
CABINET = (0.4, 1.0, 0.8)
CUBE = (0.6, 0.6, 0.8)


class Floor:
    """Free floor of 8 x 8 m around the origin, with a robot at a place."""

    def __init__(self, robot: tuple[float, float]) -> None:
        self.voxels = VoxelGrid()
        self.voxels.cover(-4.0, -4.0, 4.0, 4.0)
        rows, cols = np.indices(self.voxels.geometry.shape)
        self.points = self.voxels.geometry.centers(np.column_stack((rows.ravel(), cols.ravel())))
        away = np.hypot(*(self.points - robot).T)
        self.distance: Field = away.reshape(rows.shape).astype(np.float32)
        self.walls: Mask = np.zeros(rows.shape, np.bool_)
        self.cells = np.full(rows.shape, FREE, np.int8)

    def covered(self, x0: float, y0: float, x1: float, y1: float) -> Mask:
        inside = np.all((self.points > (x0, y0)) & (self.points < (x1, y1)), axis=1)
        mask: Mask = inside.reshape(self.walls.shape)
        return mask

    def block(self, x0: float, y0: float, x1: float, y1: float, *, wall: bool = False) -> None:
        area = self.covered(x0, y0, x1, y1)
        self.distance[area] = np.inf
        self.cells[area] = OCCUPIED
        self.walls |= area & wall

    def stand(self, size: tuple[float, float, float], yaw: float = 0.0) -> None:
        """Puts a body of this size at the origin."""
        inside = np.all(np.abs(turned(self.points, -yaw)) <= np.array(size[:2]) / 2, axis=1)
        self.cells[inside.reshape(self.cells.shape)] = OCCUPIED

    def pose(
        self,
        size: tuple[float, float, float],
        yaw: float = 0.0,
        evidence: FrontEvidence = FrontEvidence(),
        box: tuple[float, float, float] | None = None,
        center: tuple[float, float] = (0.0, 0.0),
    ) -> ApproachPose | None:
        """Returns the pose for a body of a size at the origin, the box of which may be larger and elsewhere."""
        self.stand(size, yaw)
        occupancy = OccupancySlice(self.cells, self.voxels.geometry)
        at = (*center, size[2] / 2)
        return find_front_pose(occupancy, self.walls, self.distance, at, box or size, yaw, evidence)


def side_of(pose: ApproachPose | None, yaw: float = 0.0) -> Side:
    """Returns the side before which the pose is."""
    assert pose is not None
    at = turned(np.array([pose.x, pose.y]), -yaw)
    axis = int(np.abs(at).argmax())
    return axis, math.copysign(1.0, at[axis])


@given(yaw=st.floats(-math.pi, math.pi), bearing=st.floats(-math.pi, math.pi))
def test_pose_is_before_the_middle_of_a_broad_side_and_faces_it_in_any_frame(
    yaw: float, bearing: float
) -> None:
    floor = Floor((2 * math.cos(bearing), 2 * math.sin(bearing)))
    pose = floor.pose(CABINET, yaw)
    axis, sign = side_of(pose, yaw)
    assert axis == 0
    assert pose is not None
    wanted = turned(np.array([sign * (CABINET[0] / 2 + GAP), 0.0]), yaw)
    assert math.dist((pose.x, pose.y), wanted) < 0.05
    front = turned(np.array([sign * CABINET[0] / 2, 0.0]), yaw)
    ahead = math.atan2(front[1] - pose.y, front[0] - pose.x)
    assert math.remainder(pose.yaw - ahead, 2 * math.pi) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("side", SIDES)
def test_nearest_side_is_taken_of_those_that_are_alike(side: Side) -> None:
    robot = [0.0, 0.0]
    robot[side[0]] = side[1] * 2
    assert side_of(Floor((robot[0], robot[1])).pose(CUBE)) == side


def test_side_at_the_end_of_a_row_is_not_taken_for_the_front() -> None:
    floor = Floor((0.0, 2.0))
    assert side_of(floor.pose(CUBE)) == (1, 1.0)
    assert side_of(floor.pose(CUBE, evidence=FrontEvidence(beside=((1, -1.0),))))[0] == 0


def test_narrow_side_is_taken_where_no_other_has_free_floor() -> None:
    floor = Floor((0.0, 2.0))
    for x in (-2.0, 0.2):
        floor.block(x, -4.0, x + 1.8, 4.0)
    assert side_of(floor.pose(CABINET)) == (1, 1.0)


def test_pose_is_not_behind_a_wall() -> None:
    floor = Floor((-2.0, 0.0))
    floor.block(-0.4, -4.0, -0.25, 4.0, wall=True)
    assert side_of(floor.pose(CABINET)) == (0, 1.0)


def test_pose_is_on_the_nearest_free_floor_before_the_side() -> None:
    floor = Floor((2.0, 0.0))
    floor.block(0.8, -0.2, 1.2, 0.2)
    pose = floor.pose(CABINET)
    assert side_of(pose) == (0, 1.0)
    assert pose is not None
    assert 0.2 < math.dist((pose.x, pose.y), (CABINET[0] / 2 + GAP, 0.0)) <= FrontConfig().off


def test_every_side_is_tried_before_another_place_at_one_that_failed() -> None:
    floor = Floor((2.0, 0.3))
    failed: list[tuple[float, float]] = []
    sides: list[Side] = []
    while (pose := floor.pose(CUBE, evidence=FrontEvidence(failed=failed))) is not None:
        failed.append((pose.x, pose.y))
        sides.append(side_of(pose))
    assert sorted(sides[:4]) == sorted(SIDES)
    assert len(sides) > 8, "then from farther away and from beside each side"
    apart = np.hypot(*(np.array(failed)[:, None] - np.array(failed)[None]).T) + 9 * np.eye(len(failed))
    assert apart.min() >= FrontConfig().apart


def test_halves_of_a_wide_side_are_tried_after_its_middle() -> None:
    floor = Floor((2.0, 0.3))
    wide = (0.5, 2.4, 0.8)
    failed: list[tuple[float, float]] = []
    while (pose := floor.pose(wide, evidence=FrontEvidence(failed=failed))) is not None:
        failed.append((pose.x, pose.y))
    before = [y for x, y in failed if x > 0.7]
    assert before[0] == pytest.approx(0, abs=0.05)
    assert sorted(before[:3]) == pytest.approx([-0.6, 0.0, 0.6], abs=0.05)


def test_side_without_free_space_before_it_is_not_taken_for_the_front() -> None:
    floor = Floor((2.0, 0.0))
    floor.cells[floor.covered(0.35, -1.0, 0.6, 1.0)] = OCCUPIED
    assert side_of(floor.pose(CUBE)) != (0, 1.0)


def test_front_is_opposite_to_a_wall_also_where_something_stands_behind_that() -> None:
    floor = Floor((0.0, 2.0))
    floor.block(-0.5, -0.5, -0.35, 0.5, wall=True)
    assert side_of(floor.pose(CUBE)) == (0, 1.0)
    assert side_of(floor.pose(CUBE, evidence=FrontEvidence(beside=((0, -1.0),)))) == (0, 1.0)


@given(yaw=st.floats(-math.pi, math.pi), side=st.sampled_from(SIDES), off=st.floats(-0.2, 0.2))
def test_robot_stands_again_where_it_opened_the_same(yaw: float, side: Side, off: float) -> None:
    floor = Floor((3.0, 0.5))
    at = np.zeros(2)
    at[side[0]], at[1 - side[0]] = side[1] * (CABINET[side[0]] / 2 + 0.9), off
    worked = turned(at, yaw)
    pose = floor.pose(CABINET, yaw, FrontEvidence(worked=(worked[0], worked[1])))
    assert pose is not None
    assert math.dist((pose.x, pose.y), worked) < 0.05


def test_another_side_is_tried_where_the_known_front_cannot_be_reached() -> None:
    floor = Floor((2.0, 0.0))
    floor.block(-2.0, -4.0, -0.3, 4.0)
    assert side_of(floor.pose(CABINET, evidence=FrontEvidence(worked=(-1.0, 0.0)))) == (0, 1.0)


@given(yaw=st.floats(-math.pi, math.pi))
def test_free_floor_in_a_box_that_holds_an_open_leaf_is_before_the_front(yaw: float) -> None:
    floor = Floor((2 * math.cos(yaw), 2 * math.sin(yaw)))
    leaf = turned(np.array([0.6, 0.45]), yaw)
    floor.cells[np.hypot(*(floor.points - leaf).T).reshape(floor.cells.shape) < 0.08] = OCCUPIED
    middle = turned(np.array([0.4, 0.0]), yaw)
    box = (CABINET[0] + 0.8, CABINET[1], CABINET[2])
    pose = floor.pose(CABINET, yaw, box=box, center=(middle[0], middle[1]))
    assert pose is not None
    wanted = turned(np.array([CABINET[0] / 2 + GAP, 0.0]), yaw)
    assert math.dist((pose.x, pose.y), wanted) < 0.15
