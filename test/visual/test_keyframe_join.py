"""Tests of joining images with the detections of their keyframes."""

from __future__ import annotations

import pytest

from stma_ros.types.sensing import Detection, KeyframeDetections, ObjectHypothesis
from stma_ros.types.standard import Header, Time
from stma_ros.visual.keyframe_join import MAX_REVISED, KeyframeJoin

MUG = Detection(hypotheses=(ObjectHypothesis(category="mug", score=0.9),))


def update(
    second: int, *found: Detection, awaits_answer: bool = False, revision: int = 0, keyframe: bool = True
) -> KeyframeDetections:
    return KeyframeDetections(
        header=Header(Time(second)),
        keyframe=keyframe,
        detections=found,
        awaits_answer=awaits_answer,
        revision=revision,
    )


def ns(second: int) -> int:
    return Time(second).nanoseconds


@pytest.mark.parametrize("image_first", [True, False])
def test_image_and_detections_are_joined_in_any_order(image_first: bool) -> None:
    join: KeyframeJoin[str] = KeyframeJoin()
    calls = [lambda: join.add_image(ns(1), "image", 10), lambda: join.add_detections(update(1, MUG))]
    joined = [each for call in (calls if image_first else calls[::-1]) for each in call()]
    assert joined == [("image", (MUG,))]


def test_keyframe_that_a_late_answer_adds_to_is_joined_at_once_and_again() -> None:
    join: KeyframeJoin[str] = KeyframeJoin()
    list(join.add_image(ns(1), "image", 10))
    assert list(join.add_detections(update(1, awaits_answer=True))) == [("image", ())]
    for second in range(2, 40):
        list(join.add_image(ns(second), "another", 100_000_000))
    assert list(join.add_detections(update(1, MUG, revision=1))) == [("image", (MUG,))]
    assert not list(join.add_detections(update(1, MUG, revision=1)))


def test_answer_that_comes_before_the_image_is_joined_with_it() -> None:
    join: KeyframeJoin[str] = KeyframeJoin()
    for message in (update(1, awaits_answer=True), update(1, MUG, revision=1)):
        assert not list(join.add_detections(message))
    assert list(join.add_image(ns(1), "image", 10)) == [("image", (MUG,))]


def test_missing_answer_adds_nothing() -> None:
    join: KeyframeJoin[str] = KeyframeJoin()
    list(join.add_image(ns(1), "image", 10))
    list(join.add_detections(update(1, MUG, awaits_answer=True)))
    assert not list(join.add_detections(update(1, revision=1, keyframe=False)))


def test_images_that_wait_for_answers_are_bounded() -> None:
    join: KeyframeJoin[str] = KeyframeJoin()
    for second in range(MAX_REVISED + 1):
        list(join.add_image(ns(second), f"image {second}", 10))
        list(join.add_detections(update(second, awaits_answer=True)))
    assert not list(join.add_detections(update(0, MUG, revision=1)))
    assert list(join.add_detections(update(1, MUG, revision=1))) == [("image 1", (MUG,))]
