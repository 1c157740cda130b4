"""Working memory in chunks, one for each subgoal (HiAgent, sections 3.1 to 3.4).

The chunk of the present subgoal is shown whole, a closed one as a single observation that sums it up. Each summary
goes on from the one before, so that only the newest is shown, and of earlier chunks what became of them. A new subgoal
closes the one before. Retrieving closed chunks shows them whole again, until the next subgoal.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from stma_ros.memory.working.chunk_text import BoundedText, ChunkView, bounded_text
from stma_ros.memory.working.port import SummaryInput
from stma_ros.types.belief import SubgoalChunk, SubgoalState, Summary
from stma_ros.types.errors import NotRememberedError
from stma_ros.types.planning import Outcome
from stma_ros.types.sensing import Observation

_MAX_ATTEMPTS = 2
"""How often a closed chunk is given to the summariser, where that has no usable answer."""


class Closed(str, enum.Enum):
    """How a closed chunk is shown."""

    SUMMARY = "summary"
    LAST_OBSERVATION = "last_observation"
    WHOLE = "whole"


@dataclass(frozen=True)
class SavedChunk:
    """A chunk as it is saved; the fields are those of the memory's chunks."""

    shown: SubgoalChunk
    records: tuple[Observation, ...]
    attempts: int
    lost: int


@dataclass(frozen=True)
class SavedChunks:
    """A whole memory as it is saved."""

    first: tuple[Observation, ...] = ()
    chunks: tuple[SavedChunk, ...] = ()
    retrieved: tuple[int, ...] = ()


@dataclass
class _Chunk:
    """One subgoal. attempts: how often it was given to the summariser; lost: records that are no longer stored."""

    shown: SubgoalChunk
    records: list[Observation] = field(default_factory=list)
    attempts: int = 0
    lost: int = 0

    @property
    def is_closed(self) -> bool:
        return self.shown.state != SubgoalState.OPEN


