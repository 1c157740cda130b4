"""`stma score`: scores recorded runs, and shows where other presets or models decide otherwise."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from stma_ros.agents.registry import AGENTS, AgentRegistry
from stma_ros.apps.console import make_console, make_progress
from stma_ros.apps.folders import check_output
from stma_ros.apps.score.bag import ScoredBag
from stma_ros.apps.score.detectors import in_json, told
from stma_ros.apps.score.page import page
from stma_ros.apps.score.table import ShownTable, latency_rows, shown_tables
from stma_ros.evaluation.offline.bag_score import BagScore, Reference
from stma_ros.evaluation.offline.detector_score import DetectorScore
from stma_ros.evaluation.offline.reference_grid import read_grid
from stma_ros.evaluation.offline.table import csv_text, result
from stma_ros.evaluation.offline.truth_file import read_truth
from stma_ros.replay.replay_agent import Changes
from stma_ros.storage.files import write_atomically
from stma_ros.types.errors import StorageError

_NAMES = 2  # columns of a table that hold no figures
_SHOWN = 6  # lines of missing scores, and of wrong answers, of each bag and preset


@dataclass(frozen=True)
class References:
    """The references of the scores; None = not given."""

    truth: Path | None = None
    grid: Path | None = None
    questions: Path | None = None


@dataclass(frozen=True)
class Alternatives:
    """Presets that decide at the recorded decision points of every bag or, without any, the recorded preset with
    changes.

    Attributes:
        presets: names of presets.
        overrides: by component and setting.
        models: settings of models.settings.
    """

    presets: Sequence[str] = ()
    overrides: Mapping[str, Mapping[str, Any]] | None = None
    models: Mapping[str, Any] | None = None

    def changes(self, recorded: str) -> Iterator[tuple[str, Changes]]:
        """Yields the changes of each alternative with a label. recorded: the preset of a bag."""
        overrides, models = self.overrides or {}, self.models or {}
        presets = tuple(dict.fromkeys(self.presets)) or (("",) if overrides or models else ())
        for preset in presets:
            changes = Changes(preset, overrides, models)
            yield " ".join((preset or recorded, *changes.assignments, "(replayed)")), changes


@dataclass(frozen=True)
class Outputs:
    """The requested files; None = not requested."""

    json: Path | None = None
    csv: Path | None = None
    html: Path | None = None

    def check(self) -> None:
        """Raises ConfigurationError where one cannot be written."""
        for option, file in (("--json", self.json), ("--csv", self.csv), ("--html", self.html)):
            check_output(option, file)


def score(
    bags: Sequence[Path],
    given: References = References(),
    others: Alternatives = Alternatives(),
    outputs: Outputs = Outputs(),
    detectors: bool = False,
    agents: AgentRegistry = AGENTS,
) -> int:
    """Runs the subcommand.

    Args:
        bags: the bags.
        given: references of the scores.
        others: presets or changes to compare.
        outputs: the requested files.
        detectors: whether the detectors of the bags are scored as well.
        agents: registry of the agents of bags and presets.

    Returns:
        The exit status: 1 where a bag of several, or a part of one, could not be read.

    Raises:
        ConfigurationError: a file or setting that cannot be used.
        StorageError: no bag can be read.
    """
    outputs.check()
    for preset in others.presets:
        agents.agent_of(preset)
    reference = Reference(
        None if given.truth is None else read_truth(given.truth),
        None if given.grid is None else read_grid(given.grid),
    )
    console = make_console()
    scores: list[BagScore] = []
    failures: list[StorageError] = []
    opened: list[ScoredBag] = []  # all of them, before the slow scoring begins
    found: dict[str, DetectorScore] = {}
    bags = _distinct(bags, console)
    for path, name in zip(bags, _names(bags), strict=True):
        try:
            opened.append(ScoredBag(path, name, reference, given.questions, agents))
        except StorageError as error:
            failures.append(error)
    for bag in opened:
        try:
            scores += _scores(bag, others, console)
            if detectors:
                for name, of_bag in _detectors(bag, console).items():
                    found[name] = found.get(name, DetectorScore()) + of_bag
        except StorageError as error:
            failures.append(error)
        else:
            failures += [StorageError(text) for text in bag.damages]
    if not scores:
        raise failures[0]
    outcome = result(scores, _settings(bags, given, others))
    _show(outcome, scores, console)
    if detectors:
        outcome["detectors"] = in_json(found)
        for line in told(found):
            _say(console, line)
    for failure in failures:
        console.print(f"not read: {failure}", style="red", markup=False, highlight=False, soft_wrap=True)
    _write(outputs, outcome, scores, console)
    return 1 if failures else 0


def _scores(bag: ScoredBag, others: Alternatives, console: Console) -> Iterator[BagScore]:
    with make_progress(console) as progress:
        bar = progress.add_task("", total=bag.messages, rate=f"messages of {bag.name}")
        yield bag.as_recorded(lambda count: progress.update(bar, completed=count))
        for label, changes in others.changes(bag.preset):
            progress.reset(bar, rate=f"messages of {bag.name}: {label}")
            yield bag.as_changed(label, changes, lambda count: progress.update(bar, completed=count))


def _detectors(bag: ScoredBag, console: Console) -> Mapping[str, DetectorScore]:
    with make_progress(console) as progress:
        bar = progress.add_task("", total=bag.messages, rate=f"messages of {bag.name}: detectors")
        return bag.detectors(lambda count: progress.update(bar, completed=count))


def _distinct(bags: Sequence[Path], console: Console) -> list[Path]:
    """Returns each bag once, as it was named first, with a note on those that are left out."""
    named: dict[Path, Path] = {}
    for path in bags:
        first = named.setdefault(path.resolve(), path)
        if first is not path:
            _say(console, f"{path} is {first}, which is scored once", "yellow")
    return list(named.values())


def _names(bags: Sequence[Path]) -> list[str]:
    """Returns the last part of each path, and as many parts before it as tell it from the others."""
    parts = [path.absolute().parts for path in bags]
    lengths = [1] * len(bags)
    while True:
        names = [str(PurePath(*each[-length:])) for each, length in zip(parts, lengths, strict=True)]
        counts = Counter(names)
        if len(counts) == len(names):
            return names
        lengths = [length + (counts[name] > 1) for length, name in zip(lengths, names, strict=True)]


def _settings(bags: Sequence[Path], given: References, others: Alternatives) -> dict[str, Any]:
    return {
        "bags": [str(path) for path in bags],
        "truth": given.truth and str(given.truth),
        "grid": given.grid and str(given.grid),
        "questions": given.questions and str(given.questions),
        "presets": list(others.presets),
        "components": others.overrides or {},
        "models": others.models or {},
    }


def _write(
    outputs: Outputs, outcome: Mapping[str, Any], scores: Sequence[BagScore], console: Console
) -> None:
    def put(file: Path | None, content: str) -> None:
        if file is not None:
            write_atomically(file, content)
            console.print(f"written: {file}", highlight=False, markup=False, soft_wrap=True)

    put(outputs.json, json.dumps(outcome, indent=2) + "\n")
    put(outputs.csv, csv_text(outcome["rows"]))
    if outputs.html is not None:
        put(outputs.html, page(outcome, scores))


def _show(outcome: Mapping[str, Any], scores: Sequence[BagScore], console: Console) -> None:
    for shown in shown_tables(outcome["rows"]):
        console.print(_table(shown))
    if latencies := latency_rows(scores):
        table = Table(title="latency, in seconds", title_justify="left")
        for number, heading in enumerate(("component", "answer", "number", "median", "95 %", "most")):
            table.add_column(heading, justify="left" if number < _NAMES else "right")
        for row in latencies:
            table.add_row(*row)
        console.print(table)
    for score in scores:
        for text in score.missing[:_SHOWN]:
            _say(console, f"{score.bag}, {score.preset}: {text}", "yellow")
        if len(score.missing) > _SHOWN:
            _say(
                console,
                f"{score.bag}, {score.preset}: and {len(score.missing) - _SHOWN} notes more",
                "yellow",
            )
    for score in scores:
        for text in _wrong_answers(score):
            _say(console, f"{score.bag}, {score.preset}: {text}")
    for score in scores:
        if score.agreement is None:
            continue
        disagreements = score.agreement.disagreements
        if not disagreements:
            _say(console, f"\n{score.bag}, {score.preset}: every decision is the recorded one")
            continue
        _say(console, f"\n{score.bag}, {score.preset}: {len(disagreements)} decisions differ; the first:")
        _say(console, disagreements[0].text())


def _wrong_answers(score: BagScore) -> Iterator[str]:
    wrong = [marked for marked in score.answers if not marked.is_right]
    for marked in wrong[:_SHOWN]:
        yield f"{marked.question.ask!r} was answered {marked.answer.text!r}; expected: {marked.question.expect}"
    if len(wrong) > _SHOWN:
        yield f"and {len(wrong) - _SHOWN} wrong answers more; --html shows them"


def _say(console: Console, text: str, style: str = "") -> None:
    console.print(text, style=style, markup=False, highlight=False, soft_wrap=True)


def _table(shown: ShownTable) -> Table:
    table = Table(title=shown.title, title_justify="left")
    for heading in ("preset", "bag"):
        table.add_column(heading, overflow="fold")
    for heading in shown.headings:
        table.add_column(escape(heading), justify="right")
    for row, following in zip(shown.rows, (*shown.rows[1:], None), strict=True):
        is_last = following is None or following.preset != row.preset
        table.add_row(escape(row.preset), escape(row.bag), *map(str, row.cells), end_section=is_last)
    return table
