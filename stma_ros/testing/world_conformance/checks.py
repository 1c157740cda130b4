"""The list of checks, with the worlds that each applies to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from stma_ros.testing.world_conformance import answers, failures, frames, resets, truths
from stma_ros.testing.world_conformance.subject import Subject
from stma_ros.testing.world_conformance.trial import Trial
from stma_ros.types.world import Senses


def _any(_: Subject) -> bool:
    return True


def _has_camera(subject: Subject) -> bool:
    return subject.senses is Senses.CAMERA


def _knows_truth(subject: Subject) -> bool:
    return subject.knows_truth


def _knows_body(subject: Subject) -> bool:
    return _knows_truth(subject) and _has_camera(subject)


def _varies_with_seed(subject: Subject) -> bool:
    return subject.varies_with_seed


def _ends(subject: Subject) -> bool:
    return subject.ending is not None


@dataclass(frozen=True)
class Check:
    """A check of one promise of the contract. Checks may run in any order and repeatedly.

    Attributes:
        run: Raises NonConformance with the promise and the observation if the world breaks it.
        applies: Whether the check applies to a world.
    """

    run: Callable[[Trial], None]
    applies: Callable[[Subject], bool] = _any

    @property
    def name(self) -> str:
        return self.run.__name__

    @property
    def promise(self) -> str:
        """The promise as text."""
        return " ".join((self.run.__doc__ or "").split())


CHECKS = (
    Check(resets.reset_names_the_scene),
    Check(resets.unknown_scene_is_refused),
    Check(resets.nothing_is_executed_before_reset),
    Check(resets.closed_world_executes_nothing),
    Check(resets.same_seed_same_episode),
    Check(resets.other_seed_other_episode, _varies_with_seed),
    Check(resets.worlds_are_independent),
    Check(answers.skills_are_described),
    Check(answers.messages_are_in_order),
    Check(answers.time_advances),
    Check(answers.watermark_is_the_last_frame),
    Check(answers.outcome_answers_the_request),
    Check(answers.skills_succeed),
    Check(answers.observe_changes_nothing),
    Check(answers.episode_keeps_running),
    Check(answers.end_is_final, _ends),
    Check(frames.images_fit_together, _has_camera),
    Check(frames.segments_have_labels, _has_camera),
    Check(frames.camera_info_fits_the_images, _has_camera),
    Check(frames.poses_are_valid, _has_camera),
    Check(frames.odometry_does_not_jump, _has_camera),
    Check(frames.floor_is_at_the_height_of_the_base, _has_camera),
    Check(failures.impossible_requests_fail),
    Check(failures.internal_names_are_not_published, _knows_truth),
    Check(failures.canceled_before_it_begins),
    Check(failures.canceled_during_a_motion, _has_camera),
    Check(failures.canceled_skill_changes_nothing, _knows_body),
    Check(failures.closed_during_a_skill),
    Check(truths.truth_names_objects_and_rooms, _knows_truth),
    Check(truths.truth_has_poses_and_boxes, _knows_body),
    Check(truths.truth_has_a_possible_score, _knows_truth),
    Check(truths.holding_agrees_with_truth, _knows_body),
)


def checks_for(subject: Subject) -> tuple[Check, ...]:
    """Returns the checks that apply to a subject."""
    return tuple(check for check in CHECKS if check.applies(subject))
