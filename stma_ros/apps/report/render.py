"""Renders the report of a run."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from stma_ros.apps.damage_summary import DamageSummary
from stma_ros.apps.report.charts import Drawing, drawings
from stma_ros.apps.report.checklist import Checklist, checklist_over_time
from stma_ros.apps.report.collect import collect
from stma_ros.apps.report.evidence import EvidenceCard, cited_pictures, evidence_cards, subjects_in_graph
from stma_ros.apps.report.experience_cards import ExperienceSection, experience_section
from stma_ros.apps.report.frames import Picked, draw, pick
from stma_ros.apps.report.map_figure import map_figure
from stma_ros.apps.report.model_table import ModelTable, model_table
from stma_ros.apps.report.scene_tree import RoomTree, room_trees
from stma_ros.apps.report.snapshot_cards import Snapshots, snapshot_cards
from stma_ros.apps.report.svg import data_uri, time_colour
from stma_ros.apps.report.task_run import RunView, TaskRun
from stma_ros.apps.report.timeline import StepEntry, skills_used, step_entries, timeline_bar
from stma_ros.library.household import household_knowledge
from stma_ros.replay.recorded_message import Reader
from stma_ros.storage.bag.reader import Bag
from stma_ros.storage.files import text_name, write_atomically
from stma_ros.storage.run_folder import RunFolder
from stma_ros.types.control import Fault
from stma_ros.types.errors import ErrorCode
from stma_ros.types.message import Message
from stma_ros.types.planning import TaskStatus, answer_of
from stma_ros.types.vocabulary import MANIPULATIONS, SKILL_OPEN

_TEMPLATE = "report.html.j2"
_FAULT_TEXTS = 5  # shown of one node and kind


@dataclass(frozen=True)
class _Frame:
    uri: str
    time: float
    caption: str
    categories: str


@dataclass(frozen=True)
class _Faults:
    """The faults of one node and kind.

    Attributes:
        since, until: times of the first and the last one [s].
        texts: the different texts, in the order of their first faults, each with its number.
        left_out: number of further texts.
    """

    node: str
    kind: str
    since: float
    until: float
    count: int
    is_fatal: bool
    texts: tuple[tuple[str, int], ...]
    left_out: int


@dataclass(frozen=True)
class _WatchedSection:
    """The template's data of a recording without a task."""

    run: TaskRun
    facts: tuple[tuple[str, str], ...]
    map: Markup | None
    frames: tuple[_Frame, ...]
    rooms: tuple[RoomTree, ...]


@dataclass(frozen=True)
class _TaskSection:
    """The template's data of a task."""

    run: TaskRun
    status: str
    answer: str
    facts: tuple[tuple[str, str], ...]
    evidence: tuple[EvidenceCard, ...]
    map: Markup | None
    has_open_frontiers: bool
    checklist: Checklist | None
    snapshots: Snapshots
    trail: tuple[str, ...]
    experience: ExperienceSection | None
    frames: tuple[_Frame, ...]
    rooms: tuple[RoomTree, ...]
    bar: Markup | None
    skills: list[tuple[str, str, int, float]]
    steps: list[StepEntry]
    models: ModelTable

    @property
    def has_frontier_pictures(self) -> bool:
        return any(card.uri for step in self.steps for card in step.frontiers)


def write_report(folder: RunFolder) -> Path:
    """Writes the report of a finished or interrupted run into its folder and returns its path. Damaged messages are
    left out.

    Raises:
        StorageError: there is no bag, or the report cannot be written.
    """
    metrics = folder.read_metrics() if folder.metrics.exists() else {}
    damages = DamageSummary()
    reader = Reader(Bag(folder.path), damages.add)
    recorded = ((topic, message) for topic, _, message in reader.decoded())
    title = text_name(folder.path)
    page = render_report(recorded, title, metrics, damages, reader.keyframes())
    write_atomically(folder.report, page)
    return folder.report


