"""Draws the checklist of an exploration as a page of text, and logs what was done or eliminated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from stma_ros.types.exploration import ChecklistItem, ExplorationPlan, ItemState
from stma_ros.types.message import Message
from stma_ros.visual import paths
from stma_ros.visual.drawables import Drawn, Level, Remark, Text
from stma_ros.visual.drawing_context import DrawingContext
from stma_ros.visual.reasoning_pages import in_one_line, plain


class ChecklistPage:
    """Draws a page for each step, with the items that have left the list since the step before."""

    def __init__(self, context: DrawingContext) -> None:
        self._context = context
        self._task = ""
        self._before: Mapping[str, ChecklistItem] = {}

    def take(self, topic: str, message: Message) -> Iterator[Drawn]:
        if not isinstance(message, ExplorationPlan):
            return
        if message.task_id != self._task:
            self._task, self._before = message.task_id, {}
        yield self._context.unplaced(paths.CHECKLIST, Text(self._page(message)))
        for item in message.items:
            before = self._before.get(item.text)
            if item.state == ItemState.COMPLETED and (before is None or before.state != item.state):
                end = f"eliminated: {item.text}: {item.reason}" if item.reason else f"done: {item.text}"
                line = in_one_line(f"checklist, step {message.step}: {end}")
                level = Level.WARNING if item.reason else Level.GOOD
                yield self._context.unplaced(paths.CHECKLIST_LOG, Remark(line, level))
        self._before = {item.text: item for item in message.items}

    def _page(self, message: ExplorationPlan) -> str:
        lines = [f"#### step {message.step}: {_line(message.question) or 'no question'}"]
        if message.assessment:
            lines.append(f"*{_line(message.assessment)}*")
        if message.items:
            lines.append("\n".join(map(_entry, message.items)))
        else:
            lines.append("no checklist")
        now = {item.text for item in message.items}
        gone = [text for text in self._before if text not in now]
        if gone:
            lines.append("**no longer in the list**")
            lines.append("\n".join(f"- {_line(text)}" for text in gone))
        if message.reasoning:
            lines.append(f"*because* {_line(message.reasoning)}")
        return "\n\n".join(lines)


def _entry(item: ChecklistItem) -> str:
    text = _line(item.text)
    if item.state == ItemState.COMPLETED:
        return f"- ~~{text}~~ {_line(item.reason) or 'done'}"
    why = f" ({_line(item.reason)})" if item.reason else ""
    return f"- **now: {text}**{why}" if item.state == ItemState.IN_PROGRESS else f"- {text}{why}"


def _line(text: str) -> str:
    return plain(in_one_line(text))
