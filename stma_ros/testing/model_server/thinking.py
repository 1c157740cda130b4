"""Parses the questions to thinkers and judges from their text, and makes the replies that a model would give."""

from __future__ import annotations

import re
from collections.abc import Iterator

from stma_ros.roles.judge import BEST, JudgedStep, Judgement, JudgementReply, JudgeQuery, Score, ScoreReply
from stma_ros.roles.planner import PlanAnswer
from stma_ros.roles.thinker import ThinkQuery, ThoughtReply
from stma_ros.testing.model_server.decision_prompts import Parsers, failure_name, plan_query_of
from stma_ros.testing.model_server.sections import UnreadableQuestionError, required, sections
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.experience import RuleOfThumb
from stma_ros.types.planning import Result

_THINK_HEADINGS = (
    "Task: ",
    "Reasoning:\n",
    "Picture:\n",
    "What happened:\n",
    "Where things are:\n",
    "Scene graph:\n",
    "Experiences:\n",
    "Rules of thumb:\n",
    "Now:\n",
    "Allowed:\n",
    "The last action was dropped:\n",
    "Rejected:\n",
)
_RULE = re.compile(
    r"(?P<thing>.+): (in or on a (?P<place>.+?)|on the floor, or nobody knows where)( in a (?P<room>.+))?, "
    r"(?P<found>\d+) of (?P<looked>\d+) times"
)
_OPENING = re.compile(r"a (?P<place>.+) could be opened (?P<found>\d+) of (?P<looked>\d+) times")
_STEP = re.compile(
    r"^\d+\. (?P<action>.+)\nReason: (?P<reason>.*)(\n(?P<end>Done|Stopped|Failed: .*))?$",
    re.MULTILINE,
)
_RESULTS = {"Done": Result.SUCCEEDED, "Stopped": Result.CANCELED}


def think_query(question: str, parsers: Parsers) -> ThinkQuery:
    """Parses a question to the thinker. Scene graph and experiences are left out: the rules do not read them.

    Raises:
        UnreadableQuestionError: A required section is missing, or a rule of thumb cannot be read.
    """
    parts = sections(question, _THINK_HEADINGS)
    plan = plan_query_of(parts, parsers, "The last action was dropped")
    return ThinkQuery(**vars(plan), rules=tuple(_rules(parts.get("Rules of thumb", ""))))


def _rules(text: str) -> Iterator[RuleOfThumb]:
    for line in text.splitlines():
        match = _RULE.fullmatch(line) or _OPENING.fullmatch(line)
        if match is None:
            raise UnreadableQuestionError(f"this is no rule of thumb: {line!r}")
        told = match.groupdict("")
        yield RuleOfThumb(
            thing=told.get("thing", ""),
            place=told["place"],
            room=told.get("room", ""),
            found=int(told["found"]),
            looked=int(told["looked"]),
        )


def thought_reply(answer: PlanAnswer) -> ThoughtReply:
    """Returns the reply of a model that gives this answer."""
    return ThoughtReply(answer.reasoning, "", answer.subgoal, str(answer.actions[0]), failure_name(answer))


def judge_query(question: str, parsers: Parsers) -> JudgeQuery:
    """Parses a question to the judge.

    Raises:
        UnreadableQuestionError: A required section is missing.
    """
    parts = sections(question, ("Task: ", "Steps:\n", "Judge:\n"))
    steps = tuple(
        JudgedStep(
            "" if match["reason"] == "none" else match["reason"],
            parsers.action(match["action"]),
            *_ending(match["end"] or ""),
        )
        for match in _STEP.finditer(required(parts, "Steps"))
    )
    if not steps:
        raise UnreadableQuestionError("there is no step to judge")
    return JudgeQuery(required(parts, "Task"), steps, stepwise=not parts.get("Judge"))


def _ending(text: str) -> tuple[Result, Error]:
    """Returns how an action ended, as its line says; nothing is known without one."""
    if text.startswith("Failed: "):
        return Result.FAILED, Error(ErrorCode.NO_EFFECT, text.removeprefix("Failed: "))
    return _RESULTS.get(text, Result.UNKNOWN), Error()


def judgement_reply(answer: Judgement) -> JudgementReply:
    """Returns the reply of a model that gives this answer, in whole numbers."""
    return JudgementReply(list(map(_score_reply, answer.steps)), _score_reply(answer.whole))


def _score_reply(score: Score) -> ScoreReply:
    return ScoreReply(score.justification, int(score.value * BEST))
