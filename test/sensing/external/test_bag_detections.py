"""Tests of the detections of other nodes in bags, written with the definitions of vision_msgs as its packages have
them."""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rosbags.rosbag2 import StoragePlugin, Writer
from rosbags.typesys import Stores, get_types_from_msg, get_typestore
from rosbags.typesys.store import Typestore

from stma_ros.apps.replay_external import replay_external
from stma_ros.replay.exact_replay import replay
from stma_ros.sensing.bag_frames import ExternalBagFrames, Tally
from stma_ros.sensing.bag_topics import choose_topics
from stma_ros.sensing.calibration import calibration
from stma_ros.sensing.external.bag_detections import _without_distortion
from stma_ros.sensing.mapping_file import read_mapping
from stma_ros.storage.bag.reader import Bag, Recorded
from stma_ros.storage.cdr import to_cdr
from stma_ros.types import topics
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.sensing import ExternalDetection, ExternalDetections
from stma_ros.types.standard import Header, Image, Time
from support.sensing.external_bags import (
    BEGIN,
    HEIGHT,
    MOUNT,
    OPTICAL,
    SECOND,
    WIDTH,
    camera_info,
    drive,
    tf,
    transform,
)

POINT, POSE, BOX_2D, BOX_3D, HYPOTHESIS, WITH_POSE, FOUND_2D, FOUND_3D, ARRAY_2D, ARRAY_3D, CLASS, LABELS = (
    f"vision_msgs/msg/{name}"
    for name in (
        "Point2D",
        "Pose2D",
        "BoundingBox2D",
        "BoundingBox3D",
        "ObjectHypothesis",
        "ObjectHypothesisWithPose",
        "Detection2D",
        "Detection3D",
        "Detection2DArray",
        "Detection3DArray",
        "VisionClass",
        "LabelInfo",
    )
)
HUMBLE = {
    POINT: "float64 x\nfloat64 y",
    POSE: "vision_msgs/Point2D position\nfloat64 theta",
    BOX_2D: "vision_msgs/Pose2D center\nfloat64 size_x\nfloat64 size_y",
    BOX_3D: "geometry_msgs/Pose center\ngeometry_msgs/Vector3 size",
    HYPOTHESIS: "string class_id\nfloat64 score",
    WITH_POSE: "vision_msgs/ObjectHypothesis hypothesis\ngeometry_msgs/PoseWithCovariance pose",
    FOUND_2D: "std_msgs/Header header\nvision_msgs/ObjectHypothesisWithPose[] results\nvision_msgs/BoundingBox2D bbox\n"
    "string id",
    FOUND_3D: "std_msgs/Header header\nvision_msgs/ObjectHypothesisWithPose[] results\nvision_msgs/BoundingBox3D bbox\n"
    "string id",
    ARRAY_2D: "std_msgs/Header header\nvision_msgs/Detection2D[] detections",
    ARRAY_3D: "std_msgs/Header header\nvision_msgs/Detection3D[] detections",
    CLASS: "uint16 class_id\nstring class_name",
    LABELS: "std_msgs/Header header\nvision_msgs/VisionClass[] class_map\nfloat32 threshold",
}
"""Of vision_msgs 4, as from Humble on."""

FOXY = {
    WITH_POSE: "string id\nfloat64 score\ngeometry_msgs/PoseWithCovariance pose",
    BOX_2D: "geometry_msgs/Pose2D center\nfloat64 size_x\nfloat64 size_y",
    FOUND_2D: "std_msgs/Header header\nvision_msgs/ObjectHypothesisWithPose[] results\nvision_msgs/BoundingBox2D bbox\n"
    "sensor_msgs/Image source_img\nbool is_tracking\nstring tracking_id",
    ARRAY_2D: "std_msgs/Header header\nvision_msgs/Detection2D[] detections",
}

YOLO = "/yolo/detections"
Row = tuple[str, int, str, Any]
"""Topic, log time [ns], type and message."""


def store_of(definitions: Mapping[str, str], base: Stores = Stores.ROS2_HUMBLE) -> Typestore:
    store = get_typestore(base)
    store.register(
        {
            key: value
            for name, text in definitions.items()
            for key, value in get_types_from_msg(text, name).items()
        }
    )
    return store


