"""Tests of the frames of a recorded bag: faults are counted and named, and all other frames are used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from stma_ros.sensing.bag_frames import ExternalBagFrames, Tally
from stma_ros.sensing.bag_topics import choose_topics
from stma_ros.sensing.mapping_file import BagMapping, Frames, Mount, Topics
from stma_ros.sensing.synchroniser import OTHER_PART, WAITING
from stma_ros.storage.bag.reader import Bag, Recorded
from stma_ros.types import topics
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.message import Message
from stma_ros.types.sensing import SegmentLabel, SegmentLabels
from stma_ros.types.standard import CameraInfo, Header, Image, Odometry, PoseStamped, RegionOfInterest, Time
from support.sensing.external_bags import (
    BEGIN,
    FOCAL,
    HEIGHT,
    NAMES,
    OPTICAL,
    SECOND,
    WIDTH,
    drive,
    images,
    odometry,
    tf,
    transform,
    write_mcap,
    write_sqlite,
)

COLOR, DEPTH, INFO = NAMES[topics.COLOR], NAMES[topics.DEPTH], NAMES[topics.CAMERA_INFO]
MOUNTED = BagMapping(camera=Mount(xyz=(0.0, 0.0, 1.2)))
Frame = dict[str, Message]


def frames_of(bag: Path, mapping: BagMapping = MOUNTED) -> tuple[list[Frame], Tally]:
    opened = Bag(bag)
    frames = ExternalBagFrames(opened, choose_topics(opened, mapping), mapping)
    return [dict(frame.parts) for frame in frames], frames.tally


def stamps(frames: Iterable[Mapping[str, Message]]) -> list[int]:
    return [frame[topics.DEPTH].header.stamp.nanoseconds for frame in frames]  # type: ignore[attr-defined]


def restamped(recorded: Recorded, shift: int | None) -> Recorded:
    """Returns the message with its stamp shifted by so many nanoseconds, or without a stamp if shift is None."""
    header = recorded.message.header  # type: ignore[attr-defined]
    stamp = Time() if shift is None else Time.from_nanoseconds(header.stamp.nanoseconds + shift)
    message = replace(recorded.message, header=Header(stamp, header.frame_id))
    return recorded._replace(message=message)


def changed(
    recorded: Iterable[Recorded], topic: str, change: Callable[[Recorded], Recorded | None]
) -> list[Recorded]:
    made = [change(message) if message.topic == topic else message for message in recorded]
    return [message for message in made if message is not None]


def test_bag_frame_has_all_parts_with_the_stamp_of_its_depth_image(tmp_path: Path) -> None:
    late = changed(drive(1.0), COLOR, lambda message: restamped(message, SECOND // 50))
    frames, tally = frames_of(write_sqlite(tmp_path / "bag", late))
    assert [tuple(frame) for frame in frames] == [topics.FRAME] * 10
    assert stamps(frames) == [BEGIN + k * SECOND // 10 for k in range(10)]
    for frame in frames:
        assert len({message.header.stamp.nanoseconds for message in frame.values()}) == 1  # type: ignore[attr-defined]
    assert (tally.frames, tally.seen, set(tally.offsets)) == (10, 10, {SECOND // 50})


def test_bag_frame_has_the_pose_interpolated_at_the_stamp_of_its_depth_image(tmp_path: Path) -> None:
    between = [odometry(BEGIN - SECOND // 10, 0.0), odometry(BEGIN + SECOND // 10, 1.0)]
    frames, _ = frames_of(write_mcap(tmp_path, [between[0], *images(BEGIN), between[1]]))
    base, camera = frames[0][topics.ODOMETRY], frames[0][topics.CAMERA_POSE]
    assert isinstance(base, Odometry)
    assert isinstance(camera, PoseStamped)
    assert base.pose.pose.position.x == pytest.approx(0.5)
    assert (camera.pose.position.x, camera.pose.position.z) == (pytest.approx(0.5), 1.2)
    assert camera.header.frame_id == base.header.frame_id == "odom"


def test_bag_frames_wait_for_late_messages(tmp_path: Path) -> None:
    """No frame is lost when calibration, odometry and the camera's mount arrive after the first images."""
    mount = tf(transform(BEGIN, "base_link", OPTICAL, (0, 0, 1)), static=True)
    recorded = drive(1.0)
    early = [message for message in recorded if message.topic in (COLOR, DEPTH)][:8]
    rest = [message for message in recorded if message not in early]
    dynamic = tf(transform(BEGIN, "map", "odom"))
    frames, tally = frames_of(write_mcap(tmp_path, [*early, dynamic, *rest, mount]), BagMapping())
    assert (len(frames), dict(tally.skipped)) == (10, {})


