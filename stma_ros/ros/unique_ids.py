"""Makes ids that differ from those of other processes: the graph may remember what an earlier one has named."""

from __future__ import annotations

import secrets

_TOKEN_BYTES = 4  # not the time: the clock of a robot may begin anew with each start


class UniqueIds:
    """Numbers ids from 1, after a random token: `task_9f3c1a2b_1`."""

    def __init__(self, prefix: str) -> None:
        """Begins a series. prefix: what is named."""
        self._prefix = f"{prefix}_{secrets.token_hex(_TOKEN_BYTES)}"
        self._count = 0

    def new(self) -> str:
        self._count += 1
        return f"{self._prefix}_{self._count}"
