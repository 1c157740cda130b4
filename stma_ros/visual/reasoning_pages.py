"""Draws beliefs and plans as pages of text, replaced at each step."""

from __future__ import annotations

from collections.abc import Iterator

from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.message import Message
from stma_ros.types.planning import (
    ActionProposal,
    Criterion,
    Critique,
    Outcome,
    Plan,
    Result,
    Task,
    TaskResult,
    Verdict,
    answer_of,
)
from stma_ros.types.sensing import Observation
from stma_ros.visual import paths
from stma_ros.visual.drawables import Drawn, Text
from stma_ros.visual.drawing_context import DrawingContext


class ReasoningPages:
    """Draws pages of the task, the plan with its verdicts, both beliefs, and a text world's output."""

    def __init__(self, context: DrawingContext) -> None:
        self._context = context
        self._plan: Plan | None = None
        self._tried: list[str] = []
        self._proposals: dict[int, ActionProposal] = {}

    def take(self, topic: str, message: Message) -> Iterator[Drawn]:
        match message:
            case Task():
                self._plan, self._tried, self._proposals = None, [], {}
                yield self._page(paths.TASK, f"### {plain(in_one_line(message.text))}\n\nrunning")
            case TaskResult():
                said = plain(in_one_line(answer_of(message)))
                status = message.status.name.lower()
                yield self._page(paths.TASK, f"### {said}\n\n**{status}** after {message.commands} commands")
            case TemporalBelief():
                yield self._page(paths.TEMPORAL_BELIEF, _headed(f"step {message.step}", message.text))
            case SpatialBelief():
                where = self._context.name(message.room) if message.room else "no known room"
                yield self._page(
                    paths.SPATIAL_BELIEF, _headed(f"step {message.step}, in {where}", message.text)
                )
            case Observation() if message.feedback or message.description:
                text = message.feedback or message.description
                yield self._page(paths.WORLD_TEXT, _headed(f"after command {message.step}", text))
            case _:
                yield from self._planning(message)

    def _planning(self, message: Message) -> Iterator[Drawn]:
        match message:
            case Plan():
                self._plan = message
                self._tried = []
            case ActionProposal():
                self._proposals = {message.revision: message}
                return
            case Critique():
                self._tried.append(verdict(message, self._proposals.get(message.revision)))
            case Outcome() if message.step > 0:
                self._tried.append(outcome(message))
            case _:
                return
        yield self._page(paths.PLAN, self._plan_page())

    def _plan_page(self) -> str:
        lines = []
        if self._plan is not None:
            lines.append(f"#### step {self._plan.step}: {plain(self._plan.subgoal) or 'no subgoal'}")
            if self._plan.error:
                lines.append(f"**no plan**: {plain(self._plan.error.text)}")
            if self._plan.actions:
                lines.append("\n".join(f"{n}. `{action}`" for n, action in enumerate(self._plan.actions, 1)))
            if self._plan.reasoning:
                lines.append(f"*because* {plain(self._plan.reasoning)}")
        if self._tried:
            lines.append("**done so far**")
            lines.append("\n".join(f"- {plain(line)}" for line in self._tried))
        return "\n\n".join(lines)

    def _page(self, path: str, markdown: str) -> Drawn:
        return self._context.unplaced(path, Text(markdown))


def verdict(critique: Critique, proposal: ActionProposal | None) -> str:
    """Describes a verdict in one line: action, verdict and reason."""
    action = f"{proposal.action} " if proposal else ""
    if critique.verdict == Verdict.ACCEPTED:
        return f"{action}accepted"
    criterion = "" if critique.criterion == Criterion.NONE else f"{critique.criterion.name.lower()}: "
    return f"{action}{critique.verdict.name.lower()}, {criterion}{critique.reason}"


def outcome(message: Outcome) -> str:
    """Describes an outcome in one line: action and result."""
    why = f": {message.error.text}" if message.error and message.result != Result.SUCCEEDED else ""
    return f"{message.action} {message.result.name.lower()}{why}"


def plain(text: str) -> str:
    """Escapes text so that Markdown shows it unchanged, line by line."""
    escaped = "".join(f"\\{letter}" if letter in "\\`*_#<>[]|~" else letter for letter in text.strip())
    return "  \n".join(line.strip() for line in escaped.splitlines())  # indented text would be code


def in_one_line(text: str) -> str:
    return " ".join(text.split())


def _headed(heading: str, text: str) -> str:
    return f"#### {heading}\n\n{plain(text) or 'nothing'}"
