"""Decides which stamps of a live stream come too late."""

from __future__ import annotations

from stma_ros.sensing.synchroniser import JUMP


class StampOrder:
    """The order of the stamps of one stream.

    A stamp that is not after all earlier ones is late. As in a recording (Synchroniser), one that is far too early is
    an outlier, but two in a row are not: the clock was set back, or an earlier stamp was in the future by mistake. The
    stream goes on from there.

    Attributes:
        newest: The stamp that the next one must be after [ns]; -1 = none has come.
    """

    def __init__(self) -> None:
        self.newest = -1
        self._early: int | None = None

    def admits(self, stamp: int) -> bool:
        """Takes the next stamp [ns], and returns whether it is not late."""
        early, self._early = self._early, None
        if stamp <= self.newest:
            if stamp > self.newest - JUMP:
                return False
            if early is None or stamp <= early:
                self._early = stamp
                return False
        self.newest = stamp
        return True
