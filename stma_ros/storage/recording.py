"""Settings of a recorder: splitting, size limits, excluded topics and lossy colour."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from stma_ros.types import topics
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import setting, suggest

COMPRESSED_COLOR = f"{topics.COLOR}/compressed"
"""Topic of lossy colour images, named as image_transport does."""


@dataclass(frozen=True)
class RecordingConfig:
    """Settings of a recorder."""

    max_file_size: float = setting(
        0.0,
        "a file of the bag that has reached this size is followed by another; 0 = never",
        unit="MB",
        low=0.0,
    )
    max_file_time: float = setting(
        0.0, "a file of the bag that spans this time is followed by another; 0 = never", unit="s", low=0.0
    )
    keep: float = setting(
        0.0,
        "the oldest files are deleted while the bag is larger; 0 = never. Wants max_file_size or max_file_time",
        unit="MB",
        low=0.0,
    )
    exclude: str = setting(
        "", "topics that are never recorded, with commas between, such as camera/color; * stands for anything"
    )
    lossy_color: int = setting(
        0, "JPEG quality of the recorded colour images; 0 = as they are, without loss", low=0, high=100
    )

    def check(self) -> None:
        """Checks the settings.

        Raises:
            ConfigurationError: They do not fit together, or an excluded topic does not exist.
        """
        excluded_topics(self.exclude)
        if self.keep and not (self.max_file_size or self.max_file_time):
            raise ConfigurationError(
                "keep deletes whole files of a bag: set max_file_size or max_file_time, too, or leave keep at 0"
            )

    @property
    def includes_memory(self) -> bool:
        """Whether the initial memory is copied to the run's folder. It contains images, like the colour topic."""
        return topics.COLOR not in excluded_topics(self.exclude)

    def about(self) -> dict[str, str]:
        """Returns custom data of the bag that list its excluded and lossy topics."""
        excluded, about = excluded_topics(self.exclude), {}
        if excluded:
            about["excluded"] = ", ".join(sorted(excluded))
        if self.lossy_color and topics.COLOR not in excluded:
            about["lossy"] = topics.COLOR
        return about


def excluded_topics(text: str, known: Iterable[str] = tuple(topics.TOPICS)) -> frozenset[str]:
    """Returns the topics that the setting `exclude` names.

    Raises:
        ConfigurationError: A name matches no topic. A misspelt name must not cause a topic to be recorded.
    """
    found: set[str] = set()
    for pattern in filter(None, (part.strip().strip("/") for part in text.split(","))):
        fitting = {name for name in known if fnmatchcase(name, pattern)}
        if not fitting:
            raise ConfigurationError(
                f"exclude names {pattern!r}, which is no topic. {suggest(pattern, tuple(known))}"
            )
        found |= fitting
    return frozenset(found)
