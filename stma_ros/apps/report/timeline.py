"""Describes the steps of a task in words, and as a bar over simulated time."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from stma_ros.apps.report.snapshot_cards import FrontierCard, frontier_cards
from stma_ros.apps.report.svg import element
from stma_ros.apps.report.task_run import Step, TaskRun
from stma_ros.types import topics, vocabulary
from stma_ros.types.message import Message
from stma_ros.types.planning import (
    Action,
    ActionProposal,
    Criterion,
    Critique,
    Outcome,
    Plan,
    Result,
    Verdict,
)
from stma_ros.visual.naming import labels

SKILL_COLOURS: Mapping[str, str] = {
    vocabulary.SKILL_NAVIGATE: "#4c78a8",
    vocabulary.SKILL_EXPLORE: "#2a9d8f",
    vocabulary.SKILL_LOOK_AROUND: "#8e6bb5",
    vocabulary.SKILL_OPEN: "#e09f3e",
    vocabulary.SKILL_CLOSE: "#b07d2b",
    vocabulary.SKILL_PICK: "#c8553d",
    vocabulary.SKILL_PLACE_ON: "#7d3c57",
    vocabulary.SKILL_PLACE_IN: "#a2506f",
    vocabulary.SKILL_PLACE_NEXT_TO: "#b57f92",
    vocabulary.SKILL_SWITCH_ON: "#c9b21a",
    vocabulary.SKILL_SWITCH_OFF: "#8f8a5c",
    vocabulary.SKILL_FILL: "#3aa0c9",
    vocabulary.SKILL_EMPTY: "#7fb8cf",
}
_OTHER_SKILL = "#8a93a3"
_BLANK_LINES = re.compile(r"\n\s*\n")


@dataclass(frozen=True)
class Event:
    """One line of the timeline; `kind` is a CSS class: observed, plan, accepted, rejected, pending, done, failed."""

    kind: str
    title: str
    detail: str = ""
    note: str = ""


@dataclass(frozen=True)
class StepEntry:
    """One step for the template; times in seconds of the run's clock, None for a clock that only counts commands.
    decision: its subgoal, or else its action; empty = nothing was decided."""

    number: int
    time: float | None
    room: str
    decision: str
    events: tuple[Event, ...]
    temporal: str
    spatial: str
    frontiers: tuple[FrontierCard, ...]
    frontiers_left_out: int


def step_entries(run: TaskRun) -> list[StepEntry]:
    """Returns every step of the task, in order."""
    names = labels(run.graph)
    return [_entry(step, run, names) for step in run.ordered_steps]


def _entry(step: Step, run: TaskRun, names: Mapping[str, str]) -> StepEntry:
    frontiers = frontier_cards(step, run)
    room = step.spatial.room if step.spatial else ""
    return StepEntry(
        step.number,
        None if step.text else step.time,
        names.get(room, room),
        _decision(step),
        tuple(_events(step)),
        step.temporal.text if step.temporal else "",
        step.spatial.text if step.spatial else "",
        frontiers,
        len(step.visual.frontiers) - len(frontiers) if step.visual else 0,
    )


def _decision(step: Step) -> str:
    accepted = [step.accepted] if step.accepted else []
    subgoals = [plan.subgoal for plan in step.plans.values()] + [proposal.subgoal for proposal in accepted]
    if named := list(filter(None, subgoals)):
        return named[-1]
    actions = [action for plan in step.plans.values() for action in plan.actions[:1]]
    actions += [proposal.action for proposal in accepted]
    actions += [step.outcome.action] if step.outcome else []
    return str(actions[-1]) if actions else ""


def _events(step: Step) -> Iterator[Event]:
    if step.text:
        yield Event("observed", "", _BLANK_LINES.sub("\n", step.text).strip())
    for message in _in_order(step):
        if isinstance(message, Plan):
            # Later requests of a step repeat the critique above them.
            request = step.requests.get(0) if message.revision == 0 else None
            yield _planned(message, request.feedback if request else "")
        elif isinstance(message, ActionProposal):
            yield _proposed(message, step.critiques.get(message.revision))
    outcome = step.outcome
    if outcome is not None:
        done = outcome.result == Result.SUCCEEDED
        measured = ((outcome.distance, "m"), (outcome.duration, "s"))
        figures = [f"{value:.1f} {unit}" for value, unit in measured if math.isfinite(value)]
        note = "" if step.text else ", ".join(figures)
        error = (
            f"{outcome.error.code.name.replace('_', ' ').lower()}: {outcome.error.text}"
            if outcome.error
            else ""
        )
        yield Event(
            "done" if done else "failed", f"{outcome.action} {outcome.result.name.lower()}", error, note
        )


def _in_order(step: Step) -> list[Message]:
    """Orders plans and proposals: a proposal names its plan."""

    def plan_of(proposal: ActionProposal) -> int:
        here = f"{proposal.task_id}/{proposal.step}"
        plans = [s.revision for s in proposal.derived_from if s.topic == topics.PLAN and s.id == here]
        return plans[0] if plans else -1  # continues the plan of an earlier step

    keyed: list[tuple[tuple[int, int, int], Message]] = [
        *(((plan.revision, 0, 0), plan) for plan in step.plans.values()),
        *(((plan_of(p), 1, p.revision), p) for p in step.proposals.values()),
    ]
    return [message for _, message in sorted(keyed, key=lambda pair: pair[0])]


def _planned(plan: Plan, feedback: str) -> Event:
    note = f"because {feedback}" if feedback else ""
    if plan.error:
        return Event("failed", "no plan", plan.error.text, note)
    actions = " → ".join(str(action) for action in plan.actions) or "no action"
    return Event("plan", actions, plan.reasoning, note)


def _proposed(proposal: ActionProposal, critique: Critique | None) -> Event:
    if critique is None:
        return Event("pending", str(proposal.action), "the critic did not answer")
    if critique.verdict == Verdict.ACCEPTED:
        return Event("accepted", str(proposal.action))
    criterion = "" if critique.criterion == Criterion.NONE else f"{critique.criterion.name.lower()}: "
    return Event("rejected", str(proposal.action), f"{criterion}{critique.reason}")


def skill_colour(action: Action) -> str:
    return SKILL_COLOURS.get(action.skill, _OTHER_SKILL)


def timeline_bar(run: TaskRun) -> Markup | None:
    """Returns a bar over the task's time with one block for each skill; None where time did not pass, or has no
    meaning."""
    blocks = []
    span = run.end - run.start
    if span <= 0 or run.is_text_world:
        return None
    width, height = 1000.0, 26.0
    scale = width / span
    for step in run.ordered_steps:
        outcome = step.outcome
        if outcome is None:
            continue
        end = min(outcome.header.stamp.seconds, run.end)
        start = max(end - outcome.duration, run.start) if math.isfinite(outcome.duration) else end
        failed = outcome.result != Result.SUCCEEDED
        tooltip = (
            f"step {step.number}: {outcome.action}, {outcome.result.name.lower()}, {start - run.begin:.1f} to "
            f"{end - run.begin:.1f} s"
        )
        blocks.append(
            element(
                "rect",
                element("title", tooltip),
                x=(start - run.start) * scale,
                y=2.0,
                width=max((end - start) * scale - 1, 1.5),
                height=height - 4,
                rx=3,
                fill=skill_colour(outcome.action),
                class_="block failed" if failed else "block",
            )
        )
    return element(
        "svg",
        element("title", "When each skill ran"),
        element("rect", width=width, height=height, rx=4, class_="track"),
        *blocks,
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        preserveAspectRatio="none",
        role="img",
        class_="bar",
        aria_label=f"{len(blocks)} skills in {span:.0f} seconds",
    )


def skills_used(run: TaskRun) -> list[tuple[str, str, int, float]]:
    """Returns the legend: each skill's name, colour, count and time [s], which is NaN where none was measured."""
    used: dict[str, list[Outcome]] = {}
    for step in run.ordered_steps:
        if step.outcome is not None:
            used.setdefault(step.outcome.action.skill, []).append(step.outcome)
    return [
        (name, skill_colour(outcomes[0].action), len(outcomes), _time_of(outcomes))
        for name, outcomes in sorted(used.items())
    ]


def _time_of(outcomes: Iterable[Outcome]) -> float:
    measured = [outcome.duration for outcome in outcomes if math.isfinite(outcome.duration)]
    return sum(measured) if measured else math.nan
