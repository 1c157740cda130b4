"""`stma experiences`: looks at, exchanges and forgets the experiences in a store."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from stma_ros.apps.console import make_console
from stma_ros.library.experience_memory import ExperienceMemory
from stma_ros.roles.rendering import fact_text
from stma_ros.storage.experiences.postgres_store import is_postgres_url
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.experience import Experience, ReasonedStep
from stma_ros.types.standard import Time

_IMPORT = "import"
_SIMULATED = 1_000_000_000  # [s] since 1970; no robot's clock is older
_REFUSALS = 5  # that are printed


def experiences(options: argparse.Namespace) -> int:
    """Runs one of the actions and returns the exit status.

    Args:
        options: those of the action (apps.command_line).

    Raises:
        ConfigurationError: there is no store.
        NotRememberedError: there is no such experience.
        StorageError: the store or the file cannot be used.
    """
    is_there = is_postgres_url(options.store) or Path(options.store).is_file()
    if options.action != _IMPORT and not is_there:
        raise ConfigurationError(
            f"there is no store of experiences at {options.store}; an agent with an experience memory makes one "
            "(--set experience_memory.store=FILE), and so does `stma experiences import`"
        )
    with ExperienceMemory(options.store) as memory:
        return _ACTIONS[options.action](memory, options, make_console())


def _list(memory: ExperienceMemory, options: argparse.Namespace, console: Console) -> int:
    best = sorted(memory, key=lambda each: (-each.score, -each.stamp.nanoseconds))
    shown = best[: options.limit] if options.limit else best
    table = Table(title=f"{len(shown)} of {len(best)} experiences", title_justify="left")
    for heading in ("id", "score", "task", "ended as", "steps", "times", "robot", "on"):
        table.add_column(heading, overflow="fold", no_wrap=heading == "id")
    for each in shown:
        table.add_row(
            each.id,
            f"{each.score:.2f}",
            escape(each.task),
            each.status.name.lower(),
            str(len(each.steps)),
            str(each.occurrences),
            escape(each.robot),
            _date(each.stamp),
        )
    console.print(table)
    return 0


def _show(memory: ExperienceMemory, options: argparse.Namespace, console: Console) -> int:
    each = memory.get(options.id)
    for line in _lines(each):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    return 0


def _lines(experience: Experience) -> list[str]:
    """Returns the lines of text that describe an experience."""
    where = "".join(
        f" {word} {name}" for word, name in (("by", experience.robot), ("in", experience.home)) if name
    )
    lines = [
        f"{experience.id}: {experience.task}",
        f"  {experience.status.name.lower()}{where}, {_date(experience.stamp)}; made {experience.occurrences} time(s)",
        f"  score {experience.score:.2f}: {experience.justification}",
    ]
    for number, step in enumerate(experience.steps, start=1):
        lines += [f"{number:3}. {step.action}{_outcome(step)}", f"     why: {step.rationale}"]
        if not math.isnan(step.score):
            lines.append(f"     score {step.score:.2f}: {step.justification}")
    return [*lines, "final scene graph:", *(f"  {fact_text(fact)}" for fact in experience.final_graph)]


def _outcome(step: ReasonedStep) -> str:
    return f": failed, {step.error.text}" if step.error else ""


def _rules(memory: ExperienceMemory, options: argparse.Namespace, console: Console) -> int:
    rules = memory.rules_of_thumb(options.task, domain=options.domain)
    table = Table(title=f"{len(rules)} rules of thumb", title_justify="left")
    for heading in ("thing", "in or on", "room", "found", "looked"):
        table.add_column(heading)
    for rule in rules:
        table.add_row(
            escape(rule.thing) or "(opening it)",
            escape(rule.place) or "(not known)",
            escape(rule.room) or "(not known)",
            str(rule.found),
            str(rule.looked),
        )
    console.print(table)
    return 0


def _forget(memory: ExperienceMemory, options: argparse.Namespace, console: Console) -> int:
    number = memory.forget(options.ids)
    console.print(f"{number} of {len(options.ids)} forgotten")
    return 0 if number == len(options.ids) else 1


def _export(memory: ExperienceMemory, options: argparse.Namespace, console: Console) -> int:
    number = memory.export(options.file, private=options.private, people=options.name)
    left_out = (
        "nothing" if options.private else "the names of homes, and of people as far as they were recognised"
    )
    console.print(
        f"{number} experiences written to {options.file}; left out: {left_out}", markup=False, soft_wrap=True
    )
    return 0


def _import(memory: ExperienceMemory, options: argparse.Namespace, console: Console) -> int:
    done = memory.import_(options.file)
    console.print(f"{done.new} new, {done.known} known already, {len(done.refused)} lines refused")
    for number, reason in list(done.refused.items())[:_REFUSALS]:
        console.print(f"  line {number}: {reason}", markup=False, soft_wrap=True)
    return 1 if done.refused else 0


def _date(stamp: Time) -> str:
    """Returns a date; the clock of a simulator begins at 0 with each run."""
    if stamp.sec < _SIMULATED:
        return "(simulated)"
    return datetime.fromtimestamp(stamp.sec, timezone.utc).strftime("%Y-%m-%d %H:%M UTC")


_ACTIONS: Mapping[str, Callable[[ExperienceMemory, argparse.Namespace, Console], int]] = {
    "list": _list,
    "show": _show,
    "rules": _rules,
    "forget": _forget,
    "export": _export,
    _IMPORT: _import,
}
