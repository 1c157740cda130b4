"""Tests of finding the pixels that lie in boxes in space."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.mapping.camera import PinholeCamera, point_image
from stma_ros.mapping.transforms import apply, inverse, pose_matrix
from stma_ros.sensing.camera_frame import DepthView
from stma_ros.sensing.detectors.space_boxes import SLACK, SpaceBox, ids_in_boxes

CAMERA = PinholeCamera(40, 30, 30.0, 30.0, 19.5, 14.5)
FAR = 6.0

coordinates = st.floats(-3, 3)
turns = st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda q: sum(v * v for v in q) > 0.1)
sides = st.tuples(*[st.floats(0.05, 3)] * 3)


@given(
    st.lists(st.tuples(st.tuples(coordinates, coordinates, coordinates), turns, sides), max_size=4),
    st.tuples(st.tuples(coordinates, coordinates, coordinates), turns),
    st.integers(0, 1000),
)
def test_pixels_are_those_whose_points_lie_in_the_smallest_box_wherever_camera_and_boxes_are(
    placed: list[tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]],
    camera: tuple[tuple[float, ...], tuple[float, ...]],
    seed: int,
) -> None:
    depth = np.random.default_rng(seed).integers(0, 7000, (30, 40)).astype(np.uint16)
    view = DepthView(depth, CAMERA, pose_matrix(*camera))
    boxes = [SpaceBox(pose_matrix(place, turn), np.array(size)) for place, turn, size in placed]
    wanted = np.zeros(depth.shape, np.uint16)
    in_map = apply(view.camera_pose, point_image(depth, CAMERA, max_range=FAR))
    for number, box in sorted(enumerate(boxes, start=1), key=lambda each: -float(each[1].size.prod())):
        inside = np.abs(apply(inverse(box.pose), in_map)) - box.size / 2 - SLACK
        wanted[(inside < -1e-9).all(axis=-1)] = number
    found = ids_in_boxes(view, boxes, FAR)
    assert np.mean(found != wanted) < 0.002  # points on a face may fall to either side
