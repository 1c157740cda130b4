"""The typed question and the typed answer of every role.

An answer follows from its question alone: a role keeps no state between calls, and the question holds exactly
what a prompt would show. Every role may raise RoleError when it has no usable answer; those that read the
task's text may raise TaskNotUnderstoodError.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from stma_ros.types.belief import SpatialBelief, Summary, TemporalBelief
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Action, Criterion, TaskStatus, Verdict
from stma_ros.types.scene_graph import Route, Triple
from stma_ros.types.sensing import Observation


@dataclass(frozen=True)
class SummariseQuery:
    """`previous`: the summary so far. `records`: the history buffer, oldest first; each observation carries
    the outcome of the action before it. The last `fresh` records are not in `previous` yet. `subgoals`: what the
    action before each record served; empty before the first plan."""

    task: str
    previous: Summary
    records: tuple[Observation, ...]
    fresh: int
    subgoals: tuple[str, ...] = ()


class SummariserRole(Protocol):
    def summarise(self, query: SummariseQuery) -> Summary:
        """Fold the fresh records into the summary."""
        ...


@dataclass(frozen=True)
class RelationQuery:
    """`since`: what was seen at earlier steps has been told of already; it may be left out."""

    temporal: TemporalBelief
    since: int = 0


@dataclass(frozen=True)
class Relations:
    """Facts in terms of `types.vocabulary`; each takes the place of those that it excludes (a thing is at one place, a
    door open or closed). `steps`: where the answer does not say at what time each of them was seen, at which step.
    `complete`: the rooms that were seen whole, and at which step last; what else was believed to be there then, or to
    lead out of there, is not."""

    triples: tuple[Triple, ...] = ()
    steps: tuple[int, ...] = ()
    complete: Mapping[str, int] = field(default_factory=dict)


class RelationRetrieverRole(Protocol):
    def retrieve_relations(self, query: RelationQuery) -> Relations:
        """What follows for the world from what was done."""
        ...


@dataclass(frozen=True)
class AggregateQuery:
    """`room`: id of the room the robot is in, empty = not known. Facts and routes as in SpatialBelief."""

    room: str
    facts: tuple[Triple, ...]
    routes: tuple[Route, ...]


@dataclass(frozen=True)
class Description:
    """`text`: all of it. `facts`, `routes`: what follows from the facts that were given; empty where the routes were
    given, from a map."""

    text: str
    facts: tuple[Triple, ...] = ()
    routes: tuple[Route, ...] = ()


class RelationAggregatorRole(Protocol):
    def aggregate_relations(self, query: AggregateQuery) -> Description:
        """Facts and routes in plain English, with what follows from them."""
        ...


@dataclass(frozen=True)
class PlanQuery:
    """`observation`: what a text world says now. `feedback`: why the last plan was dropped; empty = none was.
    `rejected`: refused by the critic at this step."""

    task: str
    temporal: TemporalBelief
    spatial: SpatialBelief
    allowed_actions: tuple[Action, ...]
    feedback: str = ""
    rejected: tuple[Action, ...] = ()
    observation: str = ""


@dataclass(frozen=True)
class PlanAnswer:
    """At least one action. `reasoning`: for people; with `report`, `finish` and `give_up` it is the task's answer.
    `failure`, with `give_up`: what kind of failure it is (NONE: the target was not found)."""

    subgoal: str
    actions: tuple[Action, ...]
    reasoning: str
    failure: ErrorCode = ErrorCode.NONE


class PlannerRole(Protocol):
    def plan(self, query: PlanQuery) -> PlanAnswer:
        """The next subgoal and the actions toward it, the first of which is among the allowed ones."""
        ...


@dataclass(frozen=True)
class CritiqueQuery:
    task: str
    subgoal: str
    action: Action
    allowed_actions: tuple[Action, ...]
    temporal: TemporalBelief
    spatial: SpatialBelief
    observation: str = ""


@dataclass(frozen=True)
class CritiqueAnswer:
    """`criterion`: the first one not met; `reason`: feedback for the planner. NONE, empty: accepted."""

    verdict: Verdict
    criterion: Criterion = Criterion.NONE
    reason: str = ""


class CriticRole(Protocol):
    def criticise(self, query: CritiqueQuery) -> CritiqueAnswer:
        """Whether the action should be done now."""
        ...


@dataclass(frozen=True)
class ReflectQuery:
    """A task that did not succeed. `summary`: what is remembered of it; `status`, `error`: how it ended; `earlier`:
    what was learnt from attempts before it, oldest first."""

    task: str
    summary: Summary
    status: TaskStatus
    error: Error
    earlier: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reflection:
    """`text`: what the next attempt should know, in plain English."""

    text: str


class ReflectorRole(Protocol):
    def reflect(self, query: ReflectQuery) -> Reflection:
        """What is to be learnt from it (Reflexion, Shinn 2023)."""
        ...