class SubgoalChunks:
    """A WorkingMemory that is divided by subgoals.

    Records before the first subgoal, such as the first look around, belong to no chunk and are always shown. A history
    without subgoals is therefore the plain history of all actions and observations.
    """

    def __init__(self, size: int, window: int = 0, closed: Closed = Closed.SUMMARY) -> None:
        """Creates an empty history.

        Args:
            size: number of records that are stored; beyond it, those of the oldest closed chunks go first.
            window: largest length of the text [types.prompt_length]; 0 = unbounded. What goes first: `bounded_text`.
            closed: how closed chunks are shown.
        """
        self._size = size
        self._window = window
        self._closed = closed
        self._first: list[Observation] = []
        self._chunks: list[_Chunk] = []
        self._retrieved: set[int] = set()

    def add(self, record: Observation, subgoal: str) -> None:
        present = self._chunks[-1] if self._chunks else None
        if subgoal and (present is None or subgoal != present.shown.subgoal):
            if present is not None:
                present.shown = replace(present.shown, state=SubgoalState.UNKNOWN)
                if self._closed is Closed.LAST_OBSERVATION:
                    present.attempts = _MAX_ATTEMPTS
            self._retrieved.clear()
            present = _Chunk(SubgoalChunk(id=len(self._chunks) + 1, subgoal=subgoal, state=SubgoalState.OPEN))
            self._chunks.append(present)
        (self._first if present is None else present.records).append(record)
        self._forget()

    def summary_input(self) -> SummaryInput | None:
        """Returns the oldest closed chunk without a summary, as the input of the summariser, after the summary of the
        newest chunk before it."""
        chunk = self._unread()
        if chunk is None:
            return None
        records = tuple(chunk.records)
        earlier = [
            each.shown for each in self._chunks if each.shown.id < chunk.shown.id and each.shown.observation
        ]
        previous = Summary(chunks=tuple(earlier[-1:]))
        subgoals = (chunk.shown.subgoal,) * len(records)
        return SummaryInput(previous, records, len(records), subgoals, next(iter(self._first), None))

    def condense(self, summary: Summary) -> None:
        """Takes the summary of the chunk that `summary_input` returned, as the only one in `summary.chunks`."""
        chunk = self._unread()
        assert chunk is not None, "nothing was to be read"
        (read,) = summary.chunks
        chunk.attempts = _MAX_ATTEMPTS
        chunk.shown = replace(
            chunk.shown,
            state=read.state,
            observation=read.observation,
            reason=read.reason,
            completed=read.completed,
        )

    def give_up(self) -> None:
        """Counts a reading of the chunk that `summary_input` returned that gave no usable summary.

        After the last attempt its last observation stands for it, and what came of it stays unknown.
        """
        chunk = self._unread()
        assert chunk is not None, "nothing was to be read"
        chunk.attempts += 1

    def retrieve(self, ids: Sequence[int]) -> None:
        """Shows closed chunks whole, until the next subgoal.

        Raises:
            NotRememberedError: one of them does not exist, is not closed, is shown whole already, or is no longer
                stored. Nothing is retrieved then.
        """
        retrievable = self.retrievable
        if not ids or not set(ids) <= set(retrievable):
            wrong = (
                ", ".join(str(each) for each in dict.fromkeys(ids) if each not in retrievable) or "nothing"
            )
            known = ", ".join(map(str, retrievable)) or "none"
            raise NotRememberedError(
                f"{wrong} cannot be retrieved: name closed subgoals that are not shown whole; there are: {known}"
            )
        self._retrieved.update(ids)

    @property
    def retrievable(self) -> tuple[int, ...]:
        """Ids of the chunks that can be retrieved."""
        return tuple(
            chunk.shown.id
            for chunk in self._chunks
            if chunk.is_closed and not chunk.lost and not self._is_whole(chunk)
        )

    @property
    def saved(self) -> SavedChunks:
        """The whole memory, to be saved."""
        return SavedChunks(
            tuple(self._first),
            tuple(SavedChunk(c.shown, tuple(c.records), c.attempts, c.lost) for c in self._chunks),
            tuple(sorted(self._retrieved)),
        )

    def restore(self, saved: SavedChunks) -> None:
        """Replaces the whole memory by a saved one, of a memory with the same settings."""
        self._first = list(saved.first)
        self._chunks = [_Chunk(c.shown, list(c.records), c.attempts, c.lost) for c in saved.chunks]
        self._retrieved = set(saved.retrieved)

    @property
    def stored_records(self) -> int:
        """Number of records that are stored."""
        return len(self._first) + sum(len(chunk.records) for chunk in self._chunks)

    @property
    def content(self) -> Summary:
        views = tuple(map(self._view, self._chunks))
        rendered = bounded_text(tuple(self._first), views, self._window)
        return Summary(
            completed=tuple(_outcomes(rendered)),
            text=rendered.text,
            chunks=tuple(view.chunk for view in rendered.views),
        )

    def _unread(self) -> _Chunk | None:
        if self._closed is Closed.WHOLE:
            return None
        waiting = (chunk for chunk in self._chunks if chunk.is_closed and chunk.attempts < _MAX_ATTEMPTS)
        return next(waiting, None)

    def _is_whole(self, chunk: _Chunk) -> bool:
        unread = chunk.is_closed and chunk.attempts < _MAX_ATTEMPTS
        return (
            not chunk.is_closed or unread or self._closed is Closed.WHOLE or chunk.shown.id in self._retrieved
        )

    def _view(self, chunk: _Chunk) -> ChunkView:
        whole = self._is_whole(chunk)
        shown = replace(chunk.shown, whole=whole, retrievable=chunk.shown.id in self.retrievable)
        if chunk.shown.observation and not self._is_newest_summed_up(chunk):
            shown = replace(shown, observation="", completed=())
        records = tuple(chunk.records)
        if not whole:
            records = () if chunk.shown.observation else records[-1:]
        return ChunkView(shown, records, retrieved=chunk.shown.id in self._retrieved)

    def _is_newest_summed_up(self, chunk: _Chunk) -> bool:
        """Whether its summary is the newest one, which is shown for all before, also where the chunk is whole."""
        newest = next((each for each in reversed(self._chunks) if each.shown.observation), None)
        return chunk is newest

    def _forget(self) -> None:
        """Drops records beyond the size: of the chunks, oldest first, then those before the first subgoal.

        The first look, and the last record of a chunk, which may stand for it, stay.
        """
        excess = self.stored_records - self._size
        for chunk in self._chunks:
            dropped = min(max(excess, 0), len(chunk.records) - 1)
            del chunk.records[:dropped]
            chunk.lost += dropped
            excess -= dropped
        newest = 0 if self._chunks else 1
        droppable = max(0, len(self._first) - 1 - newest)
        del self._first[1 : 1 + min(max(excess, 0), droppable)]


def _outcomes(rendered: BoundedText) -> Iterator[Outcome]:
    """Yields the outcomes that a text shows or tells, in the order of their steps."""
    told = [outcome for view in rendered.views for outcome in view.chunk.completed]
    shown = [record.last_outcome for record in rendered.records if record.last_outcome.request_id]
    by_step = {outcome.step: outcome for outcome in (*told, *shown)}
    return (by_step[step] for step in sorted(by_step))
