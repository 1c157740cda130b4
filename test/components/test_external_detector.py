"""Tests of the detector that takes the detections of other nodes, through perception."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
import pytest

from stma_ros.components.perception.perception import Perception, PerceptionConfig
from stma_ros.sensing.detectors.names import DETECTIONS
from stma_ros.types import topics
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.message import Message
from stma_ros.types.sensing import (
    ExternalDetection,
    ExternalDetections,
    KeyframeDetections,
    ObjectHypothesis,
    SegmentLabel,
)
from stma_ros.types.standard import Header, Image, Point, Pose, Quaternion, Time, Vector3
from support.components.wall_frames import HEIGHT, WIDTH, HandedParts, frame, perceiving

CONFIG = PerceptionConfig(source=DETECTIONS, keyframe_distance=0.0)
CAMERA = "camera_optical_frame"


def at(seconds: float) -> Time:
    return Time.from_nanoseconds(round(seconds * 1e9))


def hypotheses(*found: tuple[str, float]) -> tuple[ObjectHypothesis, ...]:
    return tuple(ObjectHypothesis(category=category, score=score) for category, score in found)


def boxed(category: str, left: float, top: float, right: float, bottom: float) -> ExternalDetection:
    return ExternalDetection(
        hypotheses=hypotheses((category, 0.75)), left=left, top=top, right=right, bottom=bottom
    )


def placed(category: str, x: float, y: float, z: float, side: float = 0.4) -> ExternalDetection:
    box = BoundingBox3D.aligned(Point(x, y, z), Vector3(side, side, side))
    return ExternalDetection(hypotheses=hypotheses((category, 0.6)), box=box)


def detections(
    seconds: float, *found: ExternalDetection, frame_id: str = CAMERA, **fields: object
) -> ExternalDetections:
    return ExternalDetections(header=Header(at(seconds), frame_id), detections=found, **fields)  # type: ignore[arg-type]


def scene(seconds: float) -> dict[str, Message]:
    """Returns a frame of a wall at 2 m with something 0.2 m before it in rows 20 to 40 and columns 30 to 50."""
    parts = frame(at(seconds))
    depth = np.full((HEIGHT, WIDTH), 2000, np.uint16)
    depth[20:40, 30:50] = 1800
    header = parts[topics.DEPTH].header  # type: ignore[attr-defined]
    return {**parts, topics.DEPTH: Image.from_array(header, depth, "16UC1")}


def emitted(
    perception: HandedParts[Perception], *messages: Message | dict[str, Message]
) -> list[KeyframeDetections]:
    found: list[KeyframeDetections] = []
    for message in messages:
        parts: Iterable[tuple[str, Message]]
        parts = message.items() if isinstance(message, dict) else ((topics.DETECTIONS, message),)
        for topic, part in parts:
            out = perception.handle(topic, part)
            found += (update for _, update in out if isinstance(update, KeyframeDetections))
    return found


def seen(*messages: Message | dict[str, Message], config: PerceptionConfig = CONFIG) -> KeyframeDetections:
    (update, *_) = emitted(perceiving(config), *messages)
    return update


def test_box_of_another_node_becomes_a_detection_with_its_score_where_depth_finds_the_thing() -> None:
    update = seen(scene(1), detections(1, boxed("coffee mug", 28, 18, 52, 42)))
    (found,) = update.detections
    assert found.category == "mug"
    assert found.confidence == pytest.approx(0.75, abs=0.01)
    assert (found.roi.x_offset, found.roi.y_offset, found.roi.width, found.roi.height) == (30, 20, 20, 20)
    assert found.center.x == pytest.approx(1.8, abs=0.05)
    assert [source.topic for source in update.derived_from] == [topics.CAMERA_FRAME, topics.DETECTIONS]


@pytest.mark.parametrize("is_first", [True, False])
def test_order_of_frame_and_detections_does_not_matter(is_first: bool) -> None:
    found = detections(1, boxed("cup", 28, 18, 52, 42))
    one, other = (found, scene(1)) if is_first else (scene(1), found)
    assert len(seen(one, other).detections) == 1


def test_parts_of_the_building_are_no_detections() -> None:
    assert seen(scene(1), detections(1, boxed("wall", 28, 18, 52, 42))).detections == ()


def test_empty_detections_are_an_image_in_which_nothing_was_found() -> None:
    update = seen(scene(1), detections(1))
    assert update.keyframe
    assert update.detections == ()
    assert not update.error


def test_nearest_detections_within_the_tolerance_are_taken_once_the_wait_is_over() -> None:
    perception = perceiving(CONFIG)
    near, far = boxed("cup", 28, 18, 52, 42), boxed("book", 28, 18, 52, 42)
    assert emitted(perception, detections(1.04, far), scene(1), detections(0.98, near), scene(1.5)) == []
    update, *_ = emitted(perception, scene(2.0))
    assert [found.category for found in update.detections] == ["cup"]


def test_frames_without_detections_have_not_been_looked_at_and_do_not_stall() -> None:
    perception = perceiving(CONFIG)
    updates = emitted(perception, *(scene(1 + k / 2) for k in range(6)))
    assert len(updates) == 4
    for update in updates:
        assert not update.keyframe
        assert update.error.code == ErrorCode.DETECTOR_FAILED
        assert "none has come at all" in update.error.text
    assert "the newest are of 9.000 s" in emitted(perception, detections(9))[0].error.text


def test_error_of_a_node_is_the_error_of_the_keyframe() -> None:
    error = Error(ErrorCode.DETECTOR_FAILED, "its process ended")
    assert seen(scene(1), detections(1, error=error)).error == error


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (boxed("cup", 90, 5, 99, 9), "outside of the image"),
        (boxed("cup", 5, -9, 9, -1), "outside of the image"),
        (boxed("cup", 20, 5, 10, 9), "empty or reversed"),
        (boxed("cup", 5, math.nan, 10, 9), "not a number"),
        (boxed("cup", 5, 5, math.inf, 9), "not a number"),
        (placed("cup", 50, 0, 0), "too few pixels"),
        (placed("cup", 0, 0, 2, side=0), "a side of 0"),
        (placed("cup", 0, math.nan, 2), "not a number"),
    ],
)
def test_unusable_box_is_named_and_the_others_are_used(bad: ExternalDetection, reason: str) -> None:
    update = seen(scene(1), detections(1, bad, boxed("book", 28, 18, 52, 42)))
    assert [found.category for found in update.detections] == ["book"]
    assert update.keyframe
    assert reason in update.error.text


@pytest.mark.parametrize(
    ("frame_id", "place"),
    [
        (CAMERA, (0.0, 0.0, 1.8)),
        ("", (0.0, 0.0, 1.8)),
        ("map", (1.8, 0.0, 1.0)),
        ("/odom", (1.8, 0.0, 1.0)),
        ("base_link", (1.8, 0.0, 1.0)),
    ],
)
def test_box_in_space_becomes_the_surface_of_the_pixels_in_it(
    frame_id: str, place: tuple[float, float, float]
) -> None:
    x, y, z = place
    size = Vector3(1.2, 1.2, 0.2) if frame_id in (CAMERA, "") else Vector3(0.2, 1.2, 1.2)
    box = BoundingBox3D.aligned(Point(x, y, z), size)
    item = ExternalDetection(hypotheses=hypotheses(("box", 0.6)), box=box)
    (found,) = seen(scene(1), detections(1, item, frame_id=frame_id)).detections
    assert (found.roi.x_offset, found.roi.y_offset, found.roi.width, found.roi.height) == (30, 20, 20, 20)
    assert found.pixels == 400


def test_box_in_space_whose_rotation_was_never_set_is_not_turned() -> None:
    box = BoundingBox3D(center=Pose(Point(0, 0, 1.8), Quaternion(0, 0, 0, 0)), size=Vector3(1.2, 1.2, 0.2))
    item = ExternalDetection(hypotheses=hypotheses(("box", 0.6)), box=box)
    assert len(seen(scene(1), detections(1, item)).detections) == 1


def test_pixels_in_two_boxes_in_space_belong_to_the_smaller_one() -> None:
    update = seen(scene(1), detections(1, placed("table", 0, 0, 1.8, 1.9), placed("cup", 0, 0, 1.8, 0.5)))
    pixels = {found.category: found.pixels for found in update.detections}
    assert set(pixels) == {"table", "cup"}
    assert pixels["cup"] < 200 < pixels["table"]


def test_box_in_an_unknown_frame_is_named() -> None:
    update = seen(scene(1), detections(1, placed("cup", 0, 0, 1.8), frame_id="lidar"))
    assert update.detections == ()
    assert "'lidar', which is none of 'camera_optical_frame', 'map', 'odom', 'base_link'" in update.error.text


def masked(classes: np.ndarray, *labels: SegmentLabel) -> ExternalDetections:  # type: ignore[type-arg]
    header = Header(at(1), CAMERA)
    encoding = "mono8" if classes.dtype == np.uint8 else "16UC1"
    return ExternalDetections(
        header=header, class_mask=Image.from_array(header, classes, encoding), labels=labels
    )


CUP, WALL, BOOK = (
    SegmentLabel(id=number, category=category, confidence=0.5)
    for number, category in ((0, "cup"), (7, "wall"), (300, "book"))
)


@pytest.mark.parametrize("kind", [np.uint8, np.uint16])
def test_regions_of_a_class_are_things_of_their_own(kind: type[np.generic]) -> None:
    classes = np.full((HEIGHT, WIDTH), 7, kind)
    classes[5:12, 5:12] = classes[5:12, 20:27] = 0
    classes[22:30, 20:40] = 0  # over a step in depth
    update = seen(scene(1), masked(classes, CUP, WALL))
    assert [found.category for found in update.detections] == ["cup"] * 4
    assert all(found.confidence < 0.5 for found in update.detections)
    assert not update.error


def test_classes_without_a_label_are_no_things() -> None:
    classes = np.zeros((HEIGHT, WIDTH), np.uint16)
    classes[5:15, 5:15] = 300
    classes[25:35, 55:65] = 301
    assert [found.category for found in seen(scene(1), masked(classes, BOOK)).detections] == ["book"]


def test_mask_of_another_size_is_the_error_of_the_keyframe() -> None:
    update = seen(scene(1), masked(np.zeros((6, 8), np.uint8), CUP))
    assert not update.keyframe
    assert "the class mask is 8x6 but depth 80x60" in update.error.text


def test_region_metres_across_is_reported_once_for_each_label() -> None:
    classes = np.zeros((HEIGHT, WIDTH), np.uint8)
    mask = masked(classes, CUP)
    perception = perceiving(CONFIG)
    later = ExternalDetections(header=Header(at(2), CAMERA), class_mask=mask.class_mask, labels=mask.labels)
    first, second = emitted(perception, scene(1), mask, scene(2), later)
    assert "a region of 'cup' is" in first.error.text
    assert not second.error
