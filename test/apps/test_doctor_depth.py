"""Tests of what `stma doctor --bag` says of the numbers in depth images."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.apps.doctor.bag import check_bag
from stma_ros.apps.doctor.bag_survey import EvenSample
from stma_ros.storage.bag.messages import RawMessage
from stma_ros.storage.bag.reader import Recorded
from stma_ros.types import topics
from stma_ros.types.standard import Image
from support.sensing.external_bags import HEIGHT, MOUNT, NAMES, WIDTH, drive, write_mcap

SLOPE = np.linspace(1000, 4000, HEIGHT * WIDTH).reshape(HEIGHT, WIDTH)
"""Depth of a surface that leads away from the camera [mm]; no two pixels are alike."""


def report(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    depth: np.ndarray,
    more: str = "",
    encoding: str = "16UC1",
) -> str:
    """Returns what the doctor says of the depth images of a bag, each of them the same."""

    def with_depth(recorded: Recorded) -> Recorded:
        header = recorded.message.header  # type: ignore[attr-defined]
        return recorded._replace(message=Image.from_array(header, depth, encoding))

    recorded = [with_depth(each) if each.topic == NAMES[topics.DEPTH] else each for each in drive(1.0)]
    file = tmp_path / "mapping.yaml"
    file.write_text(MOUNT + more)
    check_bag(write_mcap(tmp_path / "bag", recorded), file)
    return capsys.readouterr().out.split("\ndepth\n")[1].split("\nframes\n")[0]


def with_first_rows(number: float, rows: int = 6, surface: np.ndarray = SLOPE) -> np.ndarray:
    depth = surface.copy()
    depth[:rows] = number
    return depth


def test_doctor_blames_the_unit_that_the_mapping_file_gives(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = report(tmp_path, capsys, SLOPE.astype(np.uint16), "depth_unit: 1.0\n")
    assert "with `depth_unit: 1`" in said
    assert "leave `depth_unit` out (2.5 m then)" in said
    assert "0.0002" not in said


def test_doctor_gives_the_shares_of_zero_and_saturated_depth_and_the_range_of_the_rest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    depth = with_first_rows(65535)
    depth[-3:] = 0
    said = report(tmp_path, capsys, depth.astype(np.uint16))
    assert "0: 10.0%, 65535: 20.0%, out of range: 0.0%, the rest 1.62 to 3.68 m (of 10 images)" in said
    assert "note" not in said


def test_doctor_warns_of_one_frequent_extreme_number_with_the_key_that_helps(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = report(tmp_path, capsys, with_first_rows(10000).astype(np.uint16))
    assert "note     mark  20.0% of the pixels are 10000" in said
    assert "`depth_invalid: 10000`" in said


def test_doctor_warns_of_a_frequent_least_number_of_depth_in_metres(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    depth = with_first_rows(0.25, surface=SLOPE / 1000).astype(np.float32)
    assert "`depth_invalid: 0.25`" in report(tmp_path, capsys, depth, encoding="32FC1")


@pytest.mark.parametrize(
    ("key", "share"),
    [("depth_invalid: 10000\n", "10000: 20.0%"), ("depth_range: [0.3, 6]\n", "out of range: 20.0%")],
)
def test_doctor_does_not_warn_of_a_mark_that_the_mapping_file_names(
    key: str, share: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = report(tmp_path, capsys, with_first_rows(10000).astype(np.uint16), key)
    assert share in said
    assert "note" not in said


def test_doctor_takes_no_wall_for_a_mark(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    noise = np.random.default_rng(0).normal(0, 10, SLOPE.shape)
    wall = with_first_rows(5000, 20) + noise
    assert "note" not in report(tmp_path, capsys, wall.astype(np.uint16))


@pytest.mark.parametrize(
    ("depth", "encoding", "doubt", "remedy"),
    [
        (
            (SLOPE / 1000).astype(np.uint16),
            "16UC1",
            "nothing is farther than 4 mm",
            "mapping file (1.0 if these are metres)",
        ),
        (
            (SLOPE * 5).astype(np.uint16),
            "16UC1",
            "half of the depth is beyond 12.5 m",
            "0.0002 where 5000 counts",
        ),
        (
            SLOPE.astype(np.float32),
            "32FC1",
            "half of the depth is beyond 2500 m",
            "`float_depth_unit: 0.001`",
        ),
        ((SLOPE / 1e6).astype(np.float32), "32FC1", "nothing is farther than 4 mm", "`float_depth_unit`"),
    ],
)
def test_doctor_doubts_an_implausible_unit_of_depth(
    depth: np.ndarray,
    encoding: str,
    doubt: str,
    remedy: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = report(tmp_path, capsys, depth, encoding=encoding)
    assert doubt in said
    assert remedy in said


def test_doctor_does_not_doubt_a_unit_that_the_mapping_file_corrects(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = report(tmp_path, capsys, SLOPE.astype(np.float32), "float_depth_unit: 0.001\n", "32FC1")
    assert "the rest 1.03 to 3.97 m" in said
    assert "note" not in said


def test_doctor_reports_a_camera_that_measures_little(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = report(tmp_path, capsys, with_first_rows(0, HEIGHT - 3).astype(np.uint16))
    assert "only 10.0% have depth that is used" in said


def test_doctor_names_the_range_that_leaves_out_most_depth(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = " ".join(report(tmp_path, capsys, SLOPE.astype(np.uint16), "depth_range: [3.8, 6]\n").split())
    assert "have depth that is used, since 9" in said
    assert "are out of the range from 3.8 to 6 m" in said
    assert "`depth_range` in a mapping file gives another range in metres" in said
    assert "in front of the depth camera" not in said


def test_doctor_passes_over_depth_images_that_cannot_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(recorded: Recorded) -> Recorded:
        return recorded._replace(message=replace(recorded.message, encoding="bgr8"))

    recorded = [broken(each) if each.topic == NAMES[topics.DEPTH] else each for each in drive(0.5)]
    file = tmp_path / "mapping.yaml"
    file.write_text(MOUNT)
    assert check_bag(write_mcap(tmp_path / "bag", recorded), file) == 1
    assert "absent   pixels  no depth image can be read" in capsys.readouterr().out


@given(st.integers(0, 400), st.integers(1, 30))
def test_sample_of_a_sequence_is_even_and_bounded(length: int, limit: int) -> None:
    sample = EvenSample(limit)
    for number in range(length):
        sample.take(RawMessage("/depth", Image.ROS_TYPE, number, b""))
    taken = [raw.stamp_ns for raw in sample.messages]
    assert len(taken) <= limit
    assert len(taken) >= min(length, (limit + 1) // 2)
    stride = taken[1] - taken[0] if len(taken) > 1 else 1
    assert taken == list(range(0, length, stride))[: len(taken)]
    assert not taken or length - taken[-1] <= stride or len(taken) == 1
