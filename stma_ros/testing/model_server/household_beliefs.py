"""Parses the beliefs of a household robot from their texts in prompts.

It is the inverse of the texts of `SymbolicRelationAggregator` and `SymbolicSummariser`; lines in other words are
ignored.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from stma_ros.domains.household.belief_index import REACH, id_order, kind_in_id
from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.summariser import FAILURE_TEXTS, SUCCESS_TEXTS
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.evidence import EvidenceSource
from stma_ros.types.planning import Action, Outcome, Result
from stma_ros.types.scene_graph import Relation, Route
from stma_ros.types.standard import Header, Time

_NOW = Time(2**31 - 1)
_LAST = 999_999_999  # nanoseconds of a time given in whole seconds

_HERE = re.compile(r"The robot is in (?P<room>\S+?)(?: \(.*\))?\.")
_CONTENTS = re.compile(r"(?P<room>\S+)(?: \((?P<kind>[^()]*)\))? contains (?P<things>.*)\.")
_HOMELESS = re.compile(r"In no known room: (?P<things>.*)\.")
_WITHIN_REACH = re.compile(r"^Within reach: (?P<things>.*)\.$", re.MULTILINE)
_PAIRS = re.compile(r"Next to each other: (?P<pairs>.*)\.")
_UNEXPLORED = re.compile(r"Unexplored, nearest first: (?P<things>.*)\.")
_UNCONFIRMED = re.compile(r"Not sure to be there, nearest first: (?P<things>.*)\.")
_AT_ONCE = "All of this was first seen at a single glance."
_NOTHING = "nothing that was seen"

_ITEM = re.compile(r"(?P<name>\S+?)(?: \((?P<kind>[^()]*)\))?(?: \[(?P<remarks>[^\]]*)\])?(?:, | and |\Z)")
_SIZE = re.compile(r"(\d+) cm")
_WAY = re.compile(r"(\d+\.\d) m")
_NO_WAY = "no way known"
_AREA = re.compile(r"(\d+\.\d) m2 unknown")
_SURE = re.compile(r"(\d+)% sure")
_MISSING = re.compile(rf"{words.STATE_MISSING} since (\d+) s")
_PERHAPS = re.compile(r"perhaps (.+) \((\d+)%\)")
_SEEMS = re.compile(rf"{words.SEEMS} (.+) \((\d+)%\)")
_INSIDE_UNSEEN = "inside not seen"
_TAKEN = re.compile(
    rf"({words.TAKEN_OUT_OF}|{words.TAKEN_OFF}|{words.TAKEN_FROM_BESIDE}|{words.TAKEN_FROM}) (\S+)"
)
_PLACE = re.compile(rf"({words.IN}|{words.ON}) (\S+)")
_PUT = re.compile(r"put on the floor next to (\S+)")

_EARLIER = re.compile(r"Earlier, after so many seconds: (?P<entries>.*)\.")
_ENTRY = re.compile(r"(?P<seconds>\d+) (?P<clause>.*)")
_STEP = re.compile(r"Step (?P<step>\d+), (?P<seconds>\d+) s: (?P<clause>.*)\.")
_FAILED = re.compile(r"tried (?P<action>.*?\)) in vain(?P<way> after [\d.]+ m)?: (?P<reason>.*)")
_STOPPED = re.compile(r"began (?P<action>.*?\)) and was stopped(?P<way> after [\d.]+ m)?")
_OTHER = re.compile(r"did (?P<action>.*)")
_ACTION = re.compile(r"(?P<skill>\w+)\((?P<arguments>.*)\)")
_DID = {
    skill: re.compile(re.escape(phrase).replace(r"\{held\}", ".+").replace(r"\{target\}", r"(\S+)"))
    for skill, phrase in SUCCESS_TEXTS.items()
}
_REASONS = {phrase: code for code, phrase in FAILURE_TEXTS.items()} | {
    code.name.lower().replace("_", " "): code for code in ErrorCode if code not in FAILURE_TEXTS
}


def read_action(text: str) -> Action:
    """Parses the text of `str(Action)`; any other text becomes the name of an unknown skill."""
    match = _ACTION.fullmatch(text.strip())
    if match is None:
        return Action(text.strip())
    return Action(match["skill"], tuple(match["arguments"].split(", ")) if match["arguments"] else ())


def read_spatial(text: str) -> SpatialBelief:
    """Parses a spatial belief.

    A text gives times only for objects that are missing; all other facts get the latest possible time.
    """
    return _SpatialParser(text).belief()


class _SpatialParser:
    """Collects the facts in the lines of a text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._facts: list[Relation] = []
        self._lengths: dict[str, float] = {}
        self._holders: dict[str, str] = {}
        self._at_once = _AT_ONCE in text
        listed = _WITHIN_REACH.search(text)
        self._reach = {name for name, _, _ in _items(listed["things"])} if listed else set()

    def belief(self) -> SpatialBelief:
        here = ""
        for line in self._text.split("\n"):
            if match := _HERE.fullmatch(line):
                here = match["room"]
            elif match := _HOMELESS.fullmatch(line):
                self._things("", match["things"])
            elif match := _PAIRS.fullmatch(line):
                self._neighbours(match["pairs"])
            elif match := _UNEXPLORED.fullmatch(line):
                self._frontiers(match["things"])
            elif match := _UNCONFIRMED.fullmatch(line):
                self._unconfirmed(match["things"])
            elif match := _CONTENTS.fullmatch(line):
                if match["kind"]:
                    self._add(match["room"], words.IS_A, match["kind"])
                self._things(match["room"], match["things"])
        for name in sorted(self._reach, key=id_order):
            self._add(words.ROBOT, words.NEAR, name)
        return SpatialBelief(
            room=here, facts=tuple(self._facts), routes=tuple(self._routes()), text=self._text
        )

    def _add(
        self,
        subject: str,
        predicate: str,
        item: str,
        confidence: float = 1.0,
        first_seen: Time = Time(),
        last_seen: Time = Time(),
    ) -> None:
        self._facts.append(
            Relation(
                subject, predicate, item, confidence=confidence, first_seen=first_seen, last_seen=last_seen
            )
        )

    def _things(self, room: str, listed: str) -> None:
        if listed == _NOTHING:
            return
        for name, kind, remarks in _items(listed):
            first = Time() if self._at_once else Time(0, len(self._facts))
            last = first if "seen once" in remarks else _NOW
            if _INSIDE_UNSEEN in remarks:
                last = max(first, Time(0, 1 + len(self._facts)))
            sure = next((int(match[1]) / 100 for match in map(_SURE.fullmatch, remarks) if match), 1.0)
            self._add(name, words.IS_A, kind, sure, first, last)
            if room:
                self._add(name, words.IN_ROOM, room)
            for remark in remarks:
                self._remark(name, remark)

    def _remark(self, name: str, remark: str) -> None:
        if remark in words.STATE_DIMENSION:
            self._add(name, words.STATE, remark, 1.0, _NOW, _NOW)
        elif remark == _INSIDE_UNSEEN:
            self._facts[-1] = replace(
                self._facts[-1], source=EvidenceSource.OWN_ACTION
            )  # the state before it
        elif match := _PERHAPS.fullmatch(remark):
            self._add(name, words.STATE, match[1], int(match[2]) / 100, _NOW, _NOW)
        elif household_categories().colour(remark):
            self._add(name, words.COLOUR, remark)
        elif remark == "in the robot's hand":
            self._add(name, words.HELD_BY, words.ROBOT)
        elif match := _MISSING.fullmatch(remark):
            since = Time(int(match[1]), _LAST)
            self._add(name, words.STATE, words.STATE_MISSING, 1.0, since, since)
        elif match := _TAKEN.fullmatch(remark):
            self._add(name, match[1], match[2])
        elif match := _PLACE.fullmatch(remark):
            self._add(name, match[1], match[2])
            self._holders[name] = match[2]
        elif match := _PUT.fullmatch(remark):
            self._add(name, words.NEAR, match[1])
            self._facts[-1] = replace(self._facts[-1], source=EvidenceSource.OWN_ACTION)
        elif match := _SIZE.fullmatch(remark):
            self._add(name, words.SIZE, f"{int(match[1]) / 100:.2f}")
        else:
            self._way(name, remark)

    def _way(self, name: str, remark: str) -> None:
        if match := _WAY.fullmatch(remark):
            self._lengths[name] = float(match[1])
        elif remark == _NO_WAY:
            self._lengths[name] = math.nan

    def _neighbours(self, pairs: str) -> None:
        for pair in pairs.split("; "):
            name, _, others = pair.partition(" and ")
            for other in others.split(", "):
                self._add(name, words.NEAR, other)

    def _frontiers(self, listed: str) -> None:
        for name, _, remarks in _items(listed):
            self._add(name, words.IS_A, words.FRONTIER)
            for remark in remarks:
                self._way(name, remark)
                if match := _AREA.fullmatch(remark):
                    self._add(name, words.UNKNOWN_AREA, match[1])
                elif match := _PLACE.fullmatch(remark):
                    self._add(name, words.IN_ROOM, match[2])

    def _unconfirmed(self, listed: str) -> None:
        for name, _, remarks in _items(listed):
            for remark in remarks:
                if match := _SEEMS.fullmatch(remark):
                    self._add(name, words.SEEMS, match[1], int(match[2]) / 100)
                elif match := _PLACE.fullmatch(remark):
                    self._add(name, words.IN_ROOM, match[2])
                elif household_categories().colour(remark):
                    self._add(name, words.COLOUR, remark)
                else:
                    self._way(name, remark)

    def _routes(self) -> Iterator[Route]:
        """Yields the routes to objects.

        Objects without a length in the text: within reach it is 0, and for objects in or on another one it is the
        length of the way to that one.
        """
        lengths = dict.fromkeys(self._reach, 0.0) | self._lengths
        for name, holder in self._holders.items():
            if name not in lengths and holder in lengths:
                lengths[name] = lengths[holder]
        for name, length in lengths.items():
            # Lengths are rounded to 0.1 m: objects not listed as within reach are farther than that.
            near = name in self._reach or math.isnan(length)
            yield Route(target=name, length=length if near else max(length, REACH + 0.01))