def test_bag_frame_has_an_empty_segmentation_when_none_was_recorded(tmp_path: Path) -> None:
    frames, _ = frames_of(write_mcap(tmp_path, drive(0.3)))
    image, labels = frames[0][topics.SEGMENTATION], frames[0][topics.SEGMENTATION_LABELS]
    assert isinstance(image, Image)
    assert not image.array().any()
    assert labels.labels == ()  # type: ignore[attr-defined]


@pytest.mark.parametrize("late", [0, 10_000_000])
def test_labels_of_another_image_are_not_taken(tmp_path: Path, late: int) -> None:
    """In each image the ids are others."""
    recorded = list(drive(0.3))
    for message in drive(0.3):
        if message.topic == DEPTH:
            header = message.message.header  # type: ignore[attr-defined]
            ids = Image.from_array(header, np.full((HEIGHT, WIDTH), 3, np.uint8), "mono8")
            stamp = Time.from_nanoseconds(header.stamp.nanoseconds + late)
            labels = SegmentLabels(
                header=replace(header, stamp=stamp), labels=(SegmentLabel(id=3, category="cup"),)
            )
            recorded += [
                Recorded("/seg/ids", message.stamp_ns, ids),
                Recorded("/seg/labels", message.stamp_ns, labels),
            ]
    frames, _ = frames_of(write_mcap(tmp_path, recorded), MOUNTED)
    assert bool(frames[0][topics.SEGMENTATION_LABELS].labels) is (late == 0)  # type: ignore[attr-defined]


def test_bag_frames_take_segmentation_labels_from_the_mapping_file(tmp_path: Path) -> None:
    ids = np.full((HEIGHT, WIDTH), 3, np.uint8)
    seen = [
        Recorded("/seg/ids", m.stamp_ns, Image.from_array(m.message.header, ids, "mono8"))  # type: ignore[attr-defined]
        for m in drive(0.3)
        if m.topic == DEPTH
    ]
    mapping = MOUNTED.model_copy(update={"segmentation_labels": {3: "cup"}})
    frames, _ = frames_of(write_mcap(tmp_path, [*seen, *drive(0.3)]), mapping)
    assert frames[0][topics.SEGMENTATION_LABELS].labels == (SegmentLabel(id=3, category="cup"),)  # type: ignore[attr-defined]
    assert (frames[0][topics.SEGMENTATION].array() == 3).all()  # type: ignore[attr-defined]