STORE = store_of(HUMBLE)
T = STORE.types


def header(stamp: int, frame: str = OPTICAL) -> Any:
    return T["std_msgs/msg/Header"](T["builtin_interfaces/msg/Time"](*divmod(stamp, SECOND)), frame)


def results(*found: tuple[str, float]) -> list[Any]:
    pose = T["geometry_msgs/msg/PoseWithCovariance"](_pose(), np.zeros(36))
    return [T[WITH_POSE](T[HYPOTHESIS](word, score), pose) for word, score in found]


def _pose(x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Any:
    point, turn = T["geometry_msgs/msg/Point"](x, y, z), T["geometry_msgs/msg/Quaternion"](0.0, 0.0, 0.0, 1.0)
    return T["geometry_msgs/msg/Pose"](point, turn)


def boxes(stamp: int, *found: tuple[list[Any], tuple[float, float, float, float]], theta: float = 0.0) -> Row:
    """Returns boxes by centre and size."""
    items = [
        T[FOUND_2D](
            header(stamp),
            result,
            T[BOX_2D](T[POSE](T[POINT](box[0], box[1]), theta), box[2], box[3]),
            "track 7",
        )
        for result, box in found
    ]
    return YOLO, stamp + SECOND // 5, ARRAY_2D, T[ARRAY_2D](header(stamp), items)


def space_boxes(stamp: int, frame: str, x: float, y: float, z: float, word: str = "cup") -> Row:
    box = T[BOX_3D](_pose(x, y, z), T["geometry_msgs/msg/Vector3"](0.5, 0.5, 0.5))
    item = T[FOUND_3D](header(stamp, ""), results((word, 0.5)), box, "")
    return YOLO, stamp, ARRAY_3D, T[ARRAY_3D](header(stamp, frame), [item])


def mask(stamp: int, classes: np.ndarray, encoding: str = "mono8") -> Recorded:  # type: ignore[type-arg]
    image = Image.from_array(Header(Time.from_nanoseconds(stamp), OPTICAL), classes, encoding)
    return Recorded("/seg/classes", stamp + SECOND // 100, image)


def written(
    folder: Path,
    rows: Iterable[Row],
    messages: Iterable[Recorded] = (),
    plugin: StoragePlugin = StoragePlugin.SQLITE3,
    store: Typestore = STORE,
    seconds: float = 1.0,
) -> Path:
    """Writes a bag of a drive with further messages."""
    merged = [
        (name, stamp, message.ROS_TYPE, to_cdr(message))
        for name, stamp, message in (*drive(seconds), *messages)
    ]
    merged += [
        (name, stamp, kind, bytes(store.serialize_cdr(message, kind))) for name, stamp, kind, message in rows
    ]
    with Writer(folder, version=9, storage_plugin=plugin) as writer:
        connections: dict[str, Any] = {}
        for name, stamp, kind, data in sorted(merged, key=lambda each: each[1]):
            if name not in connections:
                connections[name] = writer.add_connection(name, kind, typestore=store)
            writer.write(connections[name], stamp, data)
    return folder


def read(bag: Path, mapping: str = "") -> tuple[list[ExternalDetections], Tally]:
    file = bag.parent / "mapping.yaml"
    file.write_text(MOUNT + mapping, encoding="utf-8")
    about, opened = read_mapping(file), Bag(bag)
    frames = ExternalBagFrames(opened, choose_topics(opened, about), about)
    found = [frame.parts[topics.DETECTIONS] for frame in frames]
    assert all(isinstance(each, ExternalDetections) for each in found)
    return found, frames.tally  # type: ignore[return-value]


def named(found: ExternalDetections) -> list[list[tuple[str, float]]]:
    return [[(each.category, each.score) for each in item.hypotheses] for item in found.detections]


CUP = results(("cup", 0.25), ("mug", 0.75)), (20.0, 15.0, 10.0, 6.0)
BOOK = results(("book", 0.5)), (5.0, 5.0, 4.0, 4.0)
STAMPS = [BEGIN + k * SECOND // 10 for k in range(10)]


@pytest.mark.parametrize("plugin", list(StoragePlugin))
def test_boxes_are_read_with_all_hypotheses_by_the_definitions_in_the_bag(
    tmp_path: Path, plugin: StoragePlugin
) -> None:
    found, _ = read(written(tmp_path / "bag", (boxes(stamp, CUP, BOOK) for stamp in STAMPS), plugin=plugin))
    assert len(found) == 10
    for stamp, each in zip(STAMPS, found, strict=True):
        assert each.header.stamp.nanoseconds == stamp
        assert named(each) == [[("mug", 0.75), ("cup", 0.25)], [("book", 0.5)]]
        assert each.detections[0].edges == (15, 12, 25, 18)
        assert not each.error
        assert not each.incomplete


def test_boxes_of_a_bag_without_definitions_are_read_as_those_of_vision_msgs_4(tmp_path: Path) -> None:
    bag = written(tmp_path / "bag", (boxes(stamp, CUP) for stamp in STAMPS))
    without_definitions(bag)
    found, _ = read(bag)
    assert named(found[0]) == [[("mug", 0.75), ("cup", 0.25)]]


def without_definitions(bag: Path) -> None:
    """Makes a bag like those of Humble."""
    (file,) = bag.glob("*.db3")
    with closing(sqlite3.connect(file)) as base:
        base.execute("DROP TABLE message_definitions")
        base.commit()


def test_boxes_of_older_versions_are_read_by_the_names_of_their_fields(tmp_path: Path) -> None:
    store = store_of(FOXY, Stores.ROS2_FOXY)
    types = store.types
    top = types["std_msgs/msg/Header"](types["builtin_interfaces/msg/Time"](*divmod(BEGIN, SECOND)), OPTICAL)
    point, turn = types["geometry_msgs/msg/Point"](0, 0, 0), types["geometry_msgs/msg/Quaternion"](0, 0, 0, 1)
    pose = types["geometry_msgs/msg/PoseWithCovariance"](
        types["geometry_msgs/msg/Pose"](point, turn), np.zeros(36)
    )
    box = types[BOX_2D](types["geometry_msgs/msg/Pose2D"](20.0, 15.0, 0.0), 10.0, 6.0)
    picture = types["sensor_msgs/msg/Image"](top, 0, 0, "", 0, 0, np.zeros(0, np.uint8))
    item = types[FOUND_2D](top, [types[WITH_POSE]("cup", 0.5, pose)], box, picture, False, "")
    row = YOLO, BEGIN, ARRAY_2D, types[ARRAY_2D](top, [item])
    found, _ = read(written(tmp_path / "bag", [row], plugin=StoragePlugin.MCAP, store=store))
    assert named(found[0]) == [[("cup", 0.5)]]
    assert found[0].detections[0].edges == (15, 12, 25, 18)


def test_turned_box_becomes_the_upright_one_round_it(tmp_path: Path) -> None:
    found, _ = read(written(tmp_path / "bag", [boxes(BEGIN, CUP, theta=math.pi / 2)]))
    assert found[0].detections[0].edges == pytest.approx((17, 10, 23, 20))


def test_frames_without_detections_near_have_an_error(tmp_path: Path) -> None:
    found, _ = read(written(tmp_path / "bag", [boxes(STAMPS[4] + SECOND // 50, CUP), boxes(STAMPS[7])]))
    assert [not each.error for each in found] == [k in (4, 7) for k in range(10)]
    assert "no detections within 0.05 s of the image" in found[0].error.text
    assert found[7].detections == ()


@pytest.mark.parametrize("latency", [0.2, 5.0, 3600.0])
def test_boxes_join_their_own_image_however_late_they_were_recorded(tmp_path: Path, latency: float) -> None:
    late = [
        (YOLO, stamp + round(latency * SECOND), kind, message)
        for stamp in range(BEGIN, BEGIN + 8 * SECOND, SECOND // 2)
        for _, _, kind, message in [boxes(stamp, CUP)]
    ]
    found, tally = read(written(tmp_path / "bag", late, seconds=8.0))
    assert [k for k, each in enumerate(found) if not each.error] == list(range(0, 80, 5))
    assert not any("joined no frame" in note for note in tally.notes)


def test_boxes_join_the_nearest_image_alone(tmp_path: Path) -> None:
    near = [boxes(stamp + shift, CUP) for stamp, shift in ((STAMPS[2], 0), (STAMPS[7], -SECOND // 25))]
    found, _ = read(written(tmp_path / "bag", near), "tolerance: 0.12\n")
    assert [k for k, each in enumerate(found) if not each.error] == [2, 7]


def test_messages_with_boxes_or_masks_that_join_no_frame_are_counted(tmp_path: Path) -> None:
    classes = np.ones((HEIGHT, WIDTH), np.uint8)
    late = mask(STAMPS[0], classes)._replace(stamp_ns=BEGIN + 5 * SECOND)
    rows = [boxes(STAMPS[0], CUP), boxes(STAMPS[1], CUP), boxes(STAMPS[0] - SECOND, CUP)]
    bag = written(tmp_path / "bag", rows, [late, mask(STAMPS[1], classes)], seconds=5.0)
    topic = "topics: {class_mask: /seg/classes}\ndetections_labels: [none, cup]\n"
    found, tally = read(bag, topic)
    assert [each.class_mask.width for each in found[:2]] == [0, WIDTH]
    notes = [note for note in tally.notes if "joined no frame" in note]
    assert [note[:36] for note in notes] == [
        "1 of 3 messages on /yolo/detections ",
        "1 of 2 messages on /seg/classes join",
    ]
    assert "more than 32 depth images after its own" in notes[1]


def test_boxes_of_the_chosen_part_are_used_where_time_was_set_back(tmp_path: Path) -> None:
    again = [each._replace(stamp_ns=each.stamp_ns + 60 * SECOND) for each in drive(1.0)]
    first = [boxes(stamp, CUP) for stamp in STAMPS]
    later = BEGIN + 30 * SECOND
    between = [(YOLO, later + k, ARRAY_2D, boxes(later + k, CUP)[3]) for k in range(2)]
    second = [(YOLO, stamp + 60 * SECOND, ARRAY_2D, boxes(stamp, BOOK)[3]) for stamp in STAMPS]
    bag = written(tmp_path / "bag", [*first, *between, *second], [*drive(0.5, begin=later), *again])
    assert {str(named(each)) for each in read(bag)[0][:10]} == {"[[('mug', 0.75), ('cup', 0.25)]]"}
    found, _ = read(bag, "part: 2\n")
    assert [named(each) for each in found] == [[[("book", 0.5)]]] * 10


def test_numbers_of_classes_get_their_labels_and_labels_their_categories(tmp_path: Path) -> None:
    rows = [boxes(BEGIN, *((results((word, 0.5)), CUP[1]) for word in ("41", "0", "57", "99")))]
    bag = written(tmp_path / "bag", rows)
    labels = "detections_labels: {41: cup, 0: person, 57: couch}\ncategories: {couch: sofa, person: ''}\n"
    found, _ = read(bag, labels)
    assert named(found[0]) == [[("cup", 0.5)], [("sofa", 0.5)]]
    assert "class 99 has no label" in found[0].incomplete.text
    (tmp_path / "coco.names").write_text("person\nbicycle\n" + "thing\n" * 39 + "cup\n", encoding="utf-8")
    assert named(read(bag, "detections_labels: coco.names\n")[0][0])[0] == [("cup", 0.5)]
    assert "class 41 has no label" in read(bag)[0][0].incomplete.text


def test_label_info_of_the_bag_names_the_classes(tmp_path: Path) -> None:
    info = "/yolo/labels", BEGIN, LABELS, T[LABELS](header(BEGIN), [T[CLASS](41, "cup")], 0.5)
    bag = written(tmp_path / "bag", [boxes(BEGIN, (results(("41", 0.5)), CUP[1])), info])
    assert named(read(bag)[0][0]) == [[("cup", 0.5)]]


@pytest.mark.parametrize(
    ("result", "box", "reason"),
    [
        (results(), CUP[1], "names no class"),
        (results(("", 0.5)), CUP[1], "names no class"),
        (results(("cup", math.nan)), CUP[1], "a score is not between 0 and 1"),
        (results(("cup", 80.0)), CUP[1], "a score is not between 0 and 1"),
        (results(("cup", 0.5)), (math.nan, 1.0, 2.0, 2.0), "an edge of a box is not a number"),
        (results(("cup", 0.5)), (5.0, 5.0, -4.0, 4.0), "empty or reversed"),
        (results(("cup", 0.5)), (5.0, 5.0, 0.0, 0.0), "empty or reversed"),
    ],
)
def test_unusable_detections_are_counted_and_the_others_used(
    tmp_path: Path, result: list[Any], box: tuple[float, float, float, float], reason: str
) -> None:
    found, _ = read(written(tmp_path / "bag", [boxes(BEGIN, (result, box), BOOK, (result, box))]))
    assert named(found[0]) == [[("book", 0.5)]]
    assert f"{reason}" in found[0].incomplete.text
    assert "(2 times)" in found[0].incomplete.text


def test_damaged_message_is_the_error_of_its_image(tmp_path: Path) -> None:
    bag = written(tmp_path / "bag", [boxes(BEGIN, CUP), boxes(STAMPS[1], CUP)])
    (file,) = bag.glob("*.db3")
    with closing(sqlite3.connect(file)) as base:
        topic = "(SELECT id FROM topics WHERE name = ?)"
        first = f"(SELECT min(id) FROM messages WHERE topic_id = {topic})"
        base.execute(f"UPDATE messages SET data = substr(data, 1, 90) WHERE id = {first}", (YOLO,))
        base.commit()
    found, tally = read(bag)
    assert tally.frames == 10
    assert "that are no vision_msgs/msg/Detection2DArray" in found[0].error.text
    assert named(found[1]) == [[("mug", 0.75), ("cup", 0.25)]]


def test_boxes_in_space_come_into_the_frame_of_the_camera_by_the_transforms_of_the_bag(
    tmp_path: Path,
) -> None:
    lidar = tf(transform(BEGIN, OPTICAL, "lidar", (0.0, 0.0, 1.0)), static=True)
    rows = [space_boxes(STAMPS[0], "lidar", 0.0, 0.5, 1.0), space_boxes(STAMPS[1], OPTICAL, 0.0, 0.5, 2.0)]
    rows += [space_boxes(STAMPS[2], "", 0.0, 0.5, 2.0), space_boxes(STAMPS[3], "unknown", 0.0, 0.5, 2.0)]
    found, _ = read(written(tmp_path / "bag", rows, [lidar]))
    for each in found[:3]:
        center = each.detections[0].box.center.position
        assert (each.header.frame_id, center.x, center.y, center.z) == (OPTICAL, 0.0, 0.5, 2.0)
    assert found[3].header.frame_id == "unknown"


def test_mask_of_classes_is_read_with_its_labels(tmp_path: Path) -> None:
    classes = np.zeros((HEIGHT, WIDTH), np.uint8)
    classes[5:9, 5:9] = 41
    bag = written(tmp_path / "bag", (), [mask(stamp, classes) for stamp in STAMPS])
    topic = "topics: {class_mask: /seg/classes}\n"
    found, _ = read(
        bag, topic + "detections_labels: {41: couch, 0: person}\ncategories: {couch: sofa, person: ''}\n"
    )
    assert np.array_equal(found[0].class_mask.array(), classes)
    assert [(label.id, label.category) for label in found[0].labels] == [(41, "sofa")]
    assert math.isnan(found[0].labels[0].confidence)  # a mask has no scores
    assert "list their labels as detections_labels" in read(bag, topic)[0][0].error.text


def test_mask_in_colours_is_the_error_of_its_image(tmp_path: Path) -> None:
    colours = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    bag = written(tmp_path / "bag", (), [mask(BEGIN, colours, "rgb8")])
    found, _ = read(bag, "topics: {class_mask: /seg/classes}\ndetections_labels: [none, cup]\n")
    assert "record the ids, as mono8 or 16UC1" in found[0].error.text


def jsonl(path: Path, *lines: object) -> None:
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")


def test_file_beside_the_bag_gives_detections_in_any_order_and_names_its_bad_lines(tmp_path: Path) -> None:
    item = {"label": "couch", "score": 0.5, "box": [15, 12, 25, 18]}
    lines = [{"stamp": stamp + SECOND // 50, "objects": [item]} for stamp in STAMPS]
    jsonl(tmp_path / "found.jsonl", *reversed(lines), {"stamp": "x", **item})
    found, tally = read(written(tmp_path / "bag", ()), "detections: found.jsonl\ncategories: {couch: sofa}\n")
    assert [named(each) for each in found] == [[[("sofa", 0.5)]]] * 10
    assert "found.jsonl: line 11 is left out: the stamp is no number" in tally.notes


def test_missing_file_of_detections_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"missing\.jsonl cannot be read"):
        read(written(tmp_path / "bag", ()), "detections: missing.jsonl\n")


def test_boxes_in_distorted_images_enclose_the_same_pixels_without_distortion(tmp_path: Path) -> None:
    straight = calibration(camera_info(), "/depth", False)
    bent = calibration(camera_info(distortion=(-0.3, 0.0, 0.0, 0.0)), "/depth", False)
    box = ExternalDetection(left=28, top=18, right=34, bottom=24)
    assert _without_distortion(box, straight).edges == box.edges
    moved = _without_distortion(box, bent)
    assert moved.left > box.left
    assert moved.right > box.right


@pytest.mark.parametrize("is_complete", [True, False])
def test_replay_of_a_bag_takes_what_another_node_detected_and_is_replayed_exactly(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], is_complete: bool
) -> None:
    rows = [boxes(stamp, CUP) for stamp in (STAMPS if is_complete else STAMPS[:5])]
    bag = written(tmp_path / "bag", rows)
    file = tmp_path / "mapping.yaml"
    file.write_text(MOUNT, encoding="utf-8")
    out, summary = tmp_path / "watched", tmp_path / "summary.json"
    settings = {"perception": {"source": "detections"}}
    assert replay_external(bag, file, overrides=settings, out=out, json_file=summary) == 0
    keyframes = json.loads((out / "keyframes.json").read_text(encoding="utf-8"))
    assert [[item["category"] for item in keyframe["seen"]] for keyframe in keyframes] == [["mug"]] * (
        2 if is_complete else 1
    )
    not_used = json.loads(summary.read_text(encoding="utf-8"))["not_used"]
    assert ["no detections within" in reason for reason in not_used] == ([] if is_complete else [True])
    result = replay(Bag(out))
    assert (result.same, result.first) == (True, None)


def test_replay_says_that_recorded_detections_are_not_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mapping.yaml"
    file.write_text(MOUNT, encoding="utf-8")
    replay_external(written(tmp_path / "bag", [boxes(BEGIN, CUP)]), file, out=tmp_path / "out")
    assert "the detections of /yolo/detections are not used" in capsys.readouterr().out


def test_replay_refuses_a_bag_without_the_detections_that_it_is_to_take(tmp_path: Path) -> None:
    file = tmp_path / "mapping.yaml"
    file.write_text(MOUNT, encoding="utf-8")
    settings = {"perception": {"source": "detections"}}
    with pytest.raises(ConfigurationError, match=r"has no detections: record the detector's vision_msgs"):
        replay_external(written(tmp_path / "bag", ()), file, overrides=settings, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_replay_of_a_bag_with_a_dead_detector_answers_questions(tmp_path: Path) -> None:
    file, summary = tmp_path / "mapping.yaml", tmp_path / "summary.json"
    file.write_text(MOUNT, encoding="utf-8")
    settings = {"perception": {"source": "detections"}}
    bag = written(tmp_path / "bag", [boxes(BEGIN, CUP)])
    replay_external(bag, file, ["a mug"], overrides=settings, out=tmp_path / "out", json_file=summary)
    assert len(json.loads(summary.read_text(encoding="utf-8"))["answers"]) == 1
