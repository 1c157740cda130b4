"""Tests of transforms over time, of the transform buffer, and of the poses of base and camera."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from stma_ros.mapping.transforms import camera_mount, pose_matrix
from stma_ros.sensing.mapping_file import Frames, Mount
from stma_ros.sensing.poses import LEAD, PoseTracker
from stma_ros.sensing.timeline import Timeline
from stma_ros.sensing.transforms import (
    HISTORY,
    LONGEST_GAP,
    OPTICAL,
    NoTransformError,
    Rigid,
    TransformBuffer,
    product,
)
from stma_ros.types.standard import Odometry, TFMessage
from support.sensing.external_bags import BEGIN, SECOND, odometry, tf, transform

numbers = st.floats(-10, 10)
angles = st.floats(-math.pi, math.pi)
triples = st.tuples(numbers, numbers, numbers)


@st.composite
def rigids(draw: st.DrawFn) -> Rigid:
    quaternion = draw(st.tuples(*[st.floats(-1, 1)] * 4))
    assume(np.linalg.norm(quaternion) > 0.1)
    return Rigid(draw(triples), quaternion)


def matrix(rigid: Rigid) -> np.ndarray:
    return pose_matrix(rigid.translation, rigid.rotation)


@given(rigids(), rigids(), rigids())
def test_product_of_transforms_equals_the_product_of_their_matrices(a: Rigid, b: Rigid, c: Rigid) -> None:
    np.testing.assert_allclose(matrix(product(a, b, c)), matrix(a) @ matrix(b) @ matrix(c), atol=1e-9)


@given(rigids())
def test_product_of_a_transform_and_its_inverse_is_the_identity(a: Rigid) -> None:
    np.testing.assert_allclose(matrix(product(a, a.inverse)), np.eye(4), atol=1e-9)


@given(triples, st.tuples(angles, angles, angles))
def test_transform_of_angles_rotates_about_fixed_axes(xyz: tuple[float, ...], rpy: tuple[float, ...]) -> None:
    expected = Rotation.from_euler("xyz", rpy).as_matrix()
    np.testing.assert_allclose(matrix(Rigid.of_angles(xyz, rpy))[:3, :3], expected, atol=1e-9)


def test_mounted_camera_has_the_transform_that_the_map_uses() -> None:
    mounted = product(Rigid.of_angles((0.1, 0.0, 1.2), (0.0, 0.3, 0.0)), OPTICAL)
    np.testing.assert_allclose(matrix(mounted), camera_mount(0.1, 0.0, 1.2, 0.3), atol=1e-12)


# -- the buffer


def buffer(
    *samples: tuple[int, str, str, float], static: tuple[tuple[str, str, float], ...] = ()
) -> TransformBuffer:
    """Returns a buffer of translations along x; each sample is (stamp [ns], parent, child, x [m])."""
    made = TransformBuffer()
    for stamp, parent, child, x in samples:
        assert made.add(transform(stamp, parent, child, (x, 0, 0)), stamp, False)
    for parent, child, x in static:
        assert made.add(transform(0, parent, child, (x, 0, 0)), 0, True)
    return made


def x_of(made: TransformBuffer, source: str, target: str, stamp: int) -> float:
    return product(*made.steps(source, target, stamp)).translation[0]


def test_transform_buffer_interpolates_a_pose_between_two_samples() -> None:
    made = buffer(
        (0, "odom", "base", 0.0), (SECOND // 10, "odom", "base", 1.0), static=(("base", "camera", 0.5),)
    )
    assert x_of(made, "camera", "odom", SECOND // 40) == pytest.approx(0.75)
    assert x_of(made, "odom", "camera", SECOND // 40) == pytest.approx(-0.75)
    assert x_of(made, "camera", "odom", 0) == 0.5


def test_transform_buffer_interpolates_rotations_the_shorter_way() -> None:
    made = TransformBuffer()
    for stamp, yaw in ((0, 3.0), (100, -3.0)):
        xyzw = (0.0, 0.0, math.sin(yaw / 2), math.cos(yaw / 2))
        made.add(transform(stamp, "odom", "base", xyzw=xyzw), stamp, False)
    turned = Rotation.from_quat(product(*made.steps("base", "odom", 50)).rotation).as_euler("xyz")[2]
    assert abs(turned) == pytest.approx(math.pi)


def test_transform_buffer_joins_two_branches_at_their_common_frame() -> None:
    made = buffer(static=(("base", "left", 1.0), ("base", "right", -1.0), ("odom", "base", 7.0)))
    assert x_of(made, "right", "left", 5) == pytest.approx(-2.0)
    assert made.steps("left", "left", 5) == ()


def test_transform_buffer_names_a_missing_link() -> None:
    made = buffer((0, "odom", "base", 0.0), static=(("camera_link", "optical", 0.0),))
    with pytest.raises(NoTransformError) as error:
        made.steps("optical", "odom", 0)
    assert "no transform from 'optical' to 'odom': optical -> camera_link" in str(error.value)
    assert "nothing links 'camera_link' and 'odom'" in str(error.value)


def test_transform_buffer_refuses_to_interpolate_over_a_gap() -> None:
    made = buffer((0, "odom", "base", 0.0), (LONGEST_GAP + 2, "odom", "base", 1.0))
    with pytest.raises(NoTransformError, match="gap"):
        made.steps("base", "odom", LONGEST_GAP // 2)
    with pytest.raises(NoTransformError):
        made.steps("base", "odom", 2 * LONGEST_GAP)


def test_transform_buffer_refuses_a_cycle_of_frames() -> None:
    made = buffer(static=(("a", "b", 0.0), ("b", "c", 0.0), ("c", "a", 0.0)))
    with pytest.raises(NoTransformError):
        made.steps("a", "elsewhere", 0)


def test_transform_buffer_refuses_invalid_transforms() -> None:
    made = TransformBuffer()
    assert not made.add(transform(0, "odom", "base", (math.nan, 0, 0)), 0, False)
    assert not made.add(transform(0, "odom", "base", xyzw=(0, 0, 0, 0)), 0, False)
    assert not made.add(transform(0, "base", "base"), 0, False)


def test_transform_buffer_ignores_leading_slashes() -> None:
    made = buffer((0, "/odom", "/base", 3.0))
    assert x_of(made, "base", "/odom", 0) == 3.0


def test_transform_buffer_holds_a_correction_until_the_next() -> None:
    made = buffer((10, "map", "odom", 1.0), (20, "map", "odom", 2.0))
    held = [made.last_before("odom", "map", stamp) for stamp in (5, 10, 19, 20, 10**12)]
    assert [None if rigid is None else rigid.translation[0] for rigid in held] == [None, 1.0, 1.0, 2.0, 2.0]


def test_first_correction_holds_for_a_lead_before_its_stamp_as_well() -> None:
    made = buffer((10, "map", "odom", 1.0), (20, "map", "odom", 2.0))
    held = [made.last_before("odom", "map", stamp, 5) for stamp in (4, 5, 9, 16)]
    assert [None if rigid is None else rigid.translation[0] for rigid in held] == [None, 1.0, 1.0, 1.0]


def test_timeline_is_bounded() -> None:
    timeline: Timeline[int] = Timeline(HISTORY)
    for stamp in range(3 * HISTORY):
        timeline.add(stamp, stamp)
    assert len(timeline) == HISTORY
    assert timeline.before(HISTORY) is None


@given(st.lists(st.integers(0, 50)), st.integers(-5, 55), st.integers(0, 60))
def test_timeline_finds_the_nearest_stamp_within_the_tolerance(
    stamps: list[int], asked: int, tolerance: int
) -> None:
    timeline: Timeline[int] = Timeline(1000)
    for stamp in stamps:
        timeline.add(stamp, stamp)
    near = [stamp for stamp in stamps if abs(stamp - asked) <= tolerance]
    found = timeline.nearest(asked, tolerance)
    assert (found is None) == (not near)
    if found is not None:
        assert abs(found - asked) == min(abs(stamp - asked) for stamp in near)


@given(st.lists(st.integers(0, 20), max_size=30), st.integers(0, 20))
def test_timeline_forgets_exactly_the_later_stamps(stamps: list[int], cut: int) -> None:
    timeline: Timeline[int] = Timeline(8)
    for stamp in stamps:
        timeline.add(stamp, stamp)
    stored = {stamp for stamp in range(21) if timeline.nearest(stamp, 0) is not None}
    timeline.forget_after(cut)
    assert {stamp for stamp in range(21) if timeline.nearest(stamp, 0) is not None} == {
        s for s in stored if s <= cut
    }
    for stamp in range(100, 120):
        timeline.add(stamp, stamp)
    assert len(timeline) == 8


# -- poses of base and camera


def poses(frames: Frames = Frames(), mount: Mount | None = None, has_odometry: bool = False) -> PoseTracker:
    return PoseTracker(frames, mount, has_odometry)


def take(made: PoseTracker, recorded: object) -> None:
    message, stamp = recorded.message, recorded.stamp_ns  # type: ignore[attr-defined]
    if isinstance(message, Odometry):
        made.add_odometry(stamp, message)
    else:
        assert isinstance(message, TFMessage)
        made.add_transforms(message, recorded.topic == "/tf_static", stamp, True)  # type: ignore[attr-defined]


def test_pose_tracker_places_the_camera_by_odometry_and_mount() -> None:
    made = poses(mount=Mount(xyz=(0.1, 0.0, 1.0)), has_odometry=True)
    assert not made.is_complete_at(BEGIN, "optical")
    take(made, odometry(BEGIN, 2.0))
    assert made.is_complete_at(BEGIN, "optical")
    where = made.at(BEGIN, "optical")
    assert where.camera.translation == (2.1, 0.0, 1.0)
    assert (where.odom_frame, where.base_frame, where.localization) == ("odom", "base_link", Rigid())


def test_pose_tracker_places_the_camera_and_the_map_by_transforms_alone() -> None:
    made = poses()
    take(
        made,
        tf(transform(BEGIN, "map", "odom", (5, 0, 0)), transform(BEGIN, "odom", "base_footprint", (1, 0, 0))),
    )
    take(
        made,
        tf(
            transform(BEGIN, "base_footprint", "base_link", (0, 0, 0.1)),
            transform(BEGIN, "base_link", "optical", (0, 0, 1)),
            static=True,
        ),
    )
    where = made.at(BEGIN, "optical")
    assert where.base_frame == "base_footprint"  # on the floor, where the map's z begins
    assert where.camera.translation == (1.0, 0.0, 1.1)
    assert where.localization.translation == (5.0, 0.0, 0.0)


def test_pose_tracker_is_incomplete_until_all_transforms_have_arrived() -> None:
    made = poses()
    take(made, tf(transform(BEGIN, "odom", "base_link")))
    assert not made.is_complete_at(BEGIN, "optical")
    take(made, tf(transform(BEGIN, "base_link", "optical"), static=True))
    assert made.is_complete_at(BEGIN, "optical")
    assert not made.is_complete_at(BEGIN + 1, "optical")


def test_localisation_that_is_dated_ahead_holds_from_the_first_frame_on() -> None:
    made = poses(mount=Mount(xyz=(0.0, 0.0, 1.0)), has_odometry=True)
    take(made, odometry(BEGIN))
    take(made, tf(transform(BEGIN + SECOND, "map", "odom", (5, 3, 0))))  # as AMCL does
    assert made.at(BEGIN, "optical").localization.translation == (5.0, 3.0, 0.0)


def test_pose_tracker_waits_for_a_localisation_and_refuses_to_guess_it() -> None:
    made = PoseTracker(Frames(), Mount(xyz=(0.0, 0.0, 1.0)), True, is_localized=True)
    take(made, odometry(BEGIN))
    assert not made.is_complete_at(BEGIN, "optical")
    with pytest.raises(
        NoTransformError, match=r"not known yet: .* from 'odom' to 'map'.*frames: \{map: odom\}"
    ):
        made.at(BEGIN, "optical")
    take(made, tf(transform(BEGIN + LEAD + 1, "map", "odom", (5, 0, 0))))
    with pytest.raises(NoTransformError, match="not known yet"):
        made.at(BEGIN, "optical")
    take(made, odometry(BEGIN + 1))
    assert made.is_complete_at(BEGIN + 1, "optical")
    assert made.at(BEGIN + 1, "optical").localization.translation == (5.0, 0.0, 0.0)


def test_pose_tracker_names_odometry_of_another_clock() -> None:
    made = poses(mount=Mount(xyz=(0.0, 0.0, 1.0)), has_odometry=True)
    take(made, odometry(5 * SECOND))
    with pytest.raises(NoTransformError, match=r"one clock.*stamps: log"):
        made.at(BEGIN, "optical")


def test_pose_tracker_names_images_without_a_frame() -> None:
    made = poses(has_odometry=True)
    take(made, odometry(BEGIN))
    with pytest.raises(NoTransformError, match=r"frames: \{camera: NAME\}"):
        made.at(BEGIN, "")
