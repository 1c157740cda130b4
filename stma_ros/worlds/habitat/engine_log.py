"""The log file of the engine's process, with a name or without one."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from stma_ros.types.errors import ConfigurationError

_LINES = 15
_COLUMNS = 300
_BYTES = 64 * 1024
_NOISE = (
    "Extension modules: ",  # how Python ends its words on a crash: with all that was loaded
    "Lighting Layout Attributes 'no_lights'",  # habitat-sim on each scene without lamps, as ours are
)


class EngineLog:
    """Receives an engine's output. path: file to append to; None: a temporary file, removed when it is closed.

    Raises ConfigurationError when the file cannot be written.
    """

    def __init__(self, path: Path | None) -> None:
        try:
            self._file = tempfile.TemporaryFile() if path is None else path.open("ab+")  # noqa: SIM115 - kept open
        except OSError as error:
            raise ConfigurationError(
                f"the engine's log {path} cannot be written: {error.strerror}. Name another file"
            ) from None
        self._begin = self._size

    def fileno(self) -> int:
        return self._file.fileno()

    def last_words(self) -> str:
        """The last lines that were written since this was opened, without those that never say what went wrong."""
        end = self._size
        begin = max(self._begin, end - _BYTES)
        # Without moving the file's position: the engine's process writes there.
        text = os.pread(self.fileno(), end - begin, begin).decode(errors="replace")
        lines = [line[:_COLUMNS] for line in text.splitlines() if not any(noise in line for noise in _NOISE)]
        return "\n".join(lines[-_LINES:]).strip()

    def close(self) -> None:
        self._file.close()

    @property
    def _size(self) -> int:
        return os.fstat(self.fileno()).st_size
