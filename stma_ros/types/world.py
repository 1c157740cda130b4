"""The port behind which the hardware or a simulator stands."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from typing import Protocol

from stma_ros.types.component import CancelToken, Emission
from stma_ros.types.planning import SkillRequest, SkillSchema


class Senses(str, enum.Enum):
    """What an agent gets from a world; another agent is wired for each."""

    CAMERA = "camera"
    TEXT = "text"


class World(Protocol):
    """A body to sense and act with. It knows nothing of the agent; what only it knows leaves through here only as the
    `ground_truth`, which is for scorers."""

    @property
    def skills(self) -> tuple[SkillSchema, ...]:
        """What it can do, without any list of objects. `observe` (one frame, no motion) is always
        understood, is not listed, and costs no command."""
        ...

    def reset(self, scene: str, seed: int) -> str:
        """Put the world at the start of an episode; returns the name of the scene. `scene` empty: keep it.

        Raises ConfigurationError for a scene it does not have, WorldError when the engine fails.
        """
        ...

    def execute(self, request: SkillRequest, cancel: CancelToken) -> Iterator[Emission]:
        """Do one skill. Yields, in the order of their stamps, the frames taken on the way (where there is a camera: for
        each frame, one message on each of the topics of a frame, all with the same stamp: see `topics.FRAME`),
        `clock`, and at last one `ground_truth` (simulated worlds only), one `observation` whose watermark is the last
        frame's stamp, and one `outcome`. Places in the request are in the map frame, as the robot believes it to lie.

        A skill that cannot be done is no exception: its outcome says FAILED and why. Stops soon when `cancel`
        is set, with the outcome CANCELED. Raises WorldError only when the engine itself fails.
        """
        ...

    def close(self) -> None:
        """Give back what the engine holds. May be called twice."""
        ...
