"""Draws the experiences that a step had as a page of text, and logs whether a task became one."""

from __future__ import annotations

from collections.abc import Iterator

from stma_ros.types.experience import Experiences, JudgedTask, RetrievedExperience
from stma_ros.types.message import Message
from stma_ros.visual import paths
from stma_ros.visual.drawables import Drawn, Level, Remark, Text
from stma_ros.visual.drawing_context import DrawingContext
from stma_ros.visual.reasoning_pages import in_one_line, plain


class ExperiencePage:
    """Draws a page for each step: similar tasks with their actions, and the rules of thumb."""

    def __init__(self, context: DrawingContext) -> None:
        self._context = context

    def take(self, topic: str, message: Message) -> Iterator[Drawn]:
        match message:
            case Experiences():
                yield self._context.unplaced(paths.EXPERIENCES, Text(_page(message)))
                if message.error:
                    text = f"experiences, step {message.step}: none: {message.error.text}"
                    yield self._context.unplaced(
                        paths.EXPERIENCES_LOG, Remark(in_one_line(text), Level.WARNING)
                    )
            case JudgedTask():
                yield self._context.unplaced(paths.EXPERIENCES_LOG, _judged(message))
            case _:
                pass


def _page(message: Experiences) -> str:
    lines = [f"#### step {message.step}"]
    if message.error:
        lines.append(f"**no experiences**: {_line(message.error.text)}")
    elif not message.retrieved:
        lines.append("no similar task")
    lines += map(_entry, message.retrieved)
    if message.rules:
        lines.append("**rules of thumb**")
        lines.append("\n".join(f"- {_line(str(rule))}" for rule in message.rules))
    return "\n\n".join(lines)


def _entry(each: RetrievedExperience) -> str:
    known = each.experience
    similar = (
        f"{each.similarity:.2f} similar: task {each.task_similarity:.2f}, scene {each.graph_similarity:.2f}"
    )
    by = f", by {known.robot}" if known.robot else ""
    heading = (
        f"**{_line(known.task)}** {known.status.name.lower()}, score {known.score:.2f}{_line(by)} ({similar})"
    )
    actions = "\n".join(f"{number}. `{step.action}`" for number, step in enumerate(known.steps, start=1))
    return f"{heading}\n\n{actions}"


def _judged(message: JudgedTask) -> Remark:
    if message.error:
        return Remark(in_one_line(f"judge: not kept: {message.error.text}"), Level.WARNING)
    known = message.experience
    kept = "kept" if message.kept else "not kept"
    line = f"judge: {kept}, score {known.score:.2f}: {known.justification}"
    return Remark(in_one_line(line), Level.GOOD if message.kept else Level.INFO)


def _line(text: str) -> str:
    return plain(in_one_line(text))
