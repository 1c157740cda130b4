"""Reads the prompts of a recorded run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from stma_ros.models.replies import read_lines
from stma_ros.types.errors import StorageError

_NEEDED = ("task_id", "step", "images")  # not in the recordings of older versions


@dataclass(frozen=True)
class SentImage:
    """An image of a prompt.

    Attributes:
        key: hash of its pixels as they were sent.
        source: hash of the image before it was prepared.
        width, height: size as it was sent [px].
    """

    key: str
    source: str
    width: int
    height: int


Part: TypeAlias = "str | SentImage"


@dataclass(frozen=True)
class RecordedPrompt:
    """A request to a model.

    Attributes:
        role: name of the role that asked.
        step: task and number of the step that it belongs to.
        messages: author and parts of each message, in order.
    """

    role: str
    step: tuple[str, int]
    messages: tuple[tuple[str, tuple[Part, ...]], ...]

    @property
    def images(self) -> tuple[SentImage, ...]:
        return tuple(part for _, parts in self.messages for part in parts if isinstance(part, SentImage))


def recorded_prompts(file: Path) -> Iterator[RecordedPrompt]:
    """Yields the prompts in a file of recorded requests, in the order in which they were answered.

    Raises:
        StorageError: the file cannot be read, is damaged, or is of a version that did not record steps and images.
    """

    def read(line: Mapping[str, Any]) -> RecordedPrompt:
        if any(name not in line for name in _NEEDED):
            raise StorageError(
                f"{file} does not say to which steps its requests belong: record the run again"
            )
        images = {key: SentImage(key, **image) for key, image in line["images"].items()}
        messages = (
            (turn["speaker"], tuple(_part(part, images) for part in turn["parts"])) for turn in line["turns"]
        )
        return RecordedPrompt(line["role"], (line["task_id"], line["step"]), tuple(messages))

    return read_lines(file, read)


def _part(part: Any, images: Mapping[str, SentImage]) -> Part:
    return part if isinstance(part, str) else images[part["image"]]