def _items(listed: str) -> Iterator[tuple[str, str, list[str]]]:
    """Yields id, category and remarks of the objects in a list."""
    for match in _ITEM.finditer(listed):
        kind = match["kind"] or kind_in_id(match["name"])
        yield match["name"], kind, match["remarks"].split(", ") if match["remarks"] else []


def read_temporal(text: str) -> TemporalBelief:
    """Parses the outcomes of a temporal belief; those in the list of earlier ones have step 0."""
    completed: list[Outcome] = []
    for line in text.split("\n"):
        if match := _EARLIER.fullmatch(line):
            for entry in filter(None, map(_ENTRY.fullmatch, match["entries"].split("; "))):
                completed.append(_outcome(entry["clause"], 0, _stamp(entry["seconds"], completed)))
        elif match := _STEP.fullmatch(line):
            stamp = _stamp(match["seconds"], completed)
            completed.append(_outcome(match["clause"], int(match["step"]), stamp))
    return TemporalBelief(completed=tuple(completed), text=text)


def _stamp(seconds: str, before: Sequence[Outcome]) -> Time:
    """Returns a stamp that preserves the order of actions within one second."""
    return Time(int(seconds), len(before))


def _outcome(clause: str, step: int, stamp: Time) -> Outcome:
    result, error, distance = Result.SUCCEEDED, Error(), 0.0
    if match := _FAILED.fullmatch(clause):
        result, error = Result.FAILED, _error(match["reason"])
    elif match := _STOPPED.fullmatch(clause):
        result = Result.CANCELED
    if match is not None:
        action, distance = read_action(match["action"]), float(bool(match["way"]))
    else:
        action = _done(clause)
    return Outcome(
        header=Header(stamp),
        request_id=f"step {step}",
        task_id="",
        step=step,
        action=action,
        result=result,
        error=error,
        distance=distance,
    )


def _done(clause: str) -> Action:
    for skill, pattern in _DID.items():
        if match := pattern.fullmatch(clause):
            return Action(skill, match.groups())
    other = _OTHER.fullmatch(clause)
    return read_action(other["action"] if other else clause)


def _error(reason: str) -> Error:
    phrase = max((phrase for phrase in _REASONS if reason.startswith(phrase)), key=len, default="")
    code = _REASONS.get(phrase, ErrorCode.WORLD_FAILED)
    text = reason.removeprefix(phrase).strip()
    return Error(code, text.removeprefix("(").removesuffix(")") or reason)
