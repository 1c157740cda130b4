"""Prints the progress of a task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from types import TracebackType

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from stma_ros.memory.nouns import plural
from stma_ros.types.control import Fault
from stma_ros.types.errors import ErrorCode
from stma_ros.types.message import Message
from stma_ros.types.planning import (
    Action,
    ActionProposal,
    Critique,
    Outcome,
    Plan,
    Result,
    SkillRequest,
    Task,
    TaskResult,
    TaskStatus,
    Verdict,
    answer_of,
)
from stma_ros.types.remembering import MemoryReply
from stma_ros.types.scene_graph import SceneGraph
from stma_ros.types.sensing import KeyframeDetections
from stma_ros.types.standard import OccupancyGrid

_NAMED = 5  # names in one line
_STATUS_STYLE = {
    TaskStatus.SUCCEEDED: "bold green",
    TaskStatus.FAILED: "bold yellow",
    TaskStatus.CANCELED: "bold yellow",
    TaskStatus.UNVERIFIED: "bold yellow",
}


class TaskProgress:
    """A tap that prints one line for each important event, and a spinner while a skill runs.

    Without a terminal there are only the lines. Messages of different topics may come in any order.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._spinner = Progress(
            SpinnerColumn(),
            TextColumn("[dim]{task.description}"),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._running: TaskID | None = None
        self._subgoal = ""
        self._proposals: dict[tuple[str, int, int], Action] = {}
        self._seen: set[str] = set()
        self._missing: set[str] = set()
        self._frame_errors: set[ErrorCode] = set()  # of this task
        self._faults: set[tuple[str, ErrorCode]] = set()  # of this task, by node
        self._since = 0  # start of the running task [ns]
        self._area = 0.0

    def __enter__(self) -> TaskProgress:
        self._spinner.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._spinner.stop()

    def wait_for(self, what: str) -> None:
        """Shows a reason for waiting before and after the tasks; empty = none."""
        self._spin(what)
        if what and not self._console.is_terminal:
            self._print(f"[dim]{escape(what)}[/]")

    def __call__(self, topic: str, message: Message) -> None:
        match message:
            case Task():
                self._task(message)
            case Plan() if message.subgoal and message.subgoal != self._subgoal:
                self._subgoal = message.subgoal
                self._print(f"  [bold]{escape(message.subgoal)}[/]")
            case ActionProposal():
                self._proposals[message.task_id, message.step, message.revision] = message.action
            case Critique() if message.verdict != Verdict.ACCEPTED:
                self._rejected(message)
            case SkillRequest():
                self._spin(f"step {message.step}: {message.action}")
            case Outcome():
                self._outcome(message)
            case OccupancyGrid():
                cell = message.info.resolution**2
                self._area = float(np.count_nonzero(message.data >= 0)) * cell
            case SceneGraph():
                self._things(message)
            case KeyframeDetections() if message.error and message.error.code not in self._frame_errors:
                # As many more errors may follow as there are frames.
                self._frame_errors.add(message.error.code)
                self._print(f"       [yellow]perception: {escape(message.error.text)}[/]")
            case Fault() if not message.fatal and (message.node, message.error.code) not in self._faults:
                # A fatal one ends the task, whose result names it.
                self._faults.add((message.node, message.error.code))
                self._print(f"       [yellow]{escape(message.node)}: {escape(message.error.text)}[/]")
            case MemoryReply() if message.error:
                self._print(f"       [yellow]{escape(message.error.text)}[/]")
            case TaskResult():
                self._result(message)

    def _task(self, task: Task) -> None:
        self._subgoal = ""
        self._frame_errors.clear()
        self._faults.clear()
        self._since = task.header.stamp.nanoseconds
        limit = f"  [dim]at most {task.max_commands} commands[/]" if task.max_commands else ""
        self._print(f"\n[bold cyan]{escape(task.text)}[/]{limit}")

    def _rejected(self, critique: Critique) -> None:
        action = self._proposals.get((critique.task_id, critique.step, critique.revision), "the action")
        reason = f"{critique.criterion.name.lower()}: {critique.reason}"
        self._print(
            f"       [yellow]{escape(str(action))} rejected by the critic[/] [dim]{escape(reason)}[/]"
        )

    def _outcome(self, outcome: Outcome) -> None:
        self._spin("")
        what = escape(str(outcome.action))
        if outcome.result == Result.SUCCEEDED:
            moved = f"  [dim]{outcome.distance:.1f} m[/]" if outcome.distance >= 0.05 else ""
            self._print(f"  {outcome.step:3d}  {what}{moved}")
        else:
            name = outcome.result.name.lower()
            self._print(f"  {outcome.step:3d}  {what}  [red]{name}[/] [dim]{escape(outcome.error.text)}[/]")

    def _things(self, graph: SceneGraph) -> None:
        missing = {node.id for node in graph.objects if node.is_missing}
        gone = sorted(missing - self._missing)
        self._missing = missing
        if gone:
            self._print(f"       [yellow]{escape(_listed(gone))} not where it was[/]")
        fresh = [node for node in graph.objects if node.id not in self._seen]
        self._seen.update(node.id for node in fresh)
        new = [node for node in fresh if node.first_seen.nanoseconds >= self._since]
        rooms = _counted(len(graph.rooms), "room")
        if len(new) < len(fresh):  # from a saved memory
            self._print(f"       [dim]remembers {_counted(len(fresh) - len(new), 'object')} in {rooms}[/]")
        if new:
            kinds = Counter(node.category for node in new)
            names = [kind if count == 1 else f"{count} {plural(kind)}" for kind, count in kinds.items()]
            area = f", {self._area:.0f} m² mapped" if self._area else ""
            known = _counted(len(graph.objects), "object")
            self._print(f"       [dim]sees {escape(_listed(names))}; knows {known} in {rooms}{area}[/]")

    def _result(self, result: TaskResult) -> None:
        self._spin("")
        style = _STATUS_STYLE.get(result.status, "bold red")
        commands = f"[dim]{_counted(result.commands, 'command')}[/]"
        text = " ".join(answer_of(result).split())  # a game centres its last line
        self._print(f"  [{style}]{result.status.name.lower()}[/]  {escape(text)}  {commands}")

    def _spin(self, description: str) -> None:
        if self._running is not None:
            self._spinner.remove_task(self._running)
            self._running = None
        if description:
            self._running = self._spinner.add_task(escape(description), total=None)

    def _print(self, line: str) -> None:
        self._console.print(line, highlight=False, soft_wrap=True)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{more}"
