"""Checks of `reset` and `close`, and of the independence of episodes and worlds."""

from __future__ import annotations

from stma_ros.testing.world_conformance.played import (
    NonConformance,
    Played,
    as_begun_at,
    first_difference,
    play,
    require,
)
from stma_ros.testing.world_conformance.trial import OBSERVE, Trial
from stma_ros.types.component import CancelToken
from stma_ros.types.errors import ConfigurationError, WorldError
from stma_ros.types.planning import Result
from stma_ros.types.world import Senses, World


def reset_names_the_scene(trial: Trial) -> None:
    """`reset` returns the name of the scene; an empty name selects the present scene, and at first one of the world's
    choice, which can be loaded again by its name."""
    subject, world = trial.subject, trial.world
    named = world.reset(subject.scene, subject.seed)
    require(named == subject.scene, f"the name of the scene, {subject.scene!r}", repr(named))
    present = world.reset("", subject.other_seed)
    require(present == subject.scene, f"no scene named: {subject.scene!r} is kept", repr(present))
    with trial.fresh() as other:
        chosen = other.reset("", subject.seed)
        first = play(other, OBSERVE)
        again = other.reset(chosen, subject.seed)
        require(
            bool(chosen) and again == chosen, "a scene of its own choice, with a name", repr((chosen, again))
        )
        differs = first_difference([first], _aligned(trial, [play(other, OBSERVE)], first))
        require(not differs, f"{chosen!r} by its name is what it chose", differs)


def unknown_scene_is_refused(trial: Trial) -> None:
    """`reset` with an unknown scene raises ConfigurationError with a text, and leaves the world unchanged."""
    world, unknown = trial.world, trial.subject.unknown_scene
    before = trial.begin()
    try:
        seen = f"reset returned {world.reset(unknown, 0)!r}"
    except ConfigurationError as error:
        seen = ""
        require(bool(str(error)), "the error says what scenes there are", "no text")
    except Exception as error:  # noqa: BLE001 - the boundary to any world
        seen = f"{type(error).__name__}: {error}"
    require(not seen, f"ConfigurationError for the scene {unknown!r}", seen)
    after = play(world, OBSERVE)
    require(after.end >= before.end, "a refused scene leaves the episode as it was", "its time went back")
    if trial.subject.knows_truth:
        require(
            after.truth.scene == trial.subject.scene, "a refused scene changes nothing", after.truth.scene
        )
        require(after.truth.robot == before.truth.robot, "a refused scene moves nothing", after.truth.robot)
    present = world.reset("", trial.subject.seed)
    require(present == trial.subject.scene, "a refused scene leaves the present one", repr(present))


def nothing_is_executed_before_reset(trial: Trial) -> None:
    """Before the first `reset`, `execute` raises WorldError, and `skills` is complete."""
    with trial.fresh() as world:
        before = world.skills
        _refuses(world, "before the first reset")
        world.reset(trial.subject.scene, trial.subject.seed)
        play(world, OBSERVE)
        require(
            bool(before) and before == world.skills,
            "the same skills at any time",
            f"{before}, {world.skills}",
        )


def closed_world_executes_nothing(trial: Trial) -> None:
    """`close` may be called at any time and more than once; after it, `execute` raises WorldError."""
    unused, world = trial.subject.make(), trial.subject.make()
    world.reset(trial.subject.scene, trial.subject.seed)
    try:
        for closed in (unused, world, world):
            closed.close()
    except Exception as error:
        seen = f"{type(error).__name__}: {error}"
        raise NonConformance(f"promised: close at any time, and twice; seen: {seen}") from error
    _refuses(world, "after close")


def same_seed_same_episode(trial: Trial) -> None:
    """The same scene, seed and requests give the same messages on every topic, whatever happened before, and also in
    another instance of the world."""
    first = trial.episode.all
    trial.begin_other()
    play(trial.world, trial.episode.all[1].request)
    differs = first_difference(first, _aligned(trial, trial.replay(trial.world), first[0]))
    require(not differs, "the same episode again after another one", differs)
    with trial.fresh() as other:
        differs = first_difference(first, _aligned(trial, trial.replay(other), first[0]))
    require(not differs, "the same episode in another world of the same make", differs)


def other_seed_other_episode(trial: Trial) -> None:
    """Another seed gives another episode."""
    one = trial.begin()
    trial.world.reset(trial.subject.scene, trial.subject.other_seed)
    other = play(trial.world, OBSERVE)
    differs = first_difference([one], _aligned(trial, [other], one))
    require(
        bool(differs),
        f"seeds {trial.subject.seed} and {trial.subject.other_seed} differ",
        "the same first look",
    )


def worlds_are_independent(trial: Trial) -> None:
    """Two instances of the world, used in turns, each give the same messages as alone, and one continues when the other
    is closed."""
    expected = trial.episode.all
    requests = [played.request for played in expected]
    with trial.fresh() as other:
        other.reset(trial.subject.scene, trial.subject.seed)
        trial.world.reset(trial.subject.scene, trial.subject.seed)
        seen, late = [play(trial.world, requests[0])], []
        for ahead, behind in zip(requests[1:], requests[:-1], strict=True):
            # The iterators are read message by message in turns; one world is a skill ahead of the other.
            leading, following = (
                world.execute(request, CancelToken())
                for world, request in ((trial.world, ahead), (other, behind))
            )
            first, second = [], []
            while (one := next(leading, None)) is not None:
                first.append(one)
                if (two := next(following, None)) is not None:
                    second.append(two)
            second += following
            seen.append(Played(ahead, tuple(first)))
            late.append(Played(behind, tuple(second)))
    for name, played, alone in (("one", seen, expected), ("the other", late, expected[:-1])):
        differs = first_difference(alone, _aligned(trial, played, expected[0]))
        require(not differs, f"{name} of two worlds does as it does alone", differs)
    require(
        play(trial.world, OBSERVE).outcome.result == Result.SUCCEEDED,
        "it outlives the other",
        "a failed look",
    )


def _aligned(trial: Trial, played: list[Played] | tuple[Played, ...], like: Played) -> list[Played]:
    """Shifts the stamps of a text world, whose clock continues over resets, so that it begins like another episode."""
    return as_begun_at(played, like.end) if trial.subject.senses is Senses.TEXT else list(played)


def _refuses(world: World, when: str) -> None:
    try:
        seen = f"{len(list(world.execute(OBSERVE, CancelToken())))} messages"
    except WorldError as error:
        seen = "" if str(error) else "an error without a text"
    except Exception as error:  # noqa: BLE001 - the boundary to any world
        seen = f"{type(error).__name__}: {error}"
    require(not seen, f"WorldError from execute {when}", seen)
