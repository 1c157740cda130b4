"""Tests of the perception component: detections of a keyframe, and the choice of keyframes."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Mapping

import numpy as np
import PIL.Image
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.components.perception.perception import Perception, PerceptionConfig
from stma_ros.library.scene.thumbnails import thumbnail
from stma_ros.mapping.depth_noise import depth_noise
from stma_ros.sensing.camera_frame import CameraFrame
from stma_ros.sensing.detectors.port import Detector, DetectorOutput
from stma_ros.types import topics
from stma_ros.types.common import Error, MessageRef
from stma_ros.types.component import Emission
from stma_ros.types.errors import ErrorCode, RoleError
from stma_ros.types.evidence import UNMEASURED, EvidenceSource, StateEstimate
from stma_ros.types.message import Message
from stma_ros.types.planning import Task
from stma_ros.types.sensing import KeyframeDetections, SegmentLabels
from stma_ros.types.standard import Header, Image, Pose, Time
from stma_ros.types.stepped import StepStamp
from stma_ros.types.telemetry import RoleCall
from support.components.wall_frames import HandedParts, Patch, frame, perceiving

MUG = Patch("mug", (20, 28), (30, 38))
BOWL = Patch("bowl", (40, 46), (50, 62), (30, 60, 200))


def look(perception: HandedParts[Perception], parts: Mapping[str, Message]) -> KeyframeDetections:
    (emission,) = [sent for topic, part in parts.items() for sent in perception.handle(topic, part)]
    assert emission[0] == topics.KEYFRAME_DETECTIONS
    update = emission[1]
    assert isinstance(update, KeyframeDetections)
    return update


def test_perception_gives_boxes_in_the_odometry_frame() -> None:
    (mug,) = look(perceiving(), frame(Time(1, 0), (MUG,))).detections
    # Columns 30..37 of 80 at f = 40 and 2 m: 0.475 to 0.125 m left of the axis (+y); rows 20..27: above it.
    assert (mug.center.x, mug.center.y, mug.center.z) == pytest.approx((2.0, 0.3, 1.3))
    assert (mug.size.x, mug.size.y, mug.size.z) == pytest.approx((0.0, 0.35, 0.35), abs=1e-6)
    assert (mug.pixels, mug.roi.x_offset, mug.roi.y_offset, mug.roi.width, mug.roi.height) == (
        64,
        30,
        20,
        8,
        8,
    )
    assert (mug.color.r, mug.truncated) == (np.float32(200 / 255), False)


def test_perception_does_not_detect_walls_floor_and_ceiling() -> None:
    assert look(perceiving(), frame(Time(1, 0))).detections == ()


def test_perception_does_not_detect_segments_that_are_too_small_or_too_far() -> None:
    speck = Patch("mug", (20, 22), (30, 32))
    assert look(perceiving(), frame(Time(1, 0), (speck,))).detections == ()
    assert look(perceiving(), frame(Time(1, 0), (MUG,), depth_mm=7000)).detections == ()


def test_detection_at_the_border_of_the_image_is_marked_as_truncated() -> None:
    (mug,) = look(perceiving(), frame(Time(1, 0), (Patch("mug", (0, 10), (30, 40)),))).detections
    assert mug.truncated


@given(st.permutations([2, 3, 4]))
def test_detections_do_not_depend_on_the_ids_of_the_segmentation(numbers: list[int]) -> None:
    patches = (MUG, BOWL, Patch("mug", (5, 12), (60, 70)))
    plain = look(perceiving(), frame(Time(1, 0), patches))
    permuted = look(perceiving(), frame(Time(1, 0), patches, ids=dict(enumerate(numbers))))
    assert permuted == plain


@pytest.mark.parametrize(
    ("second", "keyframe"),
    [
        (frame(Time(2, 0), (MUG,)), False),
        (frame(Time(2, 0), (MUG,), Pose.planar(0.4, 0, 0)), True),
        (frame(Time(2, 0), (MUG,), Pose.planar(0, 0, 0.5)), True),
        (frame(Time(2, 0), (MUG,), depth_mm=2500), True),
    ],
    ids=["the same view", "from elsewhere", "turned", "something moved"],
)
def test_keyframes_are_picked_by_pose_and_depth(second: Mapping[str, Message], keyframe: bool) -> None:
    perception = perceiving()
    assert look(perception, frame(Time(1, 0), (MUG,))).keyframe
    update = look(perception, second)
    assert (update.keyframe, bool(update.detections)) == (keyframe, keyframe)
    assert update.processed_until == Time(2, 0)


def test_perception_reports_a_bad_frame_and_processes_the_next_one() -> None:
    perception = perceiving()
    broken = frame(Time(1, 0), (MUG,))
    whole = broken[topics.COLOR]
    assert isinstance(whole, Image)
    broken[topics.COLOR] = Image(
        whole.header, whole.height, whole.width, "rgb8", 0, whole.step, whole.data[:-100]
    )
    update = look(perception, broken)
    assert (update.error.code, update.detections, update.processed_until) == (
        ErrorCode.BAD_IMAGE,
        (),
        Time(1, 0),
    )
    assert look(perception, frame(Time(2, 0), (MUG,))).detections


def test_perception_refuses_a_segmentation_of_another_size() -> None:
    parts = frame(Time(1, 0), (MUG,))
    parts[topics.SEGMENTATION] = Image.from_array(Header(Time(1, 0)), np.ones((30, 40), np.uint16), "16UC1")
    update = look(perceiving(), parts)
    assert "from one camera" in update.error.text


def test_detections_name_the_frame_from_which_they_were_made() -> None:
    update = look(perceiving(), frame(Time(1, 5), (MUG,)))
    assert update.derived_from == (MessageRef(topics.CAMERA_FRAME, "1000000005"),)


def test_keyframe_rate_bounds_the_number_of_keyframes() -> None:
    perception = perceiving(PerceptionConfig(keyframe_rate=2.0, max_speed=9.0))
    frames = [frame(Time(1, 100_000_000 * k), (MUG,), Pose.planar(0.5 * k, 0, 0)) for k in range(10)]
    picked = [look(perception, parts).keyframe for parts in frames]
    assert [k for k, is_keyframe in enumerate(picked) if is_keyframe] == [0, 5]


def test_depth_noise_alone_makes_no_keyframe() -> None:
    """A robot that stands still has one keyframe despite the noise of its camera."""
    rng = np.random.default_rng(0)

    def rough(stamp: Time) -> dict[str, Message]:
        parts = frame(stamp, (MUG,), depth_mm=4500)
        depth = parts[topics.DEPTH]
        assert isinstance(depth, Image)
        pixels = depth.array() + rng.normal(0, 1000 * depth_noise(4.5), (depth.height, depth.width))
        pixels[rng.random(pixels.shape) < 0.05] = 0  # and misses some
        parts[topics.DEPTH] = Image.from_array(depth.header, np.round(pixels).astype(np.uint16), "16UC1")
        return parts

    perception = perceiving()
    assert look(perception, rough(Time(1, 0))).keyframe
    assert not look(perception, rough(Time(2, 0))).keyframe


def test_keyframe_has_a_small_picture() -> None:
    perception = perceiving()
    update = look(perception, frame(Time(1, 0), (MUG,)))
    picture = PIL.Image.open(io.BytesIO(update.picture.data.tobytes()))
    assert update.picture.format == "jpeg"
    assert picture.size == (80, 60)
    red, green, _ = picture.getpixel((34, 24))  # the mug
    assert red > 150 > 100 > green
    assert update.picture == look(perceiving(), frame(Time(1, 0), (MUG,))).picture
    assert look(perception, frame(Time(2, 0), (MUG,))).picture.data.size == 0  # no keyframe


@pytest.mark.parametrize(("width", "shown"), [(640, 160), (320, 160), (192, 192), (100, 100)])
def test_pictures_of_keyframes_are_small_for_any_camera(width: int, shown: int) -> None:
    rng = np.random.default_rng(0)
    color = rng.integers(0, 255, (width * 3 // 4, width, 3), np.uint8)
    assert PIL.Image.open(io.BytesIO(thumbnail(Header(), color).data.tobytes())).width == shown


def test_shadow_on_a_part_of_an_object_does_not_change_its_colour() -> None:
    shadow = Patch("mug", (20, 28), (30, 33), (60, 8, 8))
    parts = frame(Time(1, 0), (MUG, shadow), ids={0: 2, 1: 2})
    labels = parts[topics.SEGMENTATION_LABELS]
    assert isinstance(labels, SegmentLabels)
    parts[topics.SEGMENTATION_LABELS] = SegmentLabels(header=labels.header, labels=labels.labels[:2])
    (mug,) = look(perceiving(), parts).detections
    assert mug.color.r == np.float32(200 / 255)


@pytest.mark.parametrize(("said", "taken"), [(0.9, 0.9), (math.nan, UNMEASURED)])
def test_detection_has_the_states_in_the_label_of_its_object_with_their_confidence(
    said: float, taken: float
) -> None:
    states = (StateEstimate(state=" On", confidence=said), StateEstimate(state="open", confidence=said))
    lamp = Patch("lamp", (20, 40), (30, 50), (255, 196, 90), states)
    (seen,) = look(perceiving(), frame(Time(1, 0), (lamp,))).detections
    assert [(each.state, each.source) for each in seen.states] == [("on", EvidenceSource.LABEL)]
    assert seen.states[0].confidence == pytest.approx(taken)


def test_perception_tells_openness_only_where_guesses_are_switched_on() -> None:
    front = Patch("cupboard", (10, 50), (20, 60))
    plain = look(perceiving(), frame(Time(1, 0), (front,))).detections[0]
    guess = look(
        perceiving(PerceptionConfig(guess_states="geometry")), frame(Time(1, 0), (front,))
    ).detections[0]
    assert (plain.states, guess.state_names) == ((), ("closed",))


class WaitingDetector(Detector):
    """A detector that needs one task message for each keyframe and whose first answer is an error."""

    def __init__(self) -> None:
        self.tasks: list[Message] = []
        self.looked_at: list[Time] = []

    def receive(self, topic: str, message: Message) -> None:
        self.tasks.append(message)

    def is_ready(self, frame: CameraFrame) -> bool:
        return len(self.tasks) > len(self.looked_at)

    def detect(self, frame: CameraFrame) -> DetectorOutput:
        self.looked_at.append(frame.stamp)
        first = len(self.looked_at) == 1
        error = Error.of(RoleError("it sees nothing")) if first else Error()
        call = RoleCall(at=StepStamp(step=len(self.looked_at)))
        task = MessageRef(topic=topics.TASK, id="t")
        return DetectorOutput(derived_from=(task,), telemetry=((topics.ROLE_CALLS, call),), error=error)


def test_frames_wait_behind_a_keyframe_for_which_the_detector_is_not_ready() -> None:
    detector = WaitingDetector()
    perception = perceiving(detector=detector)

    def summaries(emissions: Iterable[Emission]) -> list[tuple[int, int, int, int]]:
        """Returns stamp, keyframe flag, error code and number of sources of an update, or the step of a role call."""
        found = []
        for topic, sent in emissions:
            for _, message in perception.handle(topic, sent):
                if isinstance(message, RoleCall):
                    found.append((message.step, 0, 0, 0))
                else:
                    assert isinstance(message, KeyframeDetections)
                    stamp = message.processed_until.nanoseconds // 10**9
                    found.append((stamp, message.keyframe, message.error.code, len(message.derived_from)))
        return found

    places = (Pose(), Pose(), Pose.planar(0.4, 0, 0), Pose.planar(0.4, 0, 0))
    for second, place in enumerate(places, start=11):
        assert summaries(frame(Time(second), (MUG,), place).items()) == []

    task = [(topics.TASK, Task(task_id="t"))]
    assert summaries(task) == [(1, 0, 0, 0), (11, False, ErrorCode.ROLE_FAILED, 2), (12, False, 0, 1)]
    assert summaries(task) == [(2, 0, 0, 0), (13, True, 0, 2), (14, False, 0, 1)]
    assert detector.looked_at == [Time(11), Time(13)]


class FailingDetector(Detector):
    """Fails at the frames of some seconds, and finds nothing in others."""

    def __init__(self, *seconds: int, code: int = ErrorCode.ROLE_FAILED) -> None:
        self._seconds = seconds
        self._code = code

    def detect(self, frame: CameraFrame) -> DetectorOutput:
        failed = frame.stamp.sec in self._seconds
        return DetectorOutput(error=Error(self._code, "it sees nothing") if failed else Error())


@pytest.mark.parametrize(
    ("code", "keyframes"),
    [(ErrorCode.ROLE_FAILED, [13]), (ErrorCode.MODEL_BUDGET, [])],
    ids=["failed", "passed"],
)
def test_standing_camera_has_another_keyframe_when_the_detector_failed_at_the_first(
    code: int, keyframes: list[int]
) -> None:
    perception = perceiving(detector=FailingDetector(11, 12, code=code))
    found = []
    for second in range(11, 16):
        for nanosecond in (0, 400_000_000):
            parts = frame(Time(second, nanosecond), (MUG,))
            updates = [
                message for topic, sent in parts.items() for _, message in perception.handle(topic, sent)
            ]
            found.extend(updates)
    assert [update.processed_until.sec for update in found if update.keyframe] == keyframes
    failures = [update.processed_until.seconds for update in found if update.error]
    assert failures == ([11.0, 12.0] if code == ErrorCode.ROLE_FAILED else [11.0])


def test_robot_that_moves_on_after_a_failure_has_its_keyframes_where_it_is() -> None:
    perception = perceiving(detector=FailingDetector(12))
    found = []
    for second, x in ((11, 0.0), (12, 0.4), (12.5, 0.5), (12.8, 0.8), (13.9, 0.9)):
        parts = frame(Time.from_nanoseconds(round(second * 1e9)), (MUG,), Pose.planar(x, 0, 0))
        found += [message for topic, sent in parts.items() for _, message in perception.handle(topic, sent)]
    assert [update.processed_until.seconds for update in found if update.keyframe] == [11.0, 13.9]
    assert [update.processed_until.seconds for update in found if update.error] == [12.0, 12.8]
