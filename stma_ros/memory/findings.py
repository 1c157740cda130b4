"""What an experience tells about where things are: where they were found, where one looked for them in vain, and what
does not open."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ErrorCode
from stma_ros.types.experience import Experience, Finding, ReasonedStep
from stma_ros.types.planning import Action, Result
from stma_ros.types.scene_graph import Relation

_HOLDING = (words.IN, words.ON)


def findings(experience: Experience) -> tuple[Finding, ...]:
    """Returns the findings about the things that were taken or reported, in the order in which they were made, then
    about other things that were in or on something, and then about what was opened.

    A thing counts where it was first seen, before the robot moved it. A container was opened in vain for every kind of
    thing that was found only later, and elsewhere. What did not open counts once, and only if that lies in the thing
    itself: the grip may slip and the way be blocked anywhere.
    """
    steps = experience.steps
    graphs = [_Graph(step.graph) for step in steps]
    last = graphs[-1] if graphs else _Graph(())
    asked_for = {name for step in steps for name in _asked_for(step)}
    things = (_taken(graphs) | asked_for) & last.kinds.keys()
    first = {name: next(n for n, graph in enumerate(graphs) if name in graph.kinds) for name in things}
    made: list[Finding] = []
    for number, graph in enumerate(graphs):
        for name in sorted(name for name in things if first[name] == number):
            made.append(Finding(graph.kinds[name], *graph.place_of(name), found=True))
        later = {name: graphs[first[name]] for name in things if first[name] > number}
        made += _in_vain(steps[number], graph, later)
    return (*made, *_seen_besides(_Graph(experience.surroundings), things), *_opened(steps, graphs))


def _seen_besides(surroundings: _Graph, handled: Collection[str]) -> Iterator[Finding]:
    for name, kind in surroundings.kinds.items():
        if name not in handled and surroundings.is_placed(name):
            yield Finding(kind, *surroundings.place_of(name), found=True)


def _opened(steps: Sequence[ReasonedStep], graphs: Sequence[_Graph]) -> Iterator[Finding]:
    """Yields whether each door, container or other thing opened at last."""
    opened: dict[str, Finding] = {}
    for step, graph in zip(steps, graphs, strict=True):
        target = _target_of_opening(step.action)
        is_open = step.result == Result.SUCCEEDED
        if target in graph.kinds and (is_open or step.error.code == ErrorCode.NOT_OPENABLE):
            opened[target] = Finding("", graph.kinds[target], "", found=is_open)
    yield from opened.values()


def _taken(graphs: Sequence[_Graph]) -> set[str]:
    """Returns what the robot came to hold, whatever its world calls the action."""
    return {name for graph in graphs for name in graph.held} - (graphs[0].held if graphs else set())


def _asked_for(step: ReasonedStep) -> Iterable[str]:
    """Returns the thing that a skill takes or reports, even if the grip failed."""
    return step.action.arguments if step.action.skill in (words.SKILL_PICK, words.SKILL_REPORT) else ()


def _target_of_opening(action: Action) -> str:
    """Returns what an action opens; empty = nothing. Graphs do not tell: they may leave a container out until then."""
    if action.skill != words.SKILL_COMMAND:
        return action.target if action.skill == words.SKILL_OPEN else ""
    verb, target, *_ = (*action.mentioned, "", "")
    return target if verb == words.SKILL_OPEN else ""


class _Graph:
    """The facts of one step by subject."""

    def __init__(self, facts: Sequence[Relation]) -> None:
        self.kinds = {fact.subject: fact.object for fact in facts if fact.predicate == words.IS_A}
        self._holders = {fact.subject: fact.object for fact in facts if fact.predicate in _HOLDING}
        self._rooms = {fact.subject: fact.object for fact in facts if fact.predicate == words.IN_ROOM}
        self.held = {fact.subject for fact in facts if fact.predicate == words.HELD_BY}

    def place_of(self, name: str) -> tuple[str, str]:
        """Returns the categories of the holder and of the room of a thing; empty = not known."""
        holder = self._holders.get(name, "")
        room = self._rooms.get(name) or self._rooms.get(holder, "")
        return self.kinds.get(holder, ""), self.kinds.get(room, "")

    def is_placed(self, name: str) -> bool:
        return name in self._holders

    def room_of(self, name: str) -> str:
        return self.kinds.get(self._rooms.get(name, ""), "")

    def holds(self, place: str, name: str) -> bool:
        """Returns whether a thing is in or on a place, or in or on something that is there."""
        passed: set[str] = set()
        while name in self._holders and name not in passed:
            passed.add(name)
            name = self._holders[name]
            if name == place:
                return True
        return False


def _in_vain(step: ReasonedStep, graph: _Graph, later: Mapping[str, _Graph]) -> Iterator[Finding]:
    """Yields a finding for each kind of thing of which none was in the container that a step opened.

    later: The graphs in which the things that are not seen yet are first seen.
    """
    target = _target_of_opening(step.action)
    if step.result != Result.SUCCEEDED or target not in graph.kinds:
        return
    kinds = {name: seen.kinds[name] for name, seen in later.items()}
    there = {kinds[name] for name, seen in later.items() if seen.holds(target, name)}
    for thing in sorted(set(kinds.values()) - there):
        yield Finding(thing, graph.kinds[target], graph.room_of(target), found=False)
