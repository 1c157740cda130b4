"""Writes drawn objects to a Rerun recording."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

import numpy as np
import rerun as rr
from numpy.typing import NDArray

from stma_ros.apps.view.archetypes import logged
from stma_ros.apps.view.layout import TIMELINE, layout, styles
from stma_ros.types.errors import StorageError
from stma_ros.visual import paths
from stma_ros.visual.drawables import Clear, Drawn, Grid, Remark

_APPLICATION = "stma_ros"
_ONE_MOMENT = 1000  # [ns]


class RerunFile:
    """Writes an .rrd file as objects are drawn, so that memory does not bound its size.

    The layout is added at the end, when the drawn paths are known.
    """

    def __init__(self, file: Path, name: str) -> None:
        self._stream = rr.RecordingStream(_APPLICATION)
        self._stream.save(file)
        self._stream.set_log_tick_enabled(False)
        self._stream.set_log_time_enabled(False)
        self._stream.send_recording_name(name)
        self._stream.log(paths.WORLD, rr.ViewCoordinates.RIGHT_HAND_Z_UP, static=True)
        for path, style in styles():
            self._stream.log(path, style, static=True)
        self._remarked_ns = -1
        self._bounds: NDArray[np.float64] | None = None
        self._drawn: set[str] = set()
        self._span_ns: tuple[int, int] | None = None

    def __enter__(self) -> RerunFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def add(self, drawn: Drawn) -> None:
        stamp_ns = drawn.stamp_ns
        if isinstance(drawn.thing, Remark):
            stamp_ns = self._remarked_ns = self._after_others(stamp_ns)
        self._stream.set_time(TIMELINE, duration=np.timedelta64(stamp_ns, "ns"))
        for below, what in logged(drawn.thing):
            path = f"{drawn.path}/{below}" if below else drawn.path
            several = what if isinstance(what, list) else [what]
            self._stream.log(path, *several)
        if isinstance(drawn.thing, Grid):
            self._bounds = _known(drawn.thing)
        if not isinstance(drawn.thing, Clear):
            self._drawn.add(drawn.path)
        first, last = self._span_ns or (stamp_ns, stamp_ns)
        self._span_ns = min(first, stamp_ns), max(last, stamp_ns)

    def _after_others(self, stamp_ns: int) -> int:
        """Returns a time one nanosecond later for each line with one stamp, since Rerun sorts simultaneous lines by
        kind."""
        follows = stamp_ns <= self._remarked_ns < stamp_ns + _ONE_MOMENT
        return self._remarked_ns + 1 if follows else stamp_ns

    def close(self) -> None:
        """Adds the layout; no further drawings are accepted. Raises StorageError where the disk takes no more."""
        try:
            self._stream.send_blueprint(layout(self._bounds, self._span_ns or (0, 0), self._drawn))
            self._stream.flush()
        except RuntimeError as error:
            raise StorageError(
                f"the view cannot be written ({error}); free space, or name a file on another disk with --save"
            ) from error
        finally:
            self._stream.disconnect()


def _known(grid: Grid) -> NDArray[np.float64] | None:
    rows, columns = np.nonzero(grid.cells >= 0)
    if not rows.size:
        return None
    corners = np.array([(columns.min(), rows.min()), (columns.max() + 1, rows.max() + 1)], np.float64)
    return corners * grid.resolution + grid.origin[:2, 3]
