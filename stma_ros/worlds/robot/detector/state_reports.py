"""States that the simulated detector reports: those whose telling part is in view, with a detector's mistakes."""

from __future__ import annotations

import math
from collections.abc import Iterator

from stma_ros.types import vocabulary as words
from stma_ros.types.evidence import EvidenceSource, StateEstimate
from stma_ros.types.standard import Time
from stma_ros.worlds.robot.detector.draws import Draws
from stma_ros.worlds.robot.detector.errors import DetectorErrors
from stma_ros.worlds.robot.detector.sight import Sight
from stma_ros.worlds.robot.scene import Thing
from stma_ros.worlds.robot.state import SceneState
from stma_ros.worlds.robot.truth import fixture_states, item_states

FRONT = math.radians(70)
"""Largest angle between the camera's direction and the front at which a front, a screen or a lamp tells the state."""

INTO = math.radians(20)
"""Smallest angle at which the camera looks down into a vessel."""

FAR = 4.0
"""Largest distance of a thing whose state is reported [m]."""

VISIBLE = 0.25
"""Smallest visible part of a thing whose state is reported."""

OPENNESS_SIZE, POWER_SIZE, CONTENT_SIZE = 2.5e-3, 5e-4, 8e-4
"""Smallest shares of the image: 192, 38 and 61 of 320 x 240 pixels."""

OPAQUE = frozenset({"teapot", "kettle"})
"""Vessels into which nobody sees."""

_OPENNESS, _POWER = (
    frozenset({words.STATE_OPEN, words.STATE_CLOSED}),
    frozenset({words.STATE_ON, words.STATE_OFF}),
)


def reported_states(
    thing: Thing,
    state: SceneState,
    sight: Sight,
    draws: Draws,
    first: int,
    errors: DetectorErrors,
    stamp: Time,
) -> Iterator[StateEstimate]:
    """Yields the states that a label carries.

    Args:
        thing: the thing.
        state: the true state of the scene.
        sight: how the camera sees the thing.
        draws: draws of this frame for the thing.
        first: number of the first of six events of `draws`.
        errors: shares of the errors.
        stamp: of the frame.
    """
    for true in item_states(thing, state) if thing.portable else fixture_states(thing, state):
        dimension = 0 if true in _OPENNESS else 1 if true in _POWER else 2
        missed, wrong = first + 2 * dimension, first + 2 * dimension + 1
        if not _is_telling(thing, dimension, sight) or draws.happens(missed, errors.missed_states):
            continue
        yield StateEstimate(
            state=words.OPPOSITE_STATE[true] if draws.happens(wrong, errors.wrong_states) else true,
            source=EvidenceSource.LABEL,
            confidence=draws.score(wrong, errors.wrong_states),
            stamp=stamp,
        )


def _is_telling(thing: Thing, dimension: int, sight: Sight) -> bool:
    """Whether the part that shows the state is in view and large enough."""
    if sight.distance > FAR or sight.visible < VISIBLE:
        return False
    if dimension == 0:
        both = not thing.portable and thing.swings
        off_front = min(abs(sight.bearing), math.pi - abs(sight.bearing)) if both else abs(sight.bearing)
        return off_front <= FRONT and sight.pixels >= OPENNESS_SIZE
    if dimension == 1:
        return abs(sight.bearing) <= FRONT and sight.pixels >= POWER_SIZE
    return thing.category not in OPAQUE and sight.elevation >= INTO and sight.pixels >= CONTENT_SIZE
