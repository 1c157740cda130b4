"""Tests of what is drawn of experiences: the page of a step, and the log."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stma_ros.types import topics
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.experience import Experiences, JudgedTask, RetrievedExperience, RuleOfThumb
from stma_ros.types.message import Message
from stma_ros.types.stepped import StepStamp
from stma_ros.visual import paths
from stma_ros.visual.drawables import Level, Remark, Text
from stma_ros.visual.scene_builder import LOOKED_AT, SceneBuilder
from support.experiences.made import made

_AT = StepStamp(task_id="1", step=4)
_SIMILAR = RetrievedExperience(experience=made(), similarity=0.75, task_similarity=1.0, graph_similarity=0.5)
_RULE = RuleOfThumb(thing="mug", place="cupboard", room="kitchen", found=2, looked=3)
_UNREACHABLE = Error(ErrorCode.MEMORY_UNREADABLE, "the server\ndoes not answer")


def _drawn(topic: str, message: Message) -> list[tuple[str, object]]:
    assert topic in LOOKED_AT
    return [(drawn.path, drawn.thing) for drawn in SceneBuilder().take(topic, message)]


def _page(message: Experiences) -> str:
    ((_, page),) = [one for one in _drawn(topics.EXPERIENCES, message) if one[0] == paths.EXPERIENCES]
    assert isinstance(page, Text)
    return page.markdown


def test_page_shows_similar_tasks_with_their_actions_and_the_rules_of_thumb() -> None:
    page = _page(Experiences(at=_AT, retrieved=(_SIMILAR,), rules=(_RULE,)))
    assert "#### step 4" in page
    assert "**put the mug into the sink** succeeded, score 0.50, by robot\\_1 (0.75 similar" in page
    assert "1. `pick(mug_1)`\n2. `finish()`" in page
    assert "- mug: in or on a cupboard in a kitchen, 2 of 3 times" in page
    assert "no similar task" in _page(Experiences(at=_AT, rules=(_RULE,)))


def test_texts_of_experiences_are_shown_as_they_are() -> None:
    hostile = replace(_SIMILAR, experience=made(task="# [click](http://x)\n**put** the mug away"))
    page = _page(Experiences(at=_AT, retrieved=(hostile,)))
    assert r"\# \[click\](http://x) \*\*put\*\* the mug away" in page


def test_step_without_experiences_says_why() -> None:
    message = Experiences(at=_AT, error=_UNREACHABLE)
    assert "**no experiences**: the server does not answer" in _page(message)
    remark = Remark("experiences, step 4: none: the server does not answer", Level.WARNING)
    assert (paths.EXPERIENCES_LOG, remark) in _drawn(topics.EXPERIENCES, message)


@pytest.mark.parametrize(
    ("judged", "line", "level"),
    [
        (JudgedTask(experience=made(), kept=True), "kept, score 0.50: It worked at last.", Level.GOOD),
        (JudgedTask(experience=made()), "not kept, score 0.50: It worked at last.", Level.INFO),
        (
            JudgedTask(experience=made(), error=_UNREACHABLE),
            "not kept: the server does not answer",
            Level.WARNING,
        ),
    ],
)
def test_log_says_whether_a_task_was_kept_and_why(judged: JudgedTask, line: str, level: Level) -> None:
    assert _drawn(topics.JUDGED_TASK, judged) == [(paths.EXPERIENCES_LOG, Remark(f"judge: {line}", level))]
