"""Checks of the messages about a skill, for worlds with and without cameras."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

from stma_ros.testing.world_conformance.played import Played, play, require, stamp_of
from stma_ros.testing.world_conformance.trial import OBSERVE, Trial
from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.component import Emission
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import ArgumentKind, Outcome, Result
from stma_ros.types.standard import Header, Odometry, Time
from stma_ros.types.truth import GroundTruth
from stma_ros.types.world import Senses

_UNLISTED = (
    words.SKILL_OBSERVE,
    words.SKILL_REPORT,
    words.SKILL_FINISH,
    words.SKILL_FINISH_UNVERIFIED,
    words.SKILL_GIVE_UP,
)


def skills_are_described(trial: Trial) -> None:
    """Skills have unique names, descriptions, and known kinds of arguments that fit the world's senses; neither
    `observe` nor the agent's own actions are listed."""
    skills = trial.world.skills
    names = [skill.name for skill in skills]
    require(bool(names) and len(set(names)) == len(names) and all(names), "unique names of skills", names)
    require(not set(names) & set(_UNLISTED), f"none of {_UNLISTED} is listed", names)
    for skill in skills:
        require(bool(skill.description), f"a description of {skill.name}", "none")
        is_command = [kind == ArgumentKind.COMMAND for kind in skill.arguments]
        is_text = trial.subject.senses is Senses.TEXT
        fits = ArgumentKind.UNKNOWN not in skill.arguments and all(one == is_text for one in is_command)
        require(
            fits,
            f"kinds of arguments of a {trial.subject.senses.value} world for {skill.name}",
            skill.arguments,
        )


def messages_are_in_order(trial: Trial) -> None:
    """A skill emits complete frames, each followed by the clock, and finally the ground truth (of simulated worlds),
    the observation and the outcome, once each; all messages are on known topics and of their types."""
    closing = [topics.GROUND_TRUTH] * trial.subject.knows_truth + [topics.OBSERVATION, topics.OUTCOME]
    for played in trial.episode.all:
        for topic, message in played.emissions:
            known = topic in topics.TOPICS and type(message) is topics.TOPICS[topic].type
            require(
                known, "topics of types/topics.py, with their types", f"{type(message).__name__} on {topic}"
            )
        names = [topic for topic, _ in played.emissions]
        at = len(names) - len(closing)
        require(names[max(at, 0) :] == closing, f"{played} ends with {closing}", names[-4:])
        _check_frames(played.emissions[:at], trial.subject.senses, played)


def _check_frames(emissions: Sequence[Emission], senses: Senses, played: Played) -> None:
    """Checks the messages before the closing ones: frames and the clock."""
    groups = [list(group) for _, group in itertools.groupby(emissions, lambda one: one[0] == topics.CLOCK)]
    expected = sorted(topics.FRAME)
    for group in groups:
        names = [topic for topic, _ in group]
        if names[0] == topics.CLOCK:
            continue
        require(senses is Senses.CAMERA, "no frames in a text world", names)
        require(sorted(names) == expected, f"the parts of one frame between two clocks in {played}", names)
        stamps = {stamp_of(message) for _, message in group}
        require(len(stamps) == 1, f"one stamp for all parts of a frame in {played}", stamps)
    require(
        bool(groups) and groups[-1][-1][0] == topics.CLOCK, f"{played} tells the clock", "no clock at its end"
    )
    if senses is Senses.CAMERA:
        require(len(groups) > 1, f"a frame at the end of {played}", "no frame")


def time_advances(trial: Trial) -> None:
    """Stamps never decrease; each frame is later than the one before, and the first of an episode later than 0; the
    clock follows the frames, and the closing messages of a skill have the stamp of its last frame."""
    before = frame = 0
    for played in trial.episode.all:
        for topic, message in played.emissions:
            now = stamp_of(message)
            require(now >= before, f"stamps in order in {played}", f"{topic} at {now} ns after {before} ns")
            before = now
        stamps = [stamp_of(message) for topic, message in played.emissions if topic == topics.COLOR]
        for stamp in stamps:
            require(stamp > frame, f"each frame of {played} is later", f"{stamp} ns after {frame} ns")
            frame = stamp
        clocks = [stamp_of(message) for topic, message in played.emissions if topic == topics.CLOCK]
        closing = {stamp_of(m) for t, m in played.emissions if t in (topics.OBSERVATION, topics.OUTCOME)}
        closing |= {stamp_of(m) for t, m in played.emissions if t == topics.GROUND_TRUTH}
        require(closing == {clocks[-1]}, f"the end of {played} at the clock's {clocks[-1]} ns", closing)
        require(set(stamps) <= set(clocks), f"the clock tells the stamp of each frame of {played}", clocks)
    first = trial.episode.look
    if trial.subject.senses is Senses.CAMERA:
        begun = trial.begin().end
        require(
            begun == first.end,
            "every episode begins at the time 0",
            f"first looks at {first.end}, {begun} ns",
        )
    else:
        again = trial.begin().end
        require(
            again > before, "the clock of a text world runs on over a reset", f"{again} ns after {before} ns"
        )


