"""Checks of skills that fail or are canceled, and of names that must stay inside the world."""

from __future__ import annotations

import re
from collections.abc import Iterator

from stma_ros.testing.world_conformance.played import (
    NonConformance,
    Played,
    play,
    require,
    stamp_of,
    texts_of,
)
from stma_ros.testing.world_conformance.trial import OBSERVE, UNKNOWN_SKILL, Trial
from stma_ros.types import topics
from stma_ros.types.component import CancelToken, Emission
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Result, SkillRequest
from stma_ros.types.truth import GroundTruth

_CODES = range(200, 300)  # the world's range of error codes (msg/Error.msg)
_REASON = "it is not wanted any more"
_STOP_WITHIN = 1.0  # of the world's time [s]


def impossible_requests_fail(trial: Trial) -> None:
    """Requests with an unknown skill, a wrong number of targets, a pose that is not finite or out of reach, and those
    of `Subject.impossible`, are FAILED with a code from 200 to 299 and a text; an unknown skill with SKILL_UNKNOWN."""
    for played in trial.episode.refused:
        outcome = played.outcome
        name = _name_of(played)
        require(outcome.result == Result.FAILED, f"{name} fails", outcome.result.name)
        require(outcome.error.code in _CODES, f"a code of the world for {name}", outcome.error.code.name)
        require(bool(outcome.error.text.strip()), f"a reason why {name} failed", "no text")
        if played.request.action.skill == UNKNOWN_SKILL:
            code = outcome.error.code
            require(code == ErrorCode.SKILL_UNKNOWN, "SKILL_UNKNOWN for a skill that there is not", code.name)


def _name_of(played: Played) -> str:
    return f"{played} with {len(played.request.targets)} targets and base_goal {played.request.base_goal.position}"


def internal_names_are_not_published(trial: Trial) -> None:
    """The world's internal names of objects and rooms occur only in the ground truth, neither in texts of errors nor in
    labels."""
    for played in trial.episode.all:
        truth = played.truth
        named = [(item.name, item.category) for item in truth.objects]
        named += [(room.name, room.category) for room in truth.rooms]
        names = {name for name, _ in named} - {category for _, category in named} - {""}
        if not names:
            continue
        pattern = re.compile(r"(?<!\w)(" + "|".join(map(re.escape, sorted(names))) + r")(?!\w)")
        for topic, message in played.emissions:
            if topic == topics.GROUND_TRUTH:
                continue
            for text in texts_of(message):
                require(
                    not pattern.search(text), f"no name of the world's own on {topic} in {played}", repr(text)
                )


def canceled_before_it_begins(trial: Trial) -> None:
    """A skill whose token is set before it begins does nothing: it ends as CANCELED, with that code and the token's
    reason, and with the same messages as any skill. Without a cancel it succeeds afterwards."""
    episode = trial.episode
    for number, done in enumerate(episode.done):
        earlier = trial.replay(trial.world, [one.request for one in (episode.look, *episode.done[:number])])
        token = CancelToken()
        token.cancel(_REASON)
        played = play(trial.world, done.request, token)
        _check_canceled(played)
        distance = played.outcome.distance
        require(not distance, f"{done}, canceled before it begins, does nothing", f"{distance:g} m driven")
        if trial.subject.knows_truth:
            before, after = earlier[-1].truth, played.truth
            same = before.objects == after.objects and before.robot == after.robot
            require(same, f"{done}, canceled before it begins, changes nothing", "another truth")
        _check_continues(trial, played)
        outcome = play(trial.world, done.request).outcome
        require(outcome.result == Result.SUCCEEDED, f"{done} succeeds after a cancel", outcome.error.text)


def canceled_during_a_motion(trial: Trial) -> None:
    """A motion whose token is set while it takes frames stops within a second of the world's time and ends as CANCELED;
    the world continues from there."""
    before, long = _long_skill(trial)
    trial.replay(trial.world, [played.request for played in before])
    played = _canceled_from(trial, long.request, long.frames[0].stamp)
    _check_canceled(played)
    duration = (played.end - played.frames[0].stamp) / 1e9
    require(
        duration <= _STOP_WITHIN, f"{long} stops within {_STOP_WITHIN:g} s of its cancel", f"{duration:g} s"
    )
    _check_continues(trial, played)


def canceled_skill_changes_nothing(trial: Trial) -> None:
    """A skill whose token is set at the last frame on its way, and which ends as CANCELED, has changed no object:
    states and supports are what they were. One that has changed an object ends with its own result."""
    episode = trial.episode
    for number, done in enumerate(episode.done):
        earlier = trial.replay(trial.world, [one.request for one in (episode.look, *episode.done[:number])])
        on_its_way = done.frames[:-1] or done.frames
        played = _canceled_from(trial, done.request, on_its_way[-1].stamp)
        if played.outcome.result == Result.CANCELED:
            changed = _conditions(played.truth) - _conditions(earlier[-1].truth)
            require(not changed, f"{done}, canceled on its way, changes nothing", changed)


def closed_during_a_skill(trial: Trial) -> None:
    """A skill whose iterator is closed before its end stops immediately, and the world executes the next one."""
    first = trial.begin()
    running = trial.world.execute(trial.episode.done[0].request, CancelToken())
    next(running)
    if isinstance(running, Iterator) and hasattr(running, "close"):
        running.close()
    del running
    _check_continues(trial, first)


def _long_skill(trial: Trial) -> tuple[tuple[Played, ...], Played]:
    """Returns the requests before the first skill that takes several frames, and that skill."""
    episode = trial.episode
    for number, played in enumerate(episode.done):
        if len(played.frames) > 2:
            return (episode.look, *episode.done[:number]), played
    raise NonConformance(
        "promised: one of Subject.possible takes two frames on its way; seen: none, name one"
    )


def _canceled_from(trial: Trial, request: SkillRequest, stamp: int) -> Played:
    """Executes a request whose token is set at the first message from a time on [ns]."""
    token = CancelToken()
    emissions: list[Emission] = []
    for emission in trial.world.execute(request, token):
        emissions.append(emission)
        if stamp_of(emission[1]) >= stamp:
            token.cancel(_REASON)
    return Played(request, tuple(emissions))


def _conditions(truth: GroundTruth) -> set[tuple[str, tuple[str, ...], str, bool]]:
    """Returns the states and the support of each object."""
    return {(thing.name, thing.states, thing.support, thing.inside) for thing in truth.objects}


def _check_canceled(played: Played) -> None:
    outcome = played.outcome
    seen = f"{outcome.result.name} {outcome.error.code.name} {outcome.error.text!r}"
    canceled = outcome.result == Result.CANCELED and outcome.error.code == ErrorCode.CANCELED
    require(canceled and outcome.error.text == _REASON, f"{played} is CANCELED with {_REASON!r}", seen)


def _check_continues(trial: Trial, before: Played) -> None:
    after = play(trial.world, OBSERVE)
    succeeded = after.outcome.result == Result.SUCCEEDED and after.end >= before.end
    seen = f"{after.outcome.result.name} at {after.end} ns"
    require(succeeded, "the world goes on with the next skill", seen)
