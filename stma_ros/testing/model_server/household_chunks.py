"""Parses the history of a household robot that is divided by subgoals from its text in prompts.

It is the inverse of `memory.working.chunk_text` for the actions of robots, and of the summaries of
`HouseholdObservationSummariser`; lines in other words are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from stma_ros.roles.task_parser import READING
from stma_ros.testing.model_server import household_beliefs, subgoal_roles
from stma_ros.types.action_model import ActionModel
from stma_ros.types.belief import SubgoalChunk, TemporalBelief
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Outcome, Result
from stma_ros.types.sensing import Observation
from stma_ros.types.standard import Header, Time

_LINE = re.compile(r"^(?P<head>Action|Done|Failed|Stopped|Observation): (?P<text>.*)$", re.MULTILINE)
_ENDED = re.compile(
    r"step (?P<step>\d+), (?P<seconds>\d+) s(?:, after (?P<metres>\d+\.\d) m)?"
    r"(?:: (?P<code>[a-z_ ]+)(?: \((?P<more>.*)\))?)?"
)
_RESULTS = {"Done": Result.SUCCEEDED, "Failed": Result.FAILED, "Stopped": Result.CANCELED}
_CODES = {code.name.lower().replace("_", " "): code for code in ErrorCode}
_TOUCHED, _HOLDS = "The robot touched something.", "Something is in the hand."

_SENTENCE = re.compile(
    r" (?=Earlier, after so many seconds: |Step \d+, \d+ s: |In the hand: |Noticed: step |Progress: \d|Advice: )"
)
"""Where a line of a summary begins, once all of them are brought into one."""


def read_records(text: str, model: ActionModel = ActionModel()) -> Iterator[Observation]:
    """Yields the records in a text: actions, how they ended, and what was noticed."""
    record: Observation | None = None
    for match in _LINE.finditer(text):
        head, said = match["head"], match["text"]
        if head == "Action" or record is None:
            if record is not None:
                yield record
            record = Observation(action_model=model)
        if head == "Action":
            outcome = Outcome(request_id="read", action=household_beliefs.read_action(said))
            record = replace(record, last_outcome=outcome)
        elif head == "Observation":
            record = replace(record, bumper=_TOUCHED in said, holding=_HOLDS in said)
        elif (ended := _ENDED.fullmatch(said)) is not None:
            outcome = _ended(record.last_outcome, _RESULTS[head], ended)
            record = replace(record, step=outcome.step, last_outcome=outcome)
    if record is not None:
        yield record


def _ended(outcome: Outcome, result: Result, match: re.Match[str]) -> Outcome:
    error = Error()
    if result == Result.FAILED:
        error = Error(_CODES.get(match["code"] or "", ErrorCode.WORLD_FAILED), match["more"] or "")
    return replace(
        outcome,
        header=Header(Time(int(match["seconds"]))),
        request_id=f"step {match['step']}",
        step=int(match["step"]),
        result=result,
        error=error,
        distance=float(match["metres"] or 0.0),
    )


def read_temporal(text: str) -> TemporalBelief:
    """Parses a temporal belief; the newest subgoal is the present one."""
    chunks = subgoal_roles.read_chunks(text)
    told = [outcome for chunk in chunks for outcome in outcomes_told(chunk)]
    shown = [record.last_outcome for record in read_records(text) if record.last_outcome.step]
    return TemporalBelief(
        subgoal=chunks[-1].subgoal if chunks else "",
        completed=tuple(_in_order(told, shown)),
        observations=tuple(line for line in text.split("\n") if line.startswith(READING)),
        chunks=chunks,
        text=text,
    )


def outcomes_told(chunk: SubgoalChunk) -> tuple[Outcome, ...]:
    """Returns the outcomes that a summary tells; those before its subgoal have step 0."""
    return household_beliefs.read_temporal(_SENTENCE.sub("\n", chunk.observation)).completed


def _in_order(told: Iterable[Outcome], shown: Iterable[Outcome]) -> Iterator[Outcome]:
    """Yields outcomes in the order of their times, without those that are told and shown as well.

    Times are in whole seconds; their nanoseconds preserve the order within a second.
    """
    shown = tuple(shown)
    known = {(outcome.header.stamp.sec, outcome.action) for outcome in shown}
    others = (each for each in told if (each.header.stamp.sec, each.action) not in known)
    ordered = sorted((*others, *shown), key=lambda outcome: outcome.header.stamp.sec)
    for number, outcome in enumerate(ordered):
        yield replace(outcome, header=Header(Time(outcome.header.stamp.sec, number)))
