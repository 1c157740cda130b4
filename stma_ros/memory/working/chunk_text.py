"""The text of a history in chunks, as prompts contain it, within a bounded length."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SubgoalChunk, SubgoalState
from stma_ros.types.planning import Outcome, Result
from stma_ros.types.prompt_length import count_tokens
from stma_ros.types.sensing import Observation

_STATES = {SubgoalState.MET: " met", SubgoalState.NOT_MET: " not met"}

SUBGOAL_LINE = re.compile(r"(?P<id>\d+)\. Subgoal(?P<state> met| not met)?: (?P<subgoal>.*)")
"""The first line of a chunk, with what became of the subgoal if that is known."""

LEFT_OUT = "(Left out here: {})"


@dataclass(frozen=True)
class ChunkView:
    """A chunk as it is to be shown.

    Attributes:
        chunk: the subgoal, and what came of it.
        records: all of them if it is whole; the last one if it stands for a chunk without a summary; else none.
        retrieved: whether it is whole because it was retrieved.
    """

    chunk: SubgoalChunk
    records: tuple[Observation, ...]
    retrieved: bool = False


@dataclass(frozen=True)
class BoundedText:
    """A text of the history. views: the chunks as it shows them; records: those that it shows, oldest first."""

    text: str
    views: tuple[ChunkView, ...]
    records: tuple[Observation, ...]


def bounded_text(first: tuple[Observation, ...], views: tuple[ChunkView, ...], window: int) -> BoundedText:
    """Returns the history as text, in which what follows the first look around is not longer than a window.

    What goes first where it would be longer: what was retrieved, the oldest chunk first; then whatever is oldest,
    action by action with its observation, and closed chunks as a whole. The first look around, which belongs to the
    question as the task does, and the newest action with its observation are always there, whatever their length.

    Args:
        first: records before the first subgoal: the first look around, and all others where there are no subgoals.
        views: the chunks, oldest first.
        window: largest length of what follows the first look [types.prompt_length]; 0 = unbounded.
    """
    shown = _Shown(first[:1], first[1:], list(views))
    if window:
        shown.shorten(window)
    text = "\n".join(filter(None, (*map(pair_text, shown.look), *shown.lines())))
    return BoundedText(text, tuple(shown.views), tuple(shown.records()))


def pair_text(record: Observation) -> str:
    """Returns an action and what was observed after it, or the first look around."""
    return "\n".join(_pair_lines(record))


@dataclass
class _Shown:
    """What is shown, and how much was dropped. look: the first look around; pairs: records without a subgoal."""

    look: tuple[Observation, ...]
    pairs: tuple[Observation, ...]
    views: list[ChunkView]
    dropped_chunks: int = 0
    dropped_pairs: int = 0

    def lines(self) -> Iterator[str]:
        """Yields what follows the first look around."""
        yield from self._left_out()
        yield from map(pair_text, self.pairs)
        for view in self.views:
            yield from _chunk_lines(view)

    def records(self) -> Iterator[Observation]:
        yield from self.look
        yield from self.pairs
        for view in self.views:
            if view.chunk.whole:
                yield from view.records

    def shorten(self, window: int) -> None:
        """Drops parts until the lines are not longer than a window, or nothing more can be dropped."""
        length = _length(self.lines())
        while length > window:
            if (part := self._oldest_retrieved()) is not None:
                view = self.views[part]
                records = () if view.chunk.observation else view.records[-1:]
                self.views[part] = ChunkView(replace(view.chunk, whole=False), records)
                length = _length(self.lines())
                continue
            before = _length(self._left_out())
            dropped = self._drop()
            if not dropped:
                return
            length += _length(self._left_out()) - before - _length(dropped)

    def _left_out(self) -> Iterator[str]:
        dropped = {"subgoals": self.dropped_chunks, "actions": self.dropped_pairs}
        left_out = ", ".join(f"{count} {what}" for what, count in dropped.items() if count)
        if left_out:
            yield LEFT_OUT.format(left_out)

    def _oldest_retrieved(self) -> int | None:
        return next((number for number, view in enumerate(self.views) if view.retrieved), None)

    def _drop(self) -> tuple[str, ...]:
        """Drops what is oldest, and returns its lines; none if nothing can be dropped."""
        if len(self.pairs) > (not self.views):
            pair, *others = self.pairs
            self.pairs = tuple(others)
            self.dropped_pairs += 1
            return (pair_text(pair),)
        if not self.views:
            return ()
        oldest, is_newest = self.views[0], len(self.views) == 1
        if oldest.chunk.whole and len(oldest.records) > is_newest:
            pair, *others = oldest.records
            self.views[0] = replace(oldest, records=tuple(others))
            self.dropped_pairs += 1
            return (pair_text(pair),)
        if is_newest:
            return ()
        del self.views[0]
        self.dropped_chunks += 1
        return tuple(_chunk_lines(oldest))


def closed_lines(chunk: SubgoalChunk) -> Iterator[str]:
    """Yields the lines of a closed chunk: the subgoal and what became of it, its summary if that is shown, and why."""
    yield subgoal_line(chunk)
    yield from _ending_lines(chunk)


def _chunk_lines(view: ChunkView) -> Iterator[str]:
    yield subgoal_line(view.chunk)
    if view.chunk.whole:
        yield from map(pair_text, view.records)
    else:
        yield from (f"Last observation: {_last_observation(record)}" for record in view.records)
    yield from _ending_lines(view.chunk)


def subgoal_line(chunk: SubgoalChunk) -> str:
    """Returns the first line of a chunk (SUBGOAL_LINE)."""
    return f"{chunk.id}. Subgoal{_STATES.get(chunk.state, '')}: {chunk.subgoal}"


def state_of(match: re.Match[str]) -> SubgoalState:
    """Returns what became of a subgoal. match: of SUBGOAL_LINE."""
    return next((state for state, shown in _STATES.items() if shown == match["state"]), SubgoalState.UNKNOWN)


def _ending_lines(chunk: SubgoalChunk) -> Iterator[str]:
    if chunk.observation:
        yield f"Summary: {chunk.observation}"
    if chunk.reason:
        yield f"Reason: {chunk.reason}"


def _pair_lines(record: Observation) -> Iterator[str]:
    outcome = record.last_outcome
    if outcome.request_id and outcome.action.skill != words.SKILL_OBSERVE:
        yield f"Action: {outcome.action}"
        if outcome.action.skill != words.SKILL_COMMAND:
            yield _ending(outcome)
        elif outcome.error and not record.feedback:
            yield f"Failed: {outcome.error.text or outcome.error.code.name}"
    observed = _observed(record)
    if observed:
        yield f"Observation: {observed}"


def _last_observation(record: Observation) -> str:
    """Returns how the last action of a chunk ended, where the world says nothing in words of it, and what was
    observed."""
    outcome = record.last_outcome
    wordless = outcome.request_id and outcome.action.skill not in (words.SKILL_OBSERVE, words.SKILL_COMMAND)
    return " ".join(filter(None, (_ending(outcome) if wordless else "", _observed(record))))


def _ending(outcome: Outcome) -> str:
    """Returns how and when the action of a robot ended, of which its world says nothing in words."""
    when = f"step {outcome.step}, {outcome.header.stamp.sec} s"
    if outcome.result == Result.SUCCEEDED:
        return f"Done: {when}"
    way = f", after {max(outcome.distance, 0.1):.1f} m" if outcome.distance > 0 else ""
    if outcome.result != Result.FAILED:
        return f"Stopped: {when}{way}"
    name, text = outcome.error.code.name.lower(), " ".join(outcome.error.text.split())
    more = f" ({text})" if text and text != name else ""
    return f"Failed: {when}{way}: {name.replace('_', ' ')}{more}"


def _observed(record: Observation) -> str:
    """Returns what a record says of the world, in one line."""
    parts = [" ".join(part.split()) for part in (record.feedback, record.description, record.inventory)]
    # A world may say the same twice: its reply to a step into a room begins the description of the room. A description
    # after something else is said again, as it shows where in the reply the room begins.
    kept = [
        part
        for part in parts
        if part and not any(part != other and other.startswith(part) for other in parts)
    ]
    return " ".join(dict.fromkeys((*kept, *_felt(record))))


def _felt(record: Observation) -> Iterator[str]:
    """Yields what a robot notices without its cameras."""
    if record.bumper:
        yield "The robot touched something."
    if record.holding:
        yield "Something is in the hand."


def _length(lines: Iterable[str]) -> int:
    return sum(map(count_tokens, lines))
