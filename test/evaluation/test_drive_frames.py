"""The frames of a drive that measurements of nodes publish."""

from __future__ import annotations

import numpy as np
import pytest

from stma_ros.evaluation.drive_frames import drive_frames
from stma_ros.sensing.camera_frame import frame_of
from stma_ros.sensing.pose_jump_filter import PoseJumpFilter
from stma_ros.types import topics

RATE = 15.0


@pytest.fixture(scope="module")
def frames():
    return drive_frames(1000, 90, 64, 48, RATE)


def test_drive_frames_are_whole_frames_at_a_steady_rate(frames):
    checked = [frame_of(parts) for parts in frames]
    assert all(set(parts) == set(topics.FRAME) for parts in frames)
    assert not any(frame.error for frame in checked)
    stamps = [frame.stamp.seconds for frame in checked]
    assert np.diff([0.0, *stamps]) == pytest.approx(1 / RATE, abs=1e-6)


def test_drive_frames_show_a_robot_that_turns_and_drives_without_jumps(frames):
    poses = [frame_of(parts).pose for parts in frames]
    jumps = PoseJumpFilter(max_speed=1.5)
    for pose in poses:
        jumps.check(pose)
    places = np.array([(pose.base.position.x, pose.base.position.y) for pose in poses])
    assert np.ptp(places, axis=0).max() > 0.5
    assert np.ptp([pose.base.yaw for pose in poses]) > np.pi


def test_drive_frames_of_a_seed_are_the_same_again(frames):
    again = drive_frames(1000, 3, 64, 48, RATE)
    assert [frame_of(parts) for parts in again] == [frame_of(parts) for parts in frames[:3]]
    other = drive_frames(1001, 1, 64, 48, RATE)
    assert frame_of(other[0]) != frame_of(frames[0])
