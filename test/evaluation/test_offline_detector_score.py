"""Scores of detectors: things in plain view that they find, and finds that are right."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from stma_ros.apps.score.detectors import in_json, told
from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.evaluation.offline.detector_score import DetectorScore, DetectorScorer, settings_of
from stma_ros.evaluation.tally import Tally
from stma_ros.sensing.camera_frame import CameraFrame, frame_of
from stma_ros.types import topics
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.sensing import Detection, DetectorLook, KeyframeDetections, ObjectHypothesis
from stma_ros.types.standard import Header, Image, Point, Time, Vector3
from stma_ros.types.truth import GroundTruth, GroundTruthObject
from support.components.wall_frames import HEIGHT, WIDTH, frame

SIZE = Vector3(0.2, 0.75, 0.75)
"""Of a thing that fills 20 columns of the image, 1.5 m before the camera [m]."""

LEFT, RIGHT = Point(1.6, 0.75, 1.0), Point(1.6, -0.75, 1.0)


def seen(*columns: slice, stamp: int = 1) -> CameraFrame:
    """Returns a frame of a wall with things before it, each in some columns."""
    parts = dict(frame(Time(stamp)))
    depth = np.full((HEIGHT, WIDTH), 3000, np.uint16)
    for each in columns:
        depth[20:40, each] = 1500
    parts[topics.DEPTH] = Image.from_array(Header(Time(stamp), "camera_optical_frame"), depth, "16UC1")
    return frame_of(parts)


BOTH = seen(slice(10, 30), slice(50, 70))


def thing(name: str, category: str, at: Point, support: str = "") -> GroundTruthObject:
    return GroundTruthObject(
        name=name, category=category, box=BoundingBox3D.aligned(at, SIZE), support=support
    )


TRUTH = GroundTruth(objects=(thing("a", "bookshelf", LEFT), thing("b", "fridge", RIGHT)))


def find(category: str, at: Point, score: float = 0.8, source: str = "network") -> Detection:
    hypotheses = (ObjectHypothesis(category=category, score=score, source=source),)
    return Detection(hypotheses=hypotheses, box=BoundingBox3D.aligned(at, SIZE))


def update(*finds: Detection, stamp: int = 1, sources: tuple[str, ...] = ("network",)) -> KeyframeDetections:
    looks = tuple(DetectorLook(source=name, recall=0.75) for name in sources)
    header = Header(Time(stamp), "map")
    return KeyframeDetections(
        header=header, processed_until=Time(stamp), keyframe=True, detections=finds, looks=looks
    )


def scored(*finds: Detection, view: CameraFrame = BOTH, truth: GroundTruth = TRUTH) -> DetectorScore:
    scorer = DetectorScorer(truth, household_categories())
    scorer.take_frame(view)
    scorer.take_detections(update(*finds))
    return scorer.scores["network"]


def test_finds_with_the_right_name_at_the_right_place_are_right() -> None:
    score = scored(find("bookshelf", LEFT), find("fridge", RIGHT, 0.5))
    assert score == DetectorScore(Tally(2, 0, 2), Tally(2, 2), Tally(1, 1))
    assert score.found.recall == 1.0


def test_find_with_another_name_or_at_another_place_or_a_second_one_of_a_thing_is_wrong() -> None:
    assert scored(find("mug", LEFT)).right == Tally(0, 1)
    assert scored(find("fridge", Point(1.6, 3.0, 1.0))).right == Tally(0, 1)
    score = scored(find("fridge", RIGHT), find("fridge", RIGHT, 0.45))
    assert (score.right, score.found) == (Tally(1, 2), Tally(1, 0, 2))


def test_thing_that_is_hidden_out_of_view_or_in_the_hand_need_not_be_found() -> None:
    behind = Point(2.4, -0.75, 1.0)
    hidden = GroundTruth(objects=(thing("a", "bookshelf", LEFT), thing("c", "mug", behind)))
    assert scored(truth=hidden).found == Tally(0, 0, 1)
    assert scored(find("mug", behind), truth=hidden).right == Tally(1, 1)  # but it may be
    gone = seen(slice(10, 30))
    assert scored(view=gone).found.true == 1  # one sees through the other's place
    held = GroundTruth(objects=(thing("a", "bookshelf", LEFT, support="robot"),))
    assert scored(truth=held).found.true == 0


def test_each_detector_is_scored_by_its_own_words_where_it_has_looked() -> None:
    both = Detection(
        hypotheses=(
            ObjectHypothesis(category="fridge", score=0.9, source="model"),
            ObjectHypothesis(category="mug", score=0.5, source="network"),
        ),
        box=BoundingBox3D.aligned(RIGHT, SIZE),
    )
    scorer = DetectorScorer(TRUTH, household_categories())
    for stamp, sources in ((1, ("network", "model")), (2, ("network",))):
        scorer.take_frame(seen(slice(10, 30), slice(50, 70), stamp=stamp))
        scorer.take_detections(update(both, stamp=stamp, sources=sources))
    assert scorer.scores["model"].right == Tally(1, 1)
    assert scorer.scores["network"].right == Tally(0, 2)
    assert scorer.scores["network"].middling == Tally(0, 2)


def test_frames_without_a_keyframe_and_keyframes_without_a_frame_or_a_truth_are_left_out() -> None:
    for scorer, view, stamp in (
        (DetectorScorer(), BOTH, 1),
        (DetectorScorer(TRUTH), BOTH, 2),
        (DetectorScorer(TRUTH), frame_of({**BOTH.parts, topics.DEPTH: Image()}), 1),
    ):
        scorer.take_frame(view)
        scorer.take_detections(update(stamp=stamp))
        assert scorer.scores == {}
    scorer = DetectorScorer()
    scorer.take_truth(TRUTH)
    scorer.take_frame(BOTH)
    scorer.take_detections(update())
    assert scorer.scores["network"].found == Tally(0, 0, 2)
    given = DetectorScorer(TRUTH)
    given.take_truth(GroundTruth(objects=TRUTH.objects[:1]))
    given.take_frame(BOTH)
    given.take_detections(update())
    assert given.scores["network"].found.true == 2


def test_settings_are_told_as_they_can_be_given() -> None:
    scores = {
        "network": DetectorScore(Tally(3, 0, 4), Tally(5, 8), Tally(2, 2)),
        "model": DetectorScore(Tally(0, 0, 2), Tally(0, 1), Tally()),
    }
    assert settings_of(scores) == (
        "perception.recall=network=0.75,model=0.01",
        "perception.precision=network=0.99",
    )
    first, second, last = told(scores)
    assert first == (
        "network finds 75% (3 of 4) of the things in plain view; 62% (5 of 8) of its finds are right, 100% (2 of 2) "
        "with scores from 0.4 to 0.6"
    )
    assert second.endswith("none (there are none) with scores from 0.4 to 0.6")
    assert last.startswith("as settings: --set perception.recall=network=0.75,model=0.01 --set ")
    assert in_json(scores)["network"]["in_plain_view"] == 4
    (line,) = told({})
    assert "no truth (--truth FILE)" in line


@pytest.mark.parametrize("share", ["network=0.75,model=0.01", "network=0.99"])
def test_told_settings_are_read(share: str) -> None:
    from stma_ros.components.perception.sources import shares_of

    assert shares_of(share)["network"] in (0.75, 0.99)


@pytest.mark.parametrize("frames", [1, 1000])
def test_keyframe_that_a_model_answers_late_is_scored_once_with_the_answer(frames: int) -> None:
    """The answer comes after further frames."""
    scorer = DetectorScorer(TRUTH, household_categories())
    scorer.take_frame(BOTH)
    first = find("bookshelf", LEFT)
    scorer.take_detections(replace(update(first), awaits_answer=True))
    assert not scorer.scores
    empty = seen()
    for number in range(frames):
        scorer.take_frame(replace(empty, header=Header(Time(2 + number), empty.header.frame_id)))
    late = find("fridge", RIGHT, source="model")
    scorer.take_detections(replace(update(first, late, sources=("network", "model")), revision=1))
    assert {name: score.found for name, score in scorer.scores.items()} == {
        "network": Tally(1, 0, 2),
        "model": Tally(1, 0, 2),
    }
