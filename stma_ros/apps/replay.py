"""`stma replay`: replays a recorded run and reports whether every decision is the same."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from stma_ros.agents.registry import AGENTS, AgentRegistry
from stma_ros.apps.console import make_console, make_progress
from stma_ros.apps.folders import check_output
from stma_ros.replay.comparison import DifferenceKind, Tally
from stma_ros.replay.exact_replay import replay
from stma_ros.replay.replay_agent import Changes
from stma_ros.replay.result import ReplayResult
from stma_ros.storage.bag.reader import Bag
from stma_ros.storage.files import write_atomically
from stma_ros.types import topics

_MAX_DAMAGES = 10  # damages that are shown
_SAID = (DifferenceKind.CHANGED, DifferenceKind.MISSING, DifferenceKind.UNEXPECTED)
"""The differences of messages."""

_GROUPS = {
    "decisions": (
        topics.PLAN_REQUEST,
        topics.PLAN,
        topics.ACTION_PROPOSAL,
        topics.CRITIQUE,
        topics.SKILL_REQUEST,
        topics.RECALL_REQUEST,
        topics.TASK_RESULT,
    ),
    "beliefs": (*topics.BELIEFS, topics.TASK_SUMMARY, topics.LESSONS),
    "scene": (topics.KEYFRAME_DETECTIONS, topics.SCENE_GRAPH, topics.MAP, topics.FRONTIERS),
}
_OTHER = "other"


def replay_exactly(
    bag: Bag, changes: Changes, json_file: Path | None = None, agents: AgentRegistry = AGENTS
) -> int:
    """Runs the subcommand for a bag with journals.

    Returns:
        The exit status: 0 only when all compared outputs are the same.

    Raises:
        StmaError: as replay.exact_replay.replay.
    """
    check_output("--json", json_file)
    console = make_console()
    with make_progress(console) as progress:
        bar = progress.add_task("", total=bag.message_count, rate="messages")
        result = replay(
            bag, changes, progress=lambda number: progress.update(bar, completed=number), agents=agents
        )
    preset = [f"the preset {changes.preset}"] if changes.preset else []
    for change in (*preset, *changes.assignments):
        console.print(f"with {change}", markup=False, highlight=False)
    _show(result, console)
    if json_file is not None:
        write_atomically(json_file, json.dumps(_as_json(bag.path, result), indent=2) + "\n")
    return 0 if result.same else 1


def _show(result: ReplayResult, console: Console) -> None:
    console.print(_table(result))
    for part in result.parts:
        gap = f"; compared up to there only: {part.gap}" if part.gap else ""
        console.print(
            f"  {part.name}: {part.inputs} inputs in {part.seconds:.1f} s{gap}",
            markup=False,
            highlight=False,
            soft_wrap=True,
        )
    for note in result.notes:
        console.print(f"note: {note}", markup=False, highlight=False, soft_wrap=True)
    for lost in result.lost:
        console.print(f"not compared: {lost}", markup=False, highlight=False, soft_wrap=True)
    for damage in result.damages[:_MAX_DAMAGES]:
        console.print(f"damaged: {damage}", markup=False, highlight=False, soft_wrap=True)
    if len(result.damages) > _MAX_DAMAGES:
        console.print(f"... and {len(result.damages) - _MAX_DAMAGES} damages more", highlight=False)
    speed = f", {result.span / result.seconds:.1f} times as fast as it was recorded" if result.span else ""
    console.print(f"{result.messages} messages in {result.seconds:.1f} s{speed}", highlight=False)
    if result.first is not None:
        console.print("\n[red]not the same[/]; the first difference:", highlight=False)
        console.print(str(result.first), markup=False, highlight=False, soft_wrap=True)
    elif not result.same:
        console.print("\n[red]nothing could be compared[/]", highlight=False)
    elif result.damages or result.lost or any(part.gap for part in result.parts):
        console.print("\n[yellow]all that can still be compared is the same[/]", highlight=False)
    else:
        console.print("\n[green]every decision and every belief is the same[/]", highlight=False)


def _table(result: ReplayResult) -> Table:
    table = Table(title="outputs of the replay, compared with the recording")
    table.add_column("")
    table.add_column("topic")
    for heading in ("same", *(kind.value for kind in _SAID), "not recorded"):
        table.add_column(heading, justify="right")
    for group, members in _grouped(result).items():
        for index, (topic, tally) in enumerate(members):
            counts = (tally.different[kind] for kind in _SAID)
            cells = (str(tally.same), *(str(count or "") for count in counts), str(tally.uncompared or ""))
            table.add_row(group if index == 0 else "", topic, *cells)
    return table


def _grouped(result: ReplayResult) -> dict[str, list[tuple[str, Tally]]]:
    named = {topic: group for group, members in _GROUPS.items() for topic in members}
    groups: dict[str, list[tuple[str, Tally]]] = {group: [] for group in (*_GROUPS, _OTHER)}
    for topic in (*named, *sorted(result.tallies.keys() - named.keys())):
        if topic in result.tallies:
            groups[named.get(topic, _OTHER)].append((topic, result.tallies[topic]))
    return groups


def _as_json(path: Path, result: ReplayResult) -> dict[str, Any]:
    first = result.first
    return {
        "bag": str(path),
        "same": result.same,
        "topics": {
            topic: {"same": tally.same, **_kinds(tally.different), "not_recorded": tally.uncompared}
            for topic, tally in result.tallies.items()
        },
        "components": [asdict(part) for part in result.parts],
        "first_difference": None if first is None else str(first),
        "damages": [str(damage) for damage in result.damages],
        "notes": list(result.notes),
        "lost": [asdict(lost) for lost in result.lost],
        "messages": result.messages,
        "span_s": result.span,
        "run_time_s": round(result.seconds, 3),
    }


def _kinds(different: Counter[DifferenceKind]) -> dict[str, int]:
    return {kind.name.lower(): different[kind] for kind in DifferenceKind}
