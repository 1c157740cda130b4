"""A script: a room with boxes in it, and the outcome of each skill, as a file in YAML or JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ConfigurationError, ErrorCode
from stma_ros.worlds.first_problem import first_problem

SUFFIXES = (".yaml", ".yml", ".json")
_CODES = {code.name for code in ErrorCode if 200 <= code < 300 and code != ErrorCode.WORLD_FAILED}

Metres: TypeAlias = Annotated[float, Field(gt=0.0, le=100.0)]
Channel: TypeAlias = Annotated[int, Field(ge=0, le=255)]


class _Written(BaseModel):
    """A part of a script: unknown keys and infinite numbers are refused."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False, frozen=True)


class ScriptedBox(_Written):
    """An axis-aligned box in the room, in the map frame [m]."""

    category: str = Field(min_length=1)
    center: tuple[float, float, float]
    size: tuple[Metres, Metres, Metres]
    color: tuple[Channel, Channel, Channel] = (160, 120, 80)


class Act(_Written):
    """The outcome of one request.

    Attributes:
        error: name of an ErrorCode (200 to 299): the skill fails, and the base stays where it is; empty = it succeeds.
        text: the reason.
        seconds: duration in addition to the driving [s].
        bumper: whether the robot touched something.
        holding: whether the gripper holds something afterwards; None = yes after `pick`, no after
            `vocabulary.PLACINGS`, else unchanged.
        episode: the world ends the episode with this result.
        crash: the engine fails with this text instead.
    """

    error: str = ""
    text: str = "the script says so"
    seconds: float = Field(default=2.0, ge=0.0, le=3600.0)
    bumper: bool = False
    holding: bool | None = None
    episode: Literal["", "won", "lost"] = ""
    crash: str = ""

    @field_validator("error")
    @classmethod
    def _known(cls, name: str) -> str:
        if name and name not in _CODES:
            raise ValueError(f"must be one of {', '.join(sorted(_CODES))}")
        return name


class Script(_Written):
    """A script.

    Attributes:
        room: its extent from (0, 0) [m].
        boxes: the boxes in it.
        skills: the outcomes of a skill's first request, its second and so on, by the skill's name; the last outcome
            repeats. A skill that is not listed succeeds.
    """

    room: tuple[Metres, Metres] = (6.0, 5.0)
    boxes: tuple[ScriptedBox, ...] = ()
    skills: dict[str, tuple[Act, ...]] = Field(default_factory=dict)

    @field_validator("skills")
    @classmethod
    def _named(cls, skills: dict[str, tuple[Act, ...]]) -> dict[str, tuple[Act, ...]]:
        known = (*words.MOTIONS, words.SKILL_LOOK_AROUND, *words.MANIPULATIONS)
        for name, acts in skills.items():
            if name not in known:
                raise ValueError(f"there is no skill {name!r}; there are {', '.join(known)}")
            if not acts:
                raise ValueError(f"{name} says nothing; leave it out and it succeeds")
        return skills

    def act(self, skill: str, times: int) -> Act:
        """Returns the outcome of a skill after that many earlier requests."""
        acts = self.skills.get(skill, (Act(),))
        return acts[min(times, len(acts) - 1)]


ROOM = Script(
    boxes=(
        ScriptedBox(category="table", center=(4.2, 3.4, 0.375), size=(1.2, 0.8, 0.75), color=(150, 100, 60)),
        ScriptedBox(category="cabinet", center=(1.5, 4.7, 0.9), size=(1.0, 0.5, 1.8), color=(70, 110, 160)),
    )
)
"""A room in which every skill succeeds."""


def read_script(path: Path) -> Script:
    """Reads a script. Raises ConfigurationError, naming the key, for a missing or invalid file."""
    try:
        content: Any = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigurationError(
            f"the script {path} cannot be read ({error.strerror}); name another file"
        ) from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"the script {path} is neither YAML nor JSON: {error}") from error
    try:
        return Script.model_validate({} if content is None else content)
    except ValidationError as error:
        place, reason = first_problem(error)
        reason = reason.removeprefix("Value error, ")
        raise ConfigurationError(f"the script {path}: {place or 'the file'}: {reason}") from error
