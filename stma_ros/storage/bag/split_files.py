"""The files of a bag that is being written: splitting, and deletion of the oldest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from stma_ros.storage.bag.file_writer import BagFileWriter
from stma_ros.storage.bag.metadata import BagTopic, FileContent
from stma_ros.storage.recording import RecordingConfig
from stma_ros.storage.reserved_file import Reserve

BAG_FILE = "run.mcap"
BAG_FILES = "run*.mcap"
"""The pattern of the names of all files: run.mcap is followed by run_1.mcap, run_2.mcap, ..."""

_BYTES = 1_000_000  # of a MB
_NANOSECONDS = 1_000_000_000


class SplitFiles:
    """Methods raise OSError where the disk takes no more."""

    def __init__(
        self, folder: Path, config: RecordingConfig, about: Mapping[str, str], reserve: Reserve
    ) -> None:
        self._folder = folder
        self._about = dict(about)
        self._reserve = reserve
        self._longest = round(config.max_file_time * _NANOSECONDS)
        self._largest = config.max_file_size * _BYTES
        self._keep = config.keep * _BYTES
        self._closed: list[BagFileWriter] = []  # the oldest first
        self._deleted: list[FileContent] = []
        self.current = self._open(())

    @property
    def contents(self) -> list[FileContent]:
        return [file.content for file in (*self._closed, self.current)]

    @property
    def about(self) -> dict[str, str]:
        """The given metadata, with what was deleted."""
        if not self._deleted:
            return self._about
        messages = sum(sum(content.counts.values()) for content in self._deleted)
        return {
            **self._about,
            "deleted_files": str(len(self._deleted)),
            "deleted_messages": str(messages),
        }

    def split(self, stamp_ns: int, topics: Iterable[BagTopic]) -> bool:
        """Opens the next file if a message of that stamp is due for it; returns whether it did."""
        long_ago = self._longest and self.current.spans(stamp_ns) >= self._longest
        if not long_ago and not (self._largest and self.current.size >= self._largest):
            return False
        self.current.close()
        previous, self.current = self.current, self._open(topics)
        self._closed.append(previous)
        return True

    def take_surplus(self) -> list[Path]:
        """The oldest files, as many as are to be deleted; they are no longer files of the bag."""
        size = sum(file.size for file in (*self._closed, self.current))
        surplus = []
        while self._keep and size > self._keep and self._closed:
            oldest = self._closed.pop(0)
            size -= oldest.size
            self._deleted.append(oldest.content)
            surplus.append(oldest.path)
        return surplus

    def _open(self, topics: Iterable[BagTopic]) -> BagFileWriter:
        stem, _, suffix = BAG_FILE.partition(".")
        number = len(self._deleted) + len(self._closed) + hasattr(self, "current")
        name = f"{stem}_{number}.{suffix}" if number else BAG_FILE
        return BagFileWriter(self._folder / name, topics, self.about, self._reserve)
