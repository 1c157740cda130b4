"""The log file of the engine's process, named or temporary."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from stma_ros.types.errors import ConfigurationError

_LINES = 15
_COLUMNS = 300
_BYTES = 64 * 1024
_NOISE = (
    "Extension modules: ",  # the list of loaded modules that ends Python's report of a crash
    "Lighting Layout Attributes 'no_lights'",  # habitat-sim's warning about scenes without lamps
)


class EngineLog:
    """Receives an engine's output. path: file to append to; None: a temporary file, removed when it is closed.

    Raises ConfigurationError when the file cannot be written.
    """

    def __init__(self, path: Path | None) -> None:
        try:
            self._file = tempfile.TemporaryFile() if path is None else path.open("ab+")  # noqa: SIM115
        except OSError as error:
            raise ConfigurationError(
                f"the engine's log {path} cannot be written: {error.strerror}. Name another file"
            ) from None
        self._begin = self._size

    def fileno(self) -> int:
        return self._file.fileno()

    def last_output(self) -> str:
        """Returns the last lines written since this was opened, without lines that never name a cause."""
        end = self._size
        begin = max(self._begin, end - _BYTES)
        # os.pread leaves the file's position alone: the engine's process writes there.
        text = os.pread(self.fileno(), end - begin, begin).decode(errors="replace")
        lines = [line[:_COLUMNS] for line in text.splitlines() if not any(noise in line for noise in _NOISE)]
        return "\n".join(lines[-_LINES:]).strip()

    def close(self) -> None:
        self._file.close()

    @property
    def _size(self) -> int:
        return os.fstat(self.fileno()).st_size