def test_bag_frame_includes_the_correction_of_the_localisation(tmp_path: Path) -> None:
    moved = [
        tf(transform(BEGIN - 1, "map", "odom")),
        tf(transform(BEGIN + SECOND // 2, "map", "odom", (1, 0, 0))),
    ]
    recorded = sorted((*drive(1.0), *moved), key=lambda message: message.stamp_ns)
    frames, _ = frames_of(write_mcap(tmp_path, recorded))
    places = [frame[topics.LOCALIZATION].pose.position.x for frame in frames]  # type: ignore[attr-defined]
    assert places == [0.0] * 5 + [1.0] * 5
    assert frames[0][topics.LOCALIZATION].header.frame_id == "map"  # type: ignore[attr-defined]


def test_bag_frames_before_the_first_localisation_are_left_out_and_counted(tmp_path: Path) -> None:
    found = tf(transform(BEGIN + 3 * SECOND, "map", "odom", (5, 3, 0)))
    recorded = sorted((*drive(4.0), found), key=lambda message: message.stamp_ns)
    frames, tally = frames_of(write_mcap(tmp_path, recorded))
    places = {frame[topics.LOCALIZATION].pose.position.x for frame in frames}  # type: ignore[attr-defined]
    assert (len(frames), places) == (25, {5.0})
    ((reason, count),) = tally.skipped.items()
    assert (count, "the localisation is not known yet" in reason) == (15, True)
    unlocalized = MOUNTED.model_copy(update={"frames": Frames(map="odom")})
    frames, tally = frames_of(tmp_path, unlocalized)
    assert (len(frames), len(tally.skipped)) == (40, 0)


def test_bag_frames_report_and_rectify_a_distorted_camera(tmp_path: Path) -> None:
    def bent(recorded: Recorded) -> Recorded:
        return recorded._replace(message=replace(recorded.message, d=np.array([0.5, 0, 0, 0, 0])))

    frames, tally = frames_of(write_mcap(tmp_path, changed(drive(0.3), INFO, bent)))
    assert not frames[0][topics.CAMERA_INFO].d.any()  # type: ignore[attr-defined]
    assert frames[0][topics.DEPTH].array()[0, 0] == 0  # type: ignore[attr-defined]
    assert any("distortion" in note for note in tally.notes)


# -- two estimates of the base's pose


def with_filter(recorded: Iterable[Recorded], share: float) -> list[Recorded]:
    """Adds the transforms of a filter and of a localisation that corrects it to the map's x = 0 at the begin.

    Args:
        recorded: With odometry of the wheels, along x.
        share: Share of that way which was really driven; the rest is slip.
    """
    made = list(recorded)
    for each in recorded:
        if isinstance(each.message, Odometry):
            x = each.message.pose.pose.position.x
            filtered = transform(each.stamp_ns, "odom", "base_link", (share * x, 0, 0))
            made.append(tf(filtered, transform(each.stamp_ns, "map", "odom", (2, 0, 0))))
    return sorted(made, key=lambda each: each.stamp_ns)


def camera_x(frames: Iterable[Frame]) -> list[float]:
    return [frame[topics.CAMERA_POSE].pose.position.x for frame in frames]  # type: ignore[attr-defined]


def test_bag_frames_take_the_transforms_that_localisation_belongs_to_rather_than_other_odometry(
    tmp_path: Path,
) -> None:
    bag = write_mcap(tmp_path, with_filter(drive(3.0), 0.5))
    frames, tally = frames_of(bag)
    assert camera_x(frames) == pytest.approx([0.025 * k for k in range(30)])  # from the first frame on
    assert {frame[topics.ODOMETRY].child_frame_id for frame in frames} == {"base_link"}  # type: ignore[attr-defined]
    (note,) = (note for note in tally.notes if "different poses" in note)
    assert "/odom and /tf tell different poses of 'base_link' in 'odom'" in note
    assert "/tf is taken" in note
    asked = MOUNTED.model_copy(update={"topics": Topics(odometry="/odom")})
    frames, tally = frames_of(bag, asked)
    assert camera_x(frames) == pytest.approx([0.05 * k for k in range(30)])
    assert any("odometry is taken, since the mapping file names it" in note for note in tally.notes)


def test_bag_frames_take_odometry_where_transforms_agree_with_it(tmp_path: Path) -> None:
    rare = [m for m in with_filter(drive(3.0), 1.0) if m.topic != "/tf" or m.stamp_ns % SECOND == 0]
    frames, tally = frames_of(write_mcap(tmp_path, rare))
    assert camera_x(frames) == pytest.approx([0.05 * k for k in range(30)])
    assert not any("different poses" in note for note in tally.notes)


def test_bag_frames_take_odometry_where_its_frames_are_linked_by_a_static_transform(tmp_path: Path) -> None:
    fixed = tf(transform(BEGIN - SECOND, "odom", "base_link"), static=True)
    frames, tally = frames_of(write_mcap(tmp_path, [fixed, *drive(3.0)]))
    assert camera_x(frames) == pytest.approx([0.05 * k for k in range(30)])
    assert not any("different poses" in note for note in tally.notes)


# -- stamps


@pytest.mark.parametrize("mapping", [MOUNTED, MOUNTED.model_copy(update={"stamps": "log"})])
def test_bag_frames_use_the_recording_time_when_messages_have_no_stamps(
    tmp_path: Path, mapping: BagMapping
) -> None:
    recorded = [restamped(message, None) for message in drive(1.0)]
    frames, tally = frames_of(write_mcap(tmp_path, recorded), mapping)
    assert stamps(frames) == [BEGIN + SECOND // 100 + k * SECOND // 10 for k in range(10)]
    assert not tally.skipped


def test_bag_frames_report_two_clocks_and_can_use_the_recording_time_instead(tmp_path: Path) -> None:
    recorded = drive(1.0)
    for topic in (COLOR, DEPTH):  # a camera that counts from its start
        recorded = changed(recorded, topic, lambda message: restamped(message, 60 * SECOND - BEGIN))
    bag = write_mcap(tmp_path, recorded)
    frames, tally = frames_of(bag)
    assert not frames
    assert sum(tally.skipped.values()) == 10
    assert "stamps: log" in next(iter(tally.skipped))
    frames, _ = frames_of(bag, MOUNTED.model_copy(update={"stamps": "log"}))
    assert len(frames) == 10


def test_bag_frames_split_a_recording_where_time_jumps_back(tmp_path: Path) -> None:
    bag = write_mcap(tmp_path, [*drive(1.0), *drive(0.5, begin=BEGIN - 1000 * SECOND)])
    frames, tally = frames_of(bag)
    assert stamps(frames) == [BEGIN + k * SECOND // 10 for k in range(10)]
    assert tally.skipped == {OTHER_PART: 5}
    assert any("falls into parts, of which part 1" in note for note in tally.notes)
    frames, _ = frames_of(bag, MOUNTED.model_copy(update={"part": 2}))
    assert stamps(frames) == [BEGIN - 1000 * SECOND + k * SECOND // 10 for k in range(5)]


def test_bag_frames_lose_no_recorded_frame_to_a_gap(tmp_path: Path) -> None:
    bag = write_mcap(tmp_path, [*drive(1.0), *drive(1.0, begin=BEGIN + 3600 * SECOND)])
    frames, tally = frames_of(bag)
    assert len(frames) == 20
    assert not tally.skipped


# -- missing and inconsistent parts


def test_bag_frames_skip_the_frames_after_odometry_stops(tmp_path: Path) -> None:
    recorded = [
        m for m in drive(4.0, hz=20) if m.topic != NAMES[topics.ODOMETRY] or m.stamp_ns < BEGIN + SECOND
    ]
    frames, tally = frames_of(write_mcap(tmp_path, recorded))
    assert len(frames) == 20
    assert sum(tally.skipped.values()) == 60 > WAITING
    assert all("no odometry at that time" in reason for reason in tally.skipped)


def test_bag_frames_refuse_a_bag_without_calibration(tmp_path: Path) -> None:
    nothing = [message for message in drive(0.5) if message.topic != INFO]
    last = Recorded(INFO, BEGIN + 60 * SECOND, CameraInfo())
    with pytest.raises(ConfigurationError, match="not calibrated"):
        frames_of(write_mcap(tmp_path, [*nothing, last]))


def test_bag_frames_report_colour_images_of_another_size_than_depth(tmp_path: Path) -> None:
    def large(recorded: Recorded) -> Recorded:
        header = recorded.message.header  # type: ignore[attr-defined]
        image = Image.from_array(header, np.zeros((2 * HEIGHT, 2 * WIDTH, 3), np.uint8), "rgb8")
        return recorded._replace(message=image)

    frames, tally = frames_of(write_mcap(tmp_path, changed(drive(0.5), COLOR, large)))
    assert not frames
    ((reason, count),) = tally.skipped.items()
    assert (count, reason.startswith("colour is 80x60 but depth 40x30")) == (5, True)
    assert "topics.depth in a mapping file" in reason


def test_bag_frames_report_a_calibration_of_another_image_size(tmp_path: Path) -> None:
    def other(recorded: Recorded) -> Recorded:
        k = np.array([FOCAL, 0, 160, 0, FOCAL, 120, 0, 0, 1])
        return recorded._replace(message=CameraInfo(recorded.message.header, 240, 320, k=k))  # type: ignore[attr-defined]

    frames, tally = frames_of(write_mcap(tmp_path, changed(drive(0.5), INFO, other)))
    assert not frames
    assert "camera_info says 320x240" in next(iter(tally.skipped))


@pytest.mark.parametrize(
    ("size", "middle", "focal", "change"),
    [
        (
            (2 * WIDTH, 2 * HEIGHT),
            (WIDTH - 1, HEIGHT - 1),
            2 * FOCAL,
            {"binning_x": 2, "binning_y": 2},
        ),
        (
            (2 * WIDTH, 2 * HEIGHT),
            (WIDTH / 2 + 9.5, HEIGHT / 2 + 4.5),
            FOCAL,
            {"roi": RegionOfInterest(10, 5, HEIGHT, WIDTH)},
        ),
    ],
    ids=["binned", "region of interest"],
)
def test_bag_frames_of_binned_images_and_of_a_part_of_the_sensor_have_their_own_calibration(
    tmp_path: Path,
    size: tuple[int, int],
    middle: tuple[float, float],
    focal: float,
    change: dict[str, object],
) -> None:
    k = np.array([focal, 0, middle[0], 0, focal, middle[1], 0, 0, 1])

    def of_sensor(recorded: Recorded) -> Recorded:
        width, height = size
        info = replace(recorded.message, width=width, height=height, k=k, **change)
        return recorded._replace(message=info)

    frames, tally = frames_of(write_mcap(tmp_path, changed(drive(0.5), INFO, of_sensor)))
    assert not tally.skipped
    for frame in frames:
        info = frame[topics.CAMERA_INFO]
        assert (info.width, info.height) == (WIDTH, HEIGHT)  # type: ignore[attr-defined]
        assert info.k[[0, 2, 4, 5]].tolist() == [FOCAL, (WIDTH - 1) / 2, FOCAL, (HEIGHT - 1) / 2]  # type: ignore[attr-defined]


def test_bag_frames_note_depth_that_may_not_be_registered_to_colour(tmp_path: Path) -> None:
    def elsewhere(recorded: Recorded) -> Recorded:
        header = Header(recorded.message.header.stamp, "camera_depth_optical_frame")  # type: ignore[attr-defined]
        return recorded._replace(message=replace(recorded.message, header=header))

    frames, tally = frames_of(write_mcap(tmp_path, changed(drive(0.5), DEPTH, elsewhere)))
    assert len(frames) == 5
    assert any(
        "'camera_depth_optical_frame', colour in 'camera_color_optical_frame'" in note for note in tally.notes
    )


def test_bag_frames_skip_only_the_frame_of_an_unusable_image(tmp_path: Path) -> None:
    def bayer(recorded: Recorded) -> Recorded:
        if recorded.stamp_ns != BEGIN + SECOND // 100:
            return recorded
        return recorded._replace(message=replace(recorded.message, encoding="bayer_rggb8"))

    frames, tally = frames_of(write_mcap(tmp_path, changed(drive(0.5), COLOR, bayer)))
    assert len(frames) == 4
    assert "Bayer" in next(iter(tally.skipped))


def test_bag_frames_report_swapped_depth_and_colour_with_their_topic(tmp_path: Path) -> None:
    swapped = MOUNTED.model_copy(update={"topics": Topics(depth=COLOR, color=DEPTH)})
    frames, tally = frames_of(write_mcap(tmp_path, drive(0.5)), swapped)
    assert not frames
    ((reason, count),) = tally.skipped.items()
    assert (count, reason.startswith(f"{COLOR}: depth is 'rgb8'")) == (5, True)
    assert "topics.depth in a mapping file" in reason


def test_bag_frames_refuse_a_part_of_the_recording_that_does_not_exist(tmp_path: Path) -> None:
    bag = write_mcap(tmp_path / "bag", drive(0.5))
    with pytest.raises(ConfigurationError, match=r"part: 3 .* there is 1 part only; leave `part` out"):
        frames_of(bag, MOUNTED.model_copy(update={"part": 3}))


@pytest.mark.parametrize(
    ("mount", "notes"),
    [
        (Mount(xyz=(0, 0, 1)), ["camera.rpy is not said: the camera is taken to look straight ahead"]),
        (Mount(xyz=(0, 0, 1), optical=True), ["camera.rpy is not said: the camera is taken to look up"]),
        (Mount(xyz=(0, 0, 1), rpy=(0, 0, 0)), []),
    ],
)
def test_bag_frames_note_the_assumed_direction_of_the_camera(
    tmp_path: Path, mount: Mount, notes: list[str]
) -> None:
    _, tally = frames_of(write_mcap(tmp_path, drive(0.5)), BagMapping(camera=mount))
    assert list(tally.notes) == notes


def test_bag_frames_leave_out_poses_that_are_not_numbers(tmp_path: Path) -> None:
    recorded = drive(0.5)
    broken = odometry(BEGIN + SECOND // 10 + 1, float("nan"))
    frames, tally = frames_of(write_mcap(tmp_path, sorted((*recorded, broken), key=lambda m: m.stamp_ns)))
    assert len(frames) == 5
    assert any("1 poses were not numbers" in note for note in tally.notes)


def test_bag_frames_of_a_truncated_bag_are_those_before_the_cut(tmp_path: Path) -> None:
    bag = write_mcap(tmp_path / "bag", drive(4.0))
    file = bag / "run.mcap"
    content = file.read_bytes()
    whole, _ = frames_of(bag)
    for share in (0.1, 0.4, 0.7):
        file.write_bytes(content[: int(len(content) * share)])
        frames, tally = frames_of(bag)
        assert stamps(frames) == stamps(whole)[: len(frames)]
        assert tally.damages or len(frames) == len(whole)
