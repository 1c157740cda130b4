"""Checks of skills that fail or are canceled, and of names that must stay inside the world."""

from __future__ import annotations

import re
from collections.abc import Iterator

from stma_ros.testing.world_conformance.played import NonConformance, Played, play, require, texts_of
from stma_ros.testing.world_conformance.trial import OBSERVE, UNKNOWN_SKILL, Trial
from stma_ros.types import topics
from stma_ros.types.component import CancelToken, Emission
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Result

_CODES = range(200, 300)  # of the world, see msg/Error.msg
_REASON = "it is not wanted any more"
_SOON = 1.0  # [s] of the world's time


def what_cannot_be_done_fails(trial: Trial) -> None:
    """An unknown skill, a wrong number of targets, a place that is no number, what is out of reach and what the subject
    names end as FAILED, with a code from 200 to 299 and a text; an unknown skill with SKILL_UNKNOWN."""
    for played in trial.episode.refused:
        outcome = played.outcome
        require(outcome.result == Result.FAILED, f"{_told(played)} fails", outcome.result.name)
        require(
            outcome.error.code in _CODES, f"a code of the world for {_told(played)}", outcome.error.code.name
        )
        require(bool(outcome.error.text.strip()), f"a reason why {_told(played)} failed", "no text")
        if played.request.action.skill == UNKNOWN_SKILL:
            code = outcome.error.code
            require(code == ErrorCode.SKILL_UNKNOWN, "SKILL_UNKNOWN for a skill that there is not", code.name)


def _told(played: Played) -> str:
    return f"{played} with {len(played.request.targets)} targets and base_goal {played.request.base_goal.position}"


def names_stay_inside(trial: Trial) -> None:
    """The world's own names of things and rooms are in no message but the ground truth: neither in the text of an error
    nor in a label."""
    for played in trial.episode.all:
        truth = played.truth
        named = [(thing.name, thing.category) for thing in truth.objects]
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
    """A skill whose token is set before it begins does nothing: CANCELED, with that code and the token's reason, and
    the messages of any other skill. Done without, it succeeds afterwards."""
    episode = trial.episode
    for number, done in enumerate(episode.done):
        earlier = trial.replay(trial.world, [one.request for one in (episode.look, *episode.done[:number])])
        token = CancelToken()
        token.cancel(_REASON)
        played = play(trial.world, done.request, token)
        _check_canceled(played)
        driven = played.outcome.distance
        require(not driven, f"{done}, canceled before it begins, does nothing", f"{driven:g} m driven")
        if trial.subject.knows_truth:
            was, now = earlier[-1].truth, played.truth
            same = was.objects == now.objects and was.robot == now.robot
            require(same, f"{done}, canceled before it begins, changes nothing", "another truth")
        _check_goes_on(trial, played)
        outcome = play(trial.world, done.request).outcome
        require(outcome.result == Result.SUCCEEDED, f"{done} succeeds after a cancel", outcome.error.text)


def canceled_on_the_way(trial: Trial) -> None:
    """A motion whose token is set while it takes frames stops within a second of the world's time: CANCELED, and the
    world goes on from where it is."""
    before, long = _long_skill(trial)
    trial.replay(trial.world, [played.request for played in before])
    token = CancelToken()
    emissions: list[Emission] = []
    for emission in trial.world.execute(long.request, token):
        emissions.append(emission)
        token.cancel(_REASON)  # at the first message of the first frame
    played = Played(long.request, tuple(emissions))
    _check_canceled(played)
    lasted = (played.end - played.frames[0].stamp) / 1e9
    require(lasted <= _SOON, f"{long} stops within {_SOON:g} s of its cancel", f"{lasted:g} s")
    _check_goes_on(trial, played)


def let_go_of_on_the_way(trial: Trial) -> None:
    """A skill that nobody reads to its end stops where it is, and the world does the next one."""
    first = trial.begin()
    running = trial.world.execute(trial.episode.done[0].request, CancelToken())
    next(running)
    if isinstance(running, Iterator) and hasattr(running, "close"):
        running.close()
    del running
    _check_goes_on(trial, first)


def _long_skill(trial: Trial) -> tuple[tuple[Played, ...], Played]:
    """The first skill with frames on its way, and all before it."""
    episode = trial.episode
    for number, played in enumerate(episode.done):
        if len(played.frames) > 2:
            return (episode.look, *episode.done[:number]), played
    raise NonConformance(
        "promised: one of Subject.possible takes two frames on its way; seen: none, name one"
    )


def _check_canceled(played: Played) -> None:
    outcome = played.outcome
    seen = f"{outcome.result.name} {outcome.error.code.name} {outcome.error.text!r}"
    canceled = outcome.result == Result.CANCELED and outcome.error.code == ErrorCode.CANCELED
    require(canceled and outcome.error.text == _REASON, f"{played} is CANCELED with {_REASON!r}", seen)


def _check_goes_on(trial: Trial, before: Played) -> None:
    after = play(trial.world, OBSERVE)
    fine = after.outcome.result == Result.SUCCEEDED and after.end >= before.end
    require(fine, "the world goes on with the next skill", f"{after.outcome.result.name} at {after.end} ns")
