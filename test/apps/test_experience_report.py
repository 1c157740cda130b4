"""Tests of what the report shows of experiences: what was retrieved, and how the task was judged."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stma_ros.apps.report.collect import collect
from stma_ros.apps.report.experience_cards import MAX_RETRIEVED, ExperienceSection, experience_section
from stma_ros.apps.report.render import render_report
from stma_ros.types import topics
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.experience import Experiences, JudgedTask, RetrievedExperience, RuleOfThumb
from stma_ros.types.message import Message
from stma_ros.types.planning import Plan, Task
from stma_ros.types.stepped import StepStamp
from support.apps.page_reader import Balance
from support.experiences.made import made

TASK = topics.TASK, Task(task_id="task_1", text="put the mug away")


def _at(step: int) -> StepStamp:
    return StepStamp(task_id="task_1", step=step)


def _used(step: int, *similar: tuple[str, float], **changes: object) -> tuple[str, Message]:
    retrieved = tuple(
        RetrievedExperience(
            experience=made(id=name), similarity=value, task_similarity=1.0, graph_similarity=2 * value - 1
        )
        for name, value in similar
    )
    return topics.EXPERIENCES, Experiences(at=_at(step), retrieved=retrieved, **changes)  # type: ignore[arg-type]


def _judged(**changes: object) -> tuple[str, Message]:
    fields = {"experience": made(), "kept": True, **changes}
    return topics.JUDGED_TASK, JudgedTask(task_id="task_1", **fields)  # type: ignore[arg-type]


def _section(*messages: tuple[str, Message]) -> ExperienceSection:
    section = experience_section(collect([TASK, *messages]).tasks[0])
    assert section is not None
    return section


def test_agent_without_experiences_has_no_section() -> None:
    run = collect([TASK, (topics.PLAN, Plan(at=_at(0), subgoal="look"))]).tasks[0]
    assert experience_section(run) is None


def test_experience_is_shown_once_with_its_steps_and_its_greatest_similarity() -> None:
    section = _section(_used(0, ("a", 0.5), ("b", 0.75)), _used(1, ("a", 0.875)), _used(2))
    assert [(card.steps, card.similarity) for card in section.retrieved] == [
        ("2 steps, 0 to 1", "0.88 (task 1.00, scene 0.75)"),
        ("step 0", "0.75 (task 1.00, scene 0.50)"),
    ]
    assert section.retrieved[0].about == "succeeded, score 0.50, by robot_1"
    assert section.retrieved[0].actions[0] == ("pick(mug_1)", "The mug is on the table.")


def test_many_experiences_are_counted_beyond_the_most_similar_ones() -> None:
    section = _section(_used(0, *((str(k), k / 100) for k in range(MAX_RETRIEVED + 3))))
    assert len(section.retrieved) == MAX_RETRIEVED
    assert section.left_out == 3
    assert section.retrieved[-1].similarity.startswith("0.03")


def test_rules_of_thumb_are_those_of_the_last_step() -> None:
    first = RuleOfThumb(thing="mug", place="cupboard", found=1, looked=1)
    last = replace(first, looked=2)
    assert _section(_used(0, rules=(first,)), _used(1, rules=(last,))).rules == (str(last),)


@pytest.mark.parametrize(
    ("kept", "verdict"), [(True, "kept, with a score of 0.50"), (False, "not kept, with a score of 0.50")]
)
def test_judged_task_shows_its_score_and_marks_poor_steps(kept: bool, verdict: str) -> None:
    section = _section(_judged(kept=kept))
    assert section.verdict == verdict
    assert [(row.score, row.is_poor) for row in section.steps] == [("0.25", True), ("", False)]
    assert section.steps[0].justification == "It was too far away."


def test_problems_are_told_once() -> None:
    gone = Error(ErrorCode.MEMORY_UNREADABLE, "the store is gone")
    section = _section(_used(0, error=gone), _used(1, error=gone), _judged(kept=False, error=gone))
    assert section.problems == ("the store is gone",)
    assert section.verdict == "not kept"


def test_page_shows_the_section_and_hostile_texts_as_texts() -> None:
    hostile = made(task="<script>alert(1)</script>", justification="</section><b>")
    page = render_report([TASK, _used(0, ("a", 0.5)), _judged(experience=hostile)], "run-1", {})
    assert "<h3>Experience</h3>" in page
    assert "&lt;/section&gt;&lt;b&gt;" in page
    assert "<script>" not in page
    checker = Balance()
    checker.feed(page)
    assert checker.open == []
