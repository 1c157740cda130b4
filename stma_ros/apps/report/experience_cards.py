"""What a task had from experiences, and how it was judged as one."""

from __future__ import annotations

import math
from dataclasses import dataclass

from stma_ros.apps.report.task_run import TaskRun
from stma_ros.types.experience import Experience, JudgedTask, RetrievedExperience

_POOR = 0.6  # scores below are marked

MAX_RETRIEVED = 12
"""Experiences that are shown, the most similar ones."""


@dataclass(frozen=True)
class RetrievedCard:
    """An experience for the template.

    Attributes:
        task: its text.
        about: how it ended, its score, and by whom it was made.
        similarity: the greatest in the task, with its parts.
        steps: the steps at which it was retrieved.
        actions: each with its reason.
    """

    task: str
    about: str
    similarity: str
    steps: str
    actions: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class JudgedStepRow:
    """The score of a step. score: empty if the plan was judged as a whole."""

    action: str
    rationale: str
    score: str
    is_poor: bool
    justification: str


@dataclass(frozen=True)
class ExperienceSection:
    """The section of a task.

    Attributes:
        retrieved: the experiences that were used, the most similar first.
        left_out: number of further ones.
        rules: rules of thumb, as sentences.
        problems: why there were none at some step, what of a scene graph was not compared, or why the task was not
            kept, each once.
        verdict: whether the task was kept, and with what score; empty = it was not judged.
        justification: of the score.
        steps: their scores.
    """

    retrieved: tuple[RetrievedCard, ...]
    left_out: int
    rules: tuple[str, ...]
    problems: tuple[str, ...]
    verdict: str
    justification: str
    steps: tuple[JudgedStepRow, ...]


def experience_section(run: TaskRun) -> ExperienceSection | None:
    """Returns the section of a task; None if its agent has no memory of experiences."""
    used = [step.experiences for step in run.ordered_steps if step.experiences is not None]
    if not used and run.judged is None:
        return None
    best: dict[str, RetrievedExperience] = {}
    steps: dict[str, list[int]] = {}
    for message in used:
        for each in message.retrieved:
            name = each.experience.id
            if name not in best or each.similarity > best[name].similarity:
                best[name] = each
            steps.setdefault(name, []).append(message.step)
    ranked = sorted(best.values(), key=lambda each: (-each.similarity, each.experience.id))
    judged = run.judged
    errors = [message.error.text for message in used if message.error]
    unread = max((message.unread_tokens for message in used), default=0)
    errors += [f"up to {unread} tokens of the scene graph were beyond the encoder's limit"] if unread else []
    errors += [judged.error.text] if judged is not None and judged.error else []
    return ExperienceSection(
        tuple(_card(each, steps[each.experience.id]) for each in ranked[:MAX_RETRIEVED]),
        max(len(ranked) - MAX_RETRIEVED, 0),
        tuple(map(str, used[-1].rules)) if used else (),
        tuple(dict.fromkeys(errors)),
        _verdict(judged),
        judged.experience.justification if judged is not None else "",
        _rows(judged.experience) if judged is not None else (),
    )


def _card(each: RetrievedExperience, steps: list[int]) -> RetrievedCard:
    known = each.experience
    by = f", by {known.robot}" if known.robot else ""
    span = f"step {steps[0]}" if len(steps) == 1 else f"{len(steps)} steps, {steps[0]} to {steps[-1]}"
    return RetrievedCard(
        known.task,
        f"{known.status.name.lower()}, score {known.score:.2f}{by}",
        f"{each.similarity:.2f} (task {each.task_similarity:.2f}, scene {each.graph_similarity:.2f})",
        span,
        tuple((str(step.action), step.rationale) for step in known.steps),
    )


def _verdict(judged: JudgedTask | None) -> str:
    if judged is None:
        return ""
    if judged.error:
        return "not kept"
    return f"{'kept' if judged.kept else 'not kept'}, with a score of {judged.experience.score:.2f}"


def _rows(experience: Experience) -> tuple[JudgedStepRow, ...]:
    return tuple(
        JudgedStepRow(
            str(step.action),
            step.rationale,
            "" if math.isnan(step.score) else f"{step.score:.2f}",
            step.score < _POOR,
            step.justification,
        )
        for step in experience.steps
    )
