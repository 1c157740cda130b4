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
"""Pattern of the names of all files: run.mcap is followed by run_1.mcap, run_2.mcap, ..."""

_BYTES = 1_000_000  # of a MB
_NANOSECONDS = 1_000_000_000


class SplitFiles:
    """The files of a bag that is being written. All methods raise OSError if the disk is full.

    Attributes:
        current: The file to write to.
    """

    def __init__(
        self, folder: Path, config: RecordingConfig, about: Mapping[str, str], reserve: Reserve
    ) -> None:
        """Creates the first file.

        Args:
            folder: Folder of the bag.
            config: Limits of the files.
            about: Metadata of the run.
            reserve: Reserved space on the disk.
        """
        self._folder = folder
        self._about = dict(about)
        self._reserve = reserve
        self._max_duration = round(config.max_file_time * _NANOSECONDS)
        self._max_file_bytes = config.max_file_size * _BYTES
        self._max_total_bytes = config.keep * _BYTES
        self._closed: list[BagFileWriter] = []  # the oldest first
        self._deleted: list[FileContent] = []
        self.current = self._open(())

    @property
    def contents(self) -> list[FileContent]:
        """Contents of the files, in order."""
        return [file.content for file in (*self._closed, self.current)]

    @property
    def about(self) -> dict[str, str]:
        """The metadata of the run, with the numbers of deleted files and messages."""
        if not self._deleted:
            return self._about
        messages = sum(sum(content.counts.values()) for content in self._deleted)
        return {
            **self._about,
            "deleted_files": str(len(self._deleted)),
            "deleted_messages": str(messages),
        }

    def split(self, stamp_ns: int, topics: Iterable[BagTopic]) -> bool:
        """Opens the next file if the current one has reached a limit.

        Args:
            stamp_ns: Log time of the next message [ns].
            topics: The topics of the bag.

        Returns:
            Whether a file was opened.
        """
        is_long = self._max_duration and self.current.duration_until(stamp_ns) >= self._max_duration
        if not is_long and not (self._max_file_bytes and self.current.size >= self._max_file_bytes):
            return False
        self.current.close()
        previous, self.current = self.current, self._open(topics)
        self._closed.append(previous)
        return True

    def take_surplus(self) -> list[Path]:
        """Removes the oldest files from the bag while it exceeds its size limit, and returns their paths."""
        size = sum(file.size for file in (*self._closed, self.current))
        surplus = []
        while self._max_total_bytes and size > self._max_total_bytes and self._closed:
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
