"""The port behind which the hardware or a simulator stands, and what whoever stands there promises.

`stma_ros.testing.world_conformance` checks these promises on any world.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from stma_ros.types.component import CancelToken, Emission
from stma_ros.types.planning import SkillRequest, SkillSchema


class Senses(str, enum.Enum):
    """What an agent gets from a world."""

    CAMERA = "camera"
    TEXT = "text"


@dataclass(frozen=True)
class WorldOffer:
    """What an agent is matched with: a simulated world, or a robot's body in its surroundings.

    Attributes:
        domain: name of the domain whose rules hold there.
        senses: what the agent gets from there.
        skills: names of the skills; None = they are not known before the body is there.
    """

    domain: str
    senses: Senses
    skills: tuple[str, ...] | None = None

    def __str__(self) -> str:
        skills = "" if self.skills is None else f" and the skills {', '.join(self.skills) or '(none)'}"
        return f"a {self.senses.value}{skills}"


class World(Protocol):
    """A body to sense and act with. It knows nothing of the agent; what only it knows (names, places, the score) leaves
    through here only as the `ground_truth`, which is for scorers.

    Calls: one after the other, from one thread; only `skills` is read, and a `CancelToken` set, from others. What
    `execute` returns is read to its end or let go of before the next call; a skill that is let go of stops where it is.
    Worlds do not influence one another.

    Episodes: `reset` begins one. The same scene and seed with the same requests give the same messages, whatever was
    done before; what is drawn by lot is drawn from the seed.

    Time: the world's own; it passes only while a skill is executed. With a camera every episode begins at 0, and each
    frame is later than the one before. In a text world a command that the world takes is what takes time, and the clock
    runs on over resets, so that what is remembered of an earlier attempt is older than what is told in this one: there,
    the same episode is the same but for the hour at which it began.

    The end: a world that ends the episode itself (a game that is won or lost) says so in `Observation.episode`, from
    the skill that ended it until the next `reset`; meanwhile it answers `observe` and refuses every other skill, with
    ACTION_NOT_ALLOWED. To have no commands or no time left is the affair of the agent, or of who measures it: they ask
    no more, and the episode stays RUNNING.

    Errors: `execute` and `reset` raise WorldError when the engine fails, and say what to do. The skill is lost then;
    whether `execute` can go on is the world's affair (it raises WorldError again if not), and `reset` begins anew, with
    a new engine where the old one is gone.
    """

    @property
    def skills(self) -> tuple[SkillSchema, ...]:
        """What it can do, without any list of objects; the same at any time. `observe` (one frame, no motion) is
        always understood, is not listed, costs no command, and has nothing to cancel."""
        ...

    def reset(self, scene: str, seed: int) -> str:
        """Put the world at the start of an episode; returns the name of the scene, by which it can be had again.
        `scene` empty: keep it, or the world's own choice if there was none.

        Raises ConfigurationError for a scene or a seed that it does not have, and is as it was then; WorldError when
        the engine fails.
        """
        ...

    def execute(self, request: SkillRequest, cancel: CancelToken) -> Iterator[Emission]:
        """Do one skill. Places in the request are in the map frame, as the robot believes it to lie.

        Yields, in the order of their stamps:
        - with a camera, the frames taken on the way, and always one at the end, however the skill ends: for each, one
          message on each of the topics of a frame, all with the same stamp and nothing in between (`topics.FRAME` has
          the units);
        - `clock`: after each frame, with its stamp; without a camera, at the end;
        - at last one `ground_truth` (simulated worlds only), one `observation` whose watermark is the last frame's
          stamp (none without a camera), and one `outcome`, all three with that stamp. The last two carry the ids of
          the request; the observation holds the outcome too, except after `observe`, which has none to tell.

        A skill that cannot be done is no exception: its outcome says FAILED, with a code of the world's range (200 to
        299) and a text that names things as the request does. It may have taken time and moved the base.

        Once `cancel` is set, a skill that has not begun does nothing, and a motion stops within a second of the
        world's time; the outcome is CANCELED, with that code and the token's reason. What the arm has begun may be
        done to its end; then the outcome is as without.

        Raises WorldError before the first `reset`, after `close` and when the engine itself fails.
        """
        ...

    def close(self) -> None:
        """Give back what the engine holds; the world is not used again. May be called twice, and at any time."""
        ...
