"""What an experience tells about where things are: where they were found, where one looked for them in vain, and what
does not open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ErrorCode
from stma_ros.types.experience import Experience, Finding, ReasonedStep
from stma_ros.types.planning import Result
from stma_ros.types.scene_graph import Relation

_HOLDING = (words.IN, words.ON)
_SKILLS = {"grab": words.SKILL_PICK, "open": words.SKILL_OPEN}  # by the verb of a command


def findings(experience: Experience) -> tuple[Finding, ...]:
    """Returns the findings about the things that were taken or reported, in the order in which they were made, and then
    about what was opened.

    A thing counts where it was first seen, before the robot moved it. A container was opened in vain for every thing
    that was found only later. What did not open counts once, and only if that lies in the thing itself: the grip may
    slip and the way be blocked anywhere.
    """
    last = _Graph(experience.final_graph)
    things = {name for step in experience.steps for name in _meant(step)} & last.kinds.keys()
    seen: dict[str, Finding] = {}
    made: list[Finding] = []
    for step in experience.steps:
        graph = _Graph(step.graph)
        for name in sorted(things & graph.kinds.keys() - seen.keys()):
            seen[name] = Finding(graph.kinds[name], *graph.place_of(name), found=True)
            made.append(seen[name])
        missing = {last.kinds[name] for name in things - seen.keys()}
        made += _in_vain(step, graph, missing)
    return (*made, *_opened(experience.steps))


def _opened(steps: Iterable[ReasonedStep]) -> Iterator[Finding]:
    """Yields whether each door, container or other thing opened at last."""
    opened: dict[str, Finding] = {}
    for step in steps:
        skill, targets = _skill(step)
        is_open = step.result == Result.SUCCEEDED
        if skill == words.SKILL_OPEN and (is_open or step.error.code == ErrorCode.NOT_OPENABLE):
            kinds = _Graph(step.graph).kinds
            for target in targets:
                if target in kinds:
                    opened[target] = Finding("", kinds[target], "", found=is_open)
    yield from opened.values()


def _meant(step: ReasonedStep) -> Iterable[str]:
    """Returns the thing that the task asked for, if a step takes or reports one."""
    skill, arguments = _skill(step)
    return arguments if skill in (words.SKILL_PICK, words.SKILL_REPORT) else ()


def _skill(step: ReasonedStep) -> tuple[str, Sequence[str]]:
    """Returns the skill and the arguments of a step; those that the command of a world of text stands for."""
    if step.action.skill != words.SKILL_COMMAND:
        return step.action.skill, step.action.arguments
    verb, *names = str(step.action).split() or [""]
    return _SKILLS.get(verb, ""), names


class _Graph:
    """The facts of one step by subject."""

    def __init__(self, facts: Sequence[Relation]) -> None:
        self.kinds = {fact.subject: fact.object for fact in facts if fact.predicate == words.IS_A}
        self._holders = {fact.subject: fact.object for fact in facts if fact.predicate in _HOLDING}
        self._rooms = {fact.subject: fact.object for fact in facts if fact.predicate == words.IN_ROOM}

    def place_of(self, name: str) -> tuple[str, str]:
        """Returns the categories of the holder and of the room of a thing; empty = not known."""
        holder = self._holders.get(name, "")
        room = self._rooms.get(name) or self._rooms.get(holder, "")
        return self.kinds.get(holder, ""), self.kinds.get(room, "")

    def room_of(self, name: str) -> str:
        return self.kinds.get(self._rooms.get(name, ""), "")


def _in_vain(step: ReasonedStep, graph: _Graph, missing: Iterable[str]) -> Iterator[Finding]:
    """Yields a finding for each thing that is still missing after a container was opened."""
    skill, arguments = _skill(step)
    if skill == words.SKILL_OPEN and step.result == Result.SUCCEEDED and arguments:
        target = arguments[0]
        place = graph.kinds.get(target, "")
        for thing in sorted(missing if place else ()):
            yield Finding(thing, place, graph.room_of(target), found=False)
