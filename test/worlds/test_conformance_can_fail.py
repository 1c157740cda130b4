"""Every check of the conformance suite fails a world that breaks its promise, and passes one that does not."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from stma_ros.testing.world_conformance import CHECKS, NonConformance, Subject, Trial, checks_for, request
from stma_ros.types import topics
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Result
from stma_ros.types.standard import Clock, Point, Pose, Time, Vector3
from stma_ros.types.world import Senses, World
from support.worlds import broken_worlds as broken
from support.worlds.conformance_subjects import scripted_requests
from support.worlds.conforming_world import (
    Whole,
    cup,
    failing,
    frozen,
    jumping,
    pixels,
    saying,
    telling,
    without,
)

SCENE = str(Path(__file__).parents[1] / "support" / "worlds" / "whole_script.yaml")


def subject_of(make: Callable[[], World]) -> Subject:
    return Subject(
        "whole",
        make,
        Senses.CAMERA,
        scene=SCENE,
        seed=1,
        other_seed=2,
        possible=scripted_requests,
        other_scene="room",
        ending=lambda _: [request("look_around")] * 2,
    )


NAN_POSE = Pose(Point(math.nan, 0.0, 0.0))
CUP_7 = Error(ErrorCode.SKILL_UNKNOWN, "cup_7 cannot be juggled")

BROKEN: Sequence[tuple[str, str, Callable[[], World]]] = (
    ("reset_names_the_scene", "the name of the scene", broken.NamesNothing),
    ("unknown_scene_is_refused", "ConfigurationError", broken.TakesAnyScene),
    ("unknown_scene_is_refused", "as it was|changes nothing", broken.LosesItsScene),
    ("nothing_is_executed_before_reset", "before the first reset", broken.BeginsByItself),
    ("closed_world_executes_nothing", "close at any time", broken.ClosesOnce),
    ("closed_world_executes_nothing", "after close", broken.LivesOn),
    ("same_seed_same_episode", "again after another one", broken.Remembers),
    ("other_seed_other_episode", "differ", broken.IgnoresTheSeed),
    ("worlds_are_independent", "as it does alone", broken.Shares),
    ("skills_are_described", "is listed", broken.Listing),
    ("skills_are_described", "unique names", broken.ListsTwice),
    ("messages_are_in_order", "the parts of one frame", without(topics.CAMERA_INFO)),
    ("messages_are_in_order", "ends with", saying(lambda _, said: [*said[:-2], said[-1], said[-2]])),
    ("messages_are_in_order", "ends with", without(topics.GROUND_TRUTH)),
    ("messages_are_in_order", "topics of", saying(lambda _, said: [("secret", Clock()), *said])),
    (
        "messages_are_in_order",
        "parts of one frame",
        saying(lambda _, said: [*said[:7], said[8], said[7], *said[9:]]),
    ),
    ("time_advances", "is later", saying(frozen)),
    ("time_advances", "begins at the time 0", broken.ItsClockRunsOn),
    ("watermark_is_the_last_frame", "the watermark", telling(topics.OBSERVATION, watermark=Time())),
    ("outcome_answers_the_request", "the outcome of", telling(topics.OUTCOME, request_id="another")),
    ("outcome_answers_the_request", "took", failing("look_around", duration=1000.0)),
    ("skills_succeed", "pick", failing("pick", result=Result.FAILED)),
    ("observe_changes_nothing", "what is told", broken.SpendsLooks),
    ("episode_keeps_running", "RUNNING after", broken.RunsOut),
    ("end_is_final", "until the next reset", broken.ForgetsTheEnd),
    ("images_fit_together", "as 16UC1", telling(topics.DEPTH, encoding="mono16")),
    ("images_fit_together", "whole image", telling(topics.COLOR, data=lambda data: data[:-9])),
    ("images_fit_together", "of one size", saying(pixels(lambda depth: depth[::2, ::2].copy()))),
    ("images_fit_together", "depth somewhere", saying(pixels(np.zeros_like))),
    (
        "segments_have_labels",
        "labels for all",
        telling(topics.SEGMENTATION_LABELS, labels=lambda all_: all_[1:]),
    ),
    ("segments_have_labels", "unique ids", telling(topics.SEGMENTATION_LABELS, labels=lambda all_: all_ * 2)),
    ("camera_info_fits_the_images", "size of the images", telling(topics.CAMERA_INFO, width=640)),
    ("camera_info_fits_the_images", "no distortion", telling(topics.CAMERA_INFO, d=np.ones(5))),
    ("poses_are_valid", "finite pose", telling(topics.CAMERA_POSE, pose=NAN_POSE)),
    (
        "poses_are_valid",
        "in one frame",
        telling(topics.ODOMETRY, header=lambda one: replace(one, frame_id="base")),
    ),
    ("odometry_does_not_jump", "at most", saying(jumping)),
    ("floor_is_at_the_height_of_the_base", "height of the base", saying(pixels(lambda depth: depth // 10))),
    ("floor_is_at_the_height_of_the_base", "height of the base", telling(topics.CAMERA_POSE, pose=Pose())),
    ("impossible_requests_fail", "juggle.* fails", failing("juggle", result=Result.SUCCEEDED)),
    ("impossible_requests_fail", "ends with an outcome", broken.Raises),
    ("impossible_requests_fail", "a reason why", failing("juggle", error=Error(ErrorCode.SKILL_UNKNOWN))),
    ("internal_names_are_not_published", "cup_7", failing("juggle", error=CUP_7)),
    ("canceled_before_it_begins", "CANCELED with", broken.NeverCanceled),
    ("canceled_during_a_motion", "CANCELED with", broken.CanceledOnlyBefore),
    ("canceled_skill_changes_nothing", "canceled on its way, changes nothing", broken.CanceledTooLate),
    ("closed_during_a_skill", "busy", broken.MustBeHeardOut),
    (
        "truth_names_objects_and_rooms",
        "unique names",
        telling(topics.GROUND_TRUTH, objects=lambda all_: all_ * 2),
    ),
    (
        "truth_names_objects_and_rooms",
        "a thing under",
        telling(topics.GROUND_TRUTH, **cup(support="shelf_1")),
    ),
    (
        "truth_has_poses_and_boxes",
        "finite pose",
        telling(topics.GROUND_TRUTH, robot=Pose(Point(math.inf, 0.0, 0.0))),
    ),
    (
        "truth_has_poses_and_boxes",
        "finite box",
        telling(topics.GROUND_TRUTH, **cup(box=BoundingBox3D(size=Vector3(math.nan, 1.0, 1.0)))),
    ),
    (
        "truth_has_a_possible_score",
        "a score up to the highest",
        telling(topics.GROUND_TRUTH, score=2.0, max_score=1.0),
    ),
    ("holding_agrees_with_truth", "holding as the truth", telling(topics.OBSERVATION, holding=True)),
)


def run(name: str, make: Callable[[], World]) -> None:
    trial = Trial(subject_of(make))
    try:
        next(check for check in CHECKS if check.name == name).run(trial)
    finally:
        trial.close()


@pytest.mark.parametrize(
    ("name", "seen", "make"), BROKEN, ids=[f"{k}-{one[0]}" for k, one in enumerate(BROKEN)]
)
def test_a_world_that_breaks_a_promise_fails_its_check(
    name: str, seen: str, make: Callable[[], World]
) -> None:
    with pytest.raises(NonConformance, match=seen):
        run(name, make)


def test_each_conformance_check_has_a_failing_world_and_describes_its_promise() -> None:
    assert {check.name for check in CHECKS} == {name for name, _, _ in BROKEN}
    assert all(len(check.promise) > 30 for check in CHECKS)


def test_a_conforming_world_passes_every_check() -> None:
    subject = subject_of(Whole)
    assert checks_for(subject) == CHECKS
    trial = Trial(subject)
    for check in CHECKS:
        check.run(trial)
    trial.close()
