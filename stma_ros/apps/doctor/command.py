"""`stma doctor`: runs the checks and prints what is missing, with the remedy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import nullcontext

from rich.console import Console
from rich.markup import escape

from stma_ros.apps.console import make_console
from stma_ros.apps.doctor.checks import CHECKS, Check, State
from stma_ros.apps.doctor.topic_checks import topics_of

_SHOWN = {
    State.FOUND: "[green]ok     [/]",
    State.NOTE: "[yellow]note   [/]",
    State.OPTIONAL: "[yellow]absent [/]",
    State.MISSING: "[red]missing[/]",
}


def doctor(namespace: str | None = None) -> int:
    """Runs the subcommand; with a `namespace`, it also looks for the robot there. Returns the exit status."""
    console = make_console()
    checks = dict(CHECKS)
    if namespace is not None:
        checks["topics of the running robot"] = lambda: topics_of(namespace)
    found = show_findings(console, checks)
    if missing := found[State.MISSING]:
        console.print(f"\n[red]{missing} missing[/]; what to do stands next to each", highlight=False)
    else:
        console.print("\neverything that is needed is there", highlight=False)
    return 1 if missing else 0


def show_findings(console: Console, checks: Mapping[str, Check]) -> Counter[State]:
    """Prints the findings of checks, which are named by their titles, as they come; returns their number by state."""
    return sum((_show_findings(console, title, check) for title, check in checks.items()), Counter[State]())


def _show_findings(console: Console, title: str, check: Check) -> Counter[State]:
    console.print(f"[bold]{escape(title)}[/]", highlight=False)
    found = Counter[State]()
    with console.status("[dim]looking") if console.is_terminal else nullcontext():
        for finding in check():
            found[finding.state] += 1
            text = f"  {_SHOWN[finding.state]}  {escape(finding.name)}  [dim]{escape(finding.detail)}[/]"
            console.print(text.rstrip(), highlight=False, soft_wrap=True)
            if finding.state is not State.FOUND and finding.remedy:
                console.print(f"           {finding.remedy}", markup=False, highlight=False, soft_wrap=True)
    return found
