"""Notices when a component gets no camera frames although parts of them come."""

from __future__ import annotations

from collections.abc import Mapping

from stma_ros.sensing.assembler import FrameAssembler

PATIENCE = 5.0
"""Time for which parts may come without a frame [s]."""


class FrameWatch:
    """Compares the counts of a frame assembler from time to time. The assembler may be at work in another thread."""

    def __init__(self, frames: FrameAssembler) -> None:
        """Begins.

        Args:
            frames: The assembler.
        """
        self._frames = frames
        self._made = self._late = 0  # at the last frame
        self._parts = (0, 0, 0)
        self._since: float | None = None  # when the first part came that no frame was made of [s]
        self._newest = 0.0  # when the newest came [s]

    @property
    def values(self) -> Mapping[str, str]:
        """The counts, for diagnostics."""
        frames = self._frames
        return {
            "frames": str(frames.made),
            "late parts of frames": str(frames.late),
            "lost frames": str(frames.lost),
        }

    def warning(self, now: float) -> str:
        """Returns what is wrong; empty = nothing. To be called about once in a second.

        Args:
            now: Time on the steady clock [s].
        """
        frames = self._frames
        parts = frames.late, frames.lost, frames.waiting
        if frames.made != self._made:
            self._made, self._late, self._parts, self._since = frames.made, frames.late, parts, None
            return ""
        if parts != self._parts:
            self._parts, self._newest = parts, now
            self._since = now if self._since is None else self._since
        if self._since is None or now - self._since < PATIENCE or now - self._newest > PATIENCE:
            return ""
        if frames.late > self._late:
            cause = f"{frames.lateness}; if time was set back, or a stamp was in the future by mistake, reset the agent"
        elif frames.lacking:
            cause = f"nothing comes on {', '.join(sorted(frames.lacking))}"
        else:
            cause = "those of one frame do not have one stamp"
        return (
            f"no camera frame was complete for {now - self._since:.0f} s, though parts of them come: {cause}"
        )
