"""The interface of worlds: a robot's hardware or a simulator.

`stma_ros.testing.world_conformance` checks on any world that it fulfils this contract.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from stma_ros.types.component import CancelToken, Emission
from stma_ros.types.planning import SkillRequest, SkillSchema


class Senses(str, enum.Enum):
    """Kind of input that an agent gets from a world."""

    CAMERA = "camera"
    TEXT = "text"


@dataclass(frozen=True)
class WorldOffer:
    """Properties of a world, simulated or real, that decide which agents can run in it.

    Attributes:
        domain: Name of the domain whose rules hold there.
        senses: Kind of input that the agent gets.
        skills: Names of the skills; None if they are not known before the world runs.
        segments_are_boxes: Whether the segments are boxes in the image, which contain the surroundings of things.
        true_outlines: Whether the camera's segments have the true outlines of objects, so that their shape in depth
            shows whether furniture is open. Segments that are estimated, as from boxes, do not.
    """

    domain: str
    senses: Senses
    skills: tuple[str, ...] | None = None
    true_outlines: bool = False
    segments_are_boxes: bool = False

    def __str__(self) -> str:
        skills = "" if self.skills is None else f" and the skills {', '.join(self.skills) or '(none)'}"
        return f"a {self.senses.value}{skills}"


class World(Protocol):
    """A robot and its surroundings, real or simulated.

    A world knows nothing of the agent. Its true state (names, places, the score) is emitted only as `ground_truth`,
    which is for scorers.

    Calls: They are made one after the other from one thread; other threads only read `skills` and set a `CancelToken`.
    The iterator that `execute` returns is exhausted or closed before the next call; a skill whose iterator is closed
    stops immediately. Worlds do not influence one another.

    Episodes: `reset` begins one. The same scene, seed and requests give the same messages, whatever happened in earlier
    episodes; random numbers are derived from the seed.

    Time: Each world has its own clock, which advances only while a skill is executed. With a camera, every episode
    begins at 0, and each frame is later than the one before. In a text world, each command that the world accepts
    advances the clock, and the clock continues over resets, so that memories of an earlier attempt are older than the
    observations of the present one; there, the same episode gives the same messages except for the time at which it
    began.

    End of an episode: A world that ends the episode itself (a game that is won or lost) reports this in
    `Observation.episode`, from the skill that ended it until the next `reset`; meanwhile it answers `observe` and
    rejects every other skill with ACTION_NOT_ALLOWED. In a world that does not know the goal every episode is UNJUDGED
    from its beginning. Limits of commands and time belong to the agent or its
    benchmark: they stop sending requests, and the episode stays as it is.

    Errors: `execute` and `reset` raise WorldError with a remedy when the engine fails. The skill is lost then. The
    world decides whether `execute` can continue (it raises WorldError again if not); `reset` starts a new episode, with
    a new engine if necessary.
    """

    @property
    def skills(self) -> tuple[SkillSchema, ...]:
        """Schemas of the skills, without lists of objects; constant over the life of the world.

        `observe` (one frame, no motion) is always supported. It is not listed, costs no command and cannot be canceled.
        """
        ...

    def reset(self, scene: str, seed: int) -> str:
        """Begins an episode.

        Args:
            scene: Name of the scene; empty for the present one, or the world's own choice if there is none yet.
            seed: Seed of the random numbers of the episode.

        Returns:
            The name of the scene, with which it can be loaded again.

        Raises:
            ConfigurationError: The world does not have this scene or seed; its state is unchanged.
            WorldError: The engine fails.
        """
        ...

    def execute(self, request: SkillRequest, cancel: CancelToken) -> Iterator[Emission]:
        """Executes one skill.

        A skill that cannot be done raises no exception: its outcome is FAILED, with a code of the world's range (200 to
        299) and a text that names objects as the request does. It may have taken time and moved the base.

        Once `cancel` is set, a skill that has not begun does nothing, and a motion stops within a second of the
        world's time; the outcome is CANCELED, with that code and the token's reason. A manipulation that has begun may
        be completed; its outcome is then the same as without the cancel.

        The messages are, in the order of their stamps:

        - with a camera, the frames taken during the skill, and always one at its end: for each frame, one message on
          each of the topics of a frame, all with the same stamp and nothing in between (`topics.FRAME` has the units);
        - `clock`, after each frame with its stamp; without a camera, at the end;
        - finally one `ground_truth` (simulated worlds only), one `observation` whose watermark is the last frame's
          stamp (none without a camera), and one `outcome`, all three with that stamp. The last two carry the ids of
          the request; the observation includes the outcome too, except after `observe`.

        Args:
            request: The skill and its targets. Poses are in the map frame as the robot has estimated it.
            cancel: Token that cancels the skill.

        Yields:
            Topics with messages.

        Raises:
            WorldError: `reset` was not called yet, the world is closed, or the engine fails.
        """
        ...

    def close(self) -> None:
        """Releases the engine's resources. It may be called at any time, and more than once."""
        ...