def render_report(
    messages: Iterable[tuple[str, Message]],
    title: str,
    metrics: Mapping[str, Any],
    damages: DamageSummary | None = None,
    keyframes: Collection[int] | None = None,
) -> str:
    """Renders one HTML page without external references.

    Args:
        messages: in the order of the recording.
        title: title of the page.
        metrics: metrics of the run.
        damages: complete once the messages are read.
        keyframes: as in collect.
    """
    view = collect(messages, keyframes)
    environment = Environment(
        loader=PackageLoader("stma_ros.apps.report", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["seconds"] = _seconds
    environment.filters["moment"] = lambda stamp: _seconds(stamp - view.begin)
    return environment.get_template(_TEMPLATE).render(
        title=title,
        tasks=[_section(run, view.tasks[:index]) for index, run in enumerate(view.tasks)],
        watched=None if view.watched is None else _watched(view.watched),
        idle_models=model_table(view.idle_calls, view.idle_left_out),
        summary=_summary(view),
        faults=_grouped(view.faults),
        damages=[] if damages is None else damages.lines,
        charts=_charts(view),
        answers=metrics.get("answers", ()),
        metrics=[
            (name.replace("_", " "), _figure(value)) for name, value in metrics.items() if name != "answers"
        ],
        time_colours=[time_colour(share / 8) for share in range(9)],
    )


def _charts(view: RunView) -> list[Drawing]:
    unit = "commands" if any(run.is_text_world for run in view.tasks) else "s"
    series = {
        path: [(time - view.begin, value) for time, value in values] for path, values in view.series.items()
    }
    return drawings(series, [run.start - view.begin for run in view.tasks], unit)


def _watched(run: TaskRun) -> _WatchedSection:
    facts = [_travelled(run), ("time", _seconds(run.end - run.start)), *_known(run)]
    return _WatchedSection(
        run,
        tuple(facts),
        map_figure(run, ()),
        tuple(map(_frame, pick(run.keyframes, "", ()))),
        _rooms(run, ()),
    )


def _section(run: TaskRun, before: list[TaskRun]) -> _TaskSection:
    result = run.result
    earlier = [keyframe for previous in before for keyframe in previous.keyframes]
    cited = cited_pictures(run, household_knowledge(), earlier)
    about = [*run.handled, *subjects_in_graph(cited, run.graph)]
    if result and result.target.id and result.status in (TaskStatus.SUCCEEDED, TaskStatus.UNVERIFIED):
        about.insert(0, result.target)
    targets = {target.id for target in about}
    category = result.target.category if result and result.target.category else ""
    category = category or (about[0].category if about else "")
    done = [
        step.outcome
        for step in run.ordered_steps
        if step.outcome is not None and step.outcome.action.skill in MANIPULATIONS
    ]
    # Where there are too many events for the report, containers opened in search are dropped first.
    done.sort(key=lambda outcome: outcome.action.skill == SKILL_OPEN)
    moments = [(outcome.header.stamp.seconds, f"after {outcome.action}") for outcome in done]
    return _TaskSection(
        run,
        result.status.name.lower() if result else "unfinished",
        answer_of(result) if result else "the recording ends before the task does",
        tuple(_facts(run)),
        evidence_cards(cited),
        map_figure(run, targets, cited),
        bool(run.open_frontiers),
        checklist_over_time(run),
        snapshot_cards(run, cited),
        run.trail,
        experience_section(run),
        tuple(_frame(picked, category) for picked in pick(run.keyframes, category, moments, earlier)),
        _rooms(run, targets),
        timeline_bar(run),
        skills_used(run),
        step_entries(run),
        model_table(run.model_calls, run.left_out),
    )


def _frame(picked: Picked, category: str = "") -> _Frame:
    return _Frame(
        data_uri(draw(picked.keyframe, {category}), "image/jpeg"),
        picked.keyframe.time,
        picked.reason,
        ", ".join(sorted({d.category for d in picked.keyframe.detections})) or "nothing",
    )


def _rooms(run: TaskRun, targets: Collection[str]) -> tuple[RoomTree, ...]:
    return tuple(room_trees(run.graph, targets, run.begin)) if run.graph else ()


def _travelled(run: TaskRun) -> tuple[str, str]:
    return "way of the camera" if run.is_hand_held else "travelled", f"{run.distance:.1f} m"


def _known(run: TaskRun) -> Iterable[tuple[str, str]]:
    if run.graph:
        yield "objects known", str(len(run.graph.objects))
        yield "rooms known", str(len(run.graph.rooms))


def _facts(run: TaskRun) -> Iterable[tuple[str, str]]:
    commands = sum(step.outcome is not None for step in run.steps.values())
    budget = f" of {run.task.max_commands}" if run.task.max_commands else ""
    yield "commands", f"{run.result.commands if run.result else commands}{budget}"
    if run.truth is not None and run.truth.max_score:
        yield "points", f"{run.truth.score:g} of {run.truth.max_score:g}"
    if not run.is_text_world:
        yield _travelled(run)
        yield "time", _seconds(run.end - run.start)
    yield "actions refused by the critic", str(run.rejections)
    yield from _known(run)


def _grouped(faults: Iterable[Fault]) -> list[_Faults]:
    """Groups the reports of one node and kind."""
    grouped: dict[tuple[str, ErrorCode], list[Fault]] = {}
    for fault in faults:
        grouped.setdefault((fault.node, fault.error.code), []).append(fault)
    return [_group(node, code, same) for (node, code), same in grouped.items()]


def _group(node: str, code: ErrorCode, faults: Sequence[Fault]) -> _Faults:
    texts = tuple(Counter(fault.error.text for fault in faults).items())
    return _Faults(
        node,
        code.name,
        faults[0].header.stamp.seconds,
        faults[-1].header.stamp.seconds,
        len(faults),
        any(fault.fatal for fault in faults),
        texts[:_FAULT_TEXTS],
        len(texts[_FAULT_TEXTS:]),
    )


def _summary(view: RunView) -> str:
    if view.watched is not None:
        return f"a recording of {_seconds(view.watched.end - view.watched.start)}"
    ends = Counter(run.result.status for run in view.tasks if run.result is not None)
    done, unverified = ends[TaskStatus.SUCCEEDED], ends[TaskStatus.UNVERIFIED]
    doubt = f", {unverified} could not be verified" if unverified else ""
    return f"{done} of {len(view.tasks)} task{'s' if len(view.tasks) != 1 else ''} succeeded{doubt}"


def _seconds(value: float) -> str:
    """Returns a time for people; negative ones are those before the recording, as of a saved memory. NaN = not
    measured."""
    if math.isnan(value):
        return "-"
    length = round(abs(value), 1)
    sign = "-" if value < 0 < length else ""
    if length < 60:
        return f"{sign}{length:.1f} s"
    minutes, seconds = divmod(round(length), 60)
    return f"{sign}{minutes} min {seconds:02d} s"


def _figure(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