def watermark_is_the_last_frame(trial: Trial) -> None:
    """The observation's watermark is the stamp of the skill's last frame; without a camera it is 0."""
    for played in trial.episode.all:
        expected = Time.from_nanoseconds(played.frames[-1].stamp if played.frames else 0)
        seen = played.observation.watermark
        require(
            seen == expected,
            f"the watermark {expected.nanoseconds} ns after {played}",
            f"{seen.nanoseconds} ns",
        )


def outcome_answers_the_request(trial: Trial) -> None:
    """Outcome and observation have the ids of the request; the outcome has its action, the distance driven [m] and the
    duration [s]; the observation includes the outcome."""
    before = None
    for played in trial.episode.all:
        request, outcome, observation = played.request, played.outcome, played.observation
        expected = (request.request_id, request.task_id, request.step, request.action)
        seen = (outcome.request_id, outcome.task_id, outcome.step, outcome.action)
        require(seen == expected, f"the outcome of {expected}", seen)
        owner = (observation.task_id, observation.step)
        require(owner == expected[1:3], f"the observation of {expected[1:3]}", owner)
        last_outcome = Outcome() if request.action.skill == words.SKILL_OBSERVE else outcome
        require(
            observation.last_outcome == last_outcome,
            f"the outcome of {played} in its observation",
            "another one",
        )
        require(outcome.result != Result.UNKNOWN, f"a result of {played}", "none")
        require(0 <= outcome.distance < float("inf"), f"a distance in metres of {played}", outcome.distance)
        if before is not None:
            duration = (played.end - before) / 1e9
            close = abs(outcome.duration - duration) <= 1e-3 * max(duration, 1.0)
            require(close, f"{played} took {duration:g} s by the world's clock", f"{outcome.duration:g} s")
        before = played.end


def skills_succeed(trial: Trial) -> None:
    """The requests of `Subject.possible` succeed, without an error."""
    for played in (trial.episode.look, *trial.episode.done, trial.episode.last):
        outcome = played.outcome
        succeeded = outcome.result == Result.SUCCEEDED and not outcome.error
        require(succeeded, f"{played} succeeds", f"{outcome.result.name}: {outcome.error.text}")


def observe_changes_nothing(trial: Trial) -> None:
    """`observe` moves nothing and costs no command: observation, odometry and ground truth are the same after it."""
    first = trial.begin()
    again = play(trial.world, OBSERVE)
    require(not again.outcome.distance, "observe does not move", f"{again.outcome.distance:g} m")
    states = (("what is told", _observed), ("the odometry", _odometry), ("the truth", _truth))
    for name, state in states:
        one, other = state(first), state(again)
        require(one == other, f"{name} is the same after another look", f"{one!s:.100}, then {other!s:.100}")


def _observed(played: Played) -> object:
    seen = played.observation
    return seen.description, seen.inventory, seen.admissible_commands, seen.holding, seen.episode


def _odometry(played: Played) -> object:
    return [frame.part(topics.ODOMETRY, Odometry).pose for frame in played.frames[-1:]]


def _truth(played: Played) -> object:
    """Returns the ground truth without its header; empty for a world without ground truth."""
    truths = [message for _, message in played.emissions if isinstance(message, GroundTruth)]
    return [replace(one, header=Header()) for one in truths]


def episode_keeps_running(trial: Trial) -> None:
    """An episode that the world did not end is RUNNING, or UNJUDGED from its beginning, after any number of requests:
    limits are enforced by the caller."""
    expected = trial.begin().observation.episode
    require(not expected.is_over, "RUNNING or UNJUDGED after a reset", expected.name)
    many = [play(trial.world, played.request) for played in trial.episode.refused[:1] * 60]
    for played in (*trial.episode.all, *many, play(trial.world, OBSERVE)):
        state = played.observation.episode
        require(state == expected, f"{expected.name} after {played}", state.name)


def end_is_final(trial: Trial) -> None:
    """An episode that the world ends is WON or LOST from that skill on: until the next `reset`, `observe` reports the
    same state, and any other skill is rejected with ACTION_NOT_ALLOWED and changes nothing."""
    assert trial.subject.ending is not None
    requests = trial.subject.ending(trial.begin())
    for number, request in enumerate(requests, start=1):
        played = play(trial.world, request)
        state = played.observation.episode
        over = state.is_over
        require(
            over == (number == len(requests)),
            f"the episode ends with request {len(requests)}",
            f"{state.name} after {number}",
        )
    repeated = (OBSERVE, *(one.request for one in trial.episode.done))
    again = [play(trial.world, request) for request in repeated]
    for one in (*again, play(trial.world, OBSERVE)):
        require(
            one.observation.episode == state,
            f"{state.name} until the next reset",
            one.observation.episode.name,
        )
        if one.request.action.skill == words.SKILL_OBSERVE:
            require(
                one.outcome.result == Result.SUCCEEDED,
                "observe is answered after the end",
                one.outcome.error.text,
            )
            continue
        refused = (
            one.outcome.result == Result.FAILED and one.outcome.error.code == ErrorCode.ACTION_NOT_ALLOWED
        )
        require(
            refused, f"{one} is refused after the end", f"{one.outcome.result.name} {one.outcome.error.text}"
        )
    require(not trial.begin().observation.episode.is_over, "RUNNING after a reset", "the end before")
