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


def _sees(subject: Subject) -> bool:
    return subject.senses is Senses.CAMERA


def _knows_truth(subject: Subject) -> bool:
    return subject.knows_truth


def _ends(subject: Subject) -> bool:
    return subject.ending is not None


@dataclass(frozen=True)
class Check:
    """One promise. `run` raises NonConformance, with what was promised and what was seen; in any order, as often as one
    likes."""

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
    Check(resets.close_is_for_good),
    Check(resets.same_seed_same_episode),
    Check(resets.other_seed_other_episode),
    Check(resets.worlds_do_not_meet),
    Check(answers.skills_are_described),
    Check(answers.messages_are_in_order),
    Check(answers.time_goes_on),
    Check(answers.watermark_is_the_last_frame),
    Check(answers.outcome_answers_the_request),
    Check(answers.skills_succeed),
    Check(answers.observe_changes_nothing),
    Check(answers.episode_goes_on),
    Check(answers.end_is_final, _ends),
    Check(frames.images_fit_together, _sees),
    Check(frames.segments_have_labels, _sees),
    Check(frames.camera_info_fits_the_images, _sees),
    Check(frames.poses_are_poses, _sees),
    Check(frames.odometry_does_not_jump, _sees),
    Check(frames.floor_is_where_the_base_stands, _sees),
    Check(failures.what_cannot_be_done_fails),
    Check(failures.names_stay_inside, _knows_truth),
    Check(failures.canceled_before_it_begins),
    Check(failures.canceled_on_the_way, _sees),
    Check(failures.let_go_of_on_the_way),
    Check(truths.truth_names_what_there_is, _knows_truth),
    Check(truths.truth_has_places, _knows_truth),
    Check(truths.hand_holds_what_truth_says, _knows_truth),
)


def checks_for(subject: Subject) -> tuple[Check, ...]:
    """Those that apply to a subject."""
    return tuple(check for check in CHECKS if check.applies(subject))
