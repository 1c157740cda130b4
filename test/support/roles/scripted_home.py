"""A home without simulation for tests of roles: rooms in a graph, objects in and on furniture; no map, no images.

It returns exactly the facts of a robot's beliefs; ids follow the order in which objects are seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.critic import SymbolicCritic
from stma_ros.domains.household.planner import SymbolicPlanner
from stma_ros.domains.household.relation_retriever import SymbolicRelationRetriever
from stma_ros.domains.household.summariser import SymbolicSummariser
from stma_ros.domains.household.task_parser import SymbolicTaskParser
from stma_ros.roles.critic import CritiqueQuery
from stma_ros.roles.planner import PlanQuery
from stma_ros.roles.relation_retriever import RelationQuery
from stma_ros.roles.summariser import SummariseQuery
from stma_ros.roles.task_parser import TaskQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, Summary, TemporalBelief
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Action, Outcome, Result, Verdict
from stma_ros.types.scene_graph import Relation, Route
from stma_ros.types.sensing import Observation
from stma_ros.types.standard import Header, Pose, Time
from stma_ros.types.stepped import StepStamp

HOUSEHOLD = household_categories()

LOOK_AROUND = Action(words.SKILL_LOOK_AROUND)
GIVE_UP = Action(words.SKILL_GIVE_UP)
NOW = 1000
"""Time of a belief [s], later than all steps."""


def navigate(target: str) -> Action:
    return Action(words.SKILL_NAVIGATE, (target,))


def open_(target: str) -> Action:
    return Action(words.SKILL_OPEN, (target,))


def explore(target: str) -> Action:
    return Action(words.SKILL_EXPLORE, (target,))


def report(target: str) -> Action:
    return Action(words.SKILL_REPORT, (target,))


def at(seconds: int) -> Time:
    return Time(seconds)


def outcome(step: int, action: Action, error: ErrorCode = ErrorCode.NONE, distance: float = 0.0) -> Outcome:
    result = Result.FAILED if error else Result.SUCCEEDED
    reported = Error(error, error.name.lower()) if error else Error()
    return Outcome(
        header=Header(at(step)),
        request_id=f"t/{step}",
        task_id="t",
        step=step,
        action=action,
        result=result,
        error=reported,
        distance=distance,
    )


@dataclass
class Belief:
    """Builds a spatial belief fact by fact."""

    facts: list[Relation] = field(default_factory=list)
    routes: list[Route] = field(default_factory=list)
    room_id: str = ""

    def add(
        self,
        subject: str,
        predicate: str,
        item: str,
        confidence: float = 0.9,
        once: bool = False,
        last: int = 2,
    ) -> Belief:
        self.facts.append(
            Relation(
                subject,
                predicate,
                item,
                confidence=confidence,
                first_seen=at(1),
                last_seen=at(1 if once else last),
            )
        )
        return self

    def route(self, target: str, length: float) -> Belief:
        self.routes.append(Route(target=target, goal=Pose(), length=length))
        return self

    def room(self, name: str, kind: str = "") -> Belief:
        self.room_id = self.room_id or name
        return self.add(name, words.IS_A, kind) if kind else self

    def thing(
        self,
        name: str,
        category: str,
        room: str = "",
        length: float = 3.0,
        confidence: float = 0.9,
        once: bool = False,
        **more: str,
    ) -> Belief:
        """Adds an object, which is still in view unless it was seen once.

        Args:
            more: inside, on, colour, state (which is certain).
        """
        self.add(name, words.IS_A, category, confidence, once, NOW)
        predicates = {"inside": words.IN, "on": words.ON, "state": words.STATE, "colour": words.COLOUR}
        for key, item in more.items():
            self.add(name, predicates[key], item, 1.0 if key == "state" else 0.9)
        if room:
            self.add(name, words.IN_ROOM, room)
        return self.route(name, length)

    def frontier(self, name: str, area: float, length: float, room: str = "") -> Belief:
        self.add(name, words.IS_A, words.FRONTIER).add(name, words.UNKNOWN_AREA, f"{area:.1f}")
        if room:
            self.add(name, words.IN_ROOM, room)
        return self.route(name, length)

    def done(self) -> SpatialBelief:
        return SpatialBelief(
            at=StepStamp(header=Header(at(NOW), "map"), task_id="t", step=1, revision=0),
            robot=Pose(),
            room=self.room_id,
            facts=tuple(self.facts),
            routes=tuple(self.routes),
        )


def with_goals(belief: TemporalBelief, task: str) -> TemporalBelief:
    """Returns the belief with the goals of the task."""
    parsed = SymbolicTaskParser(HOUSEHOLD).answer(TaskQuery(task))
    return replace(belief, goals=parsed.goals, goals_error=parsed.error)


def temporal(*outcomes: Outcome) -> TemporalBelief:
    return TemporalBelief(at=StepStamp(header=Header(at(NOW)), task_id="t", step=1), completed=outcomes)


def allowed(
    things: Iterable[str] = (), containers: Iterable[str] = (), frontiers: Iterable[str] = ()
) -> tuple[Action, ...]:
    things = tuple(things)
    return (
        *(navigate(name) for name in things),
        *(open_(name) for name in containers),
        *(explore(name) for name in frontiers),
        LOOK_AROUND,
        *(report(name) for name in things),
        GIVE_UP,
    )


@dataclass(frozen=True)
class Room:
    kind: str
    doors: tuple[int, ...]
    """Indices of the rooms next door."""
    furniture: tuple[str, ...]


@dataclass(frozen=True)
class Ending:
    action: Action
    reasoning: str
    commands: int
    log: tuple[str, ...]
    rejections: int
    category: str
    """Of what was reported; empty when it was given up."""


@dataclass
class Home:
    """A home; a room is seen completely when it is entered, and doors to rooms not yet entered are frontiers.

    Attributes:
        hidden: (room, furniture) -> category of the object in or on it.
        stuck: furniture that cannot be reached or does not open.
    """

    rooms: tuple[Room, ...]
    hidden: Mapping[tuple[int, str], str]
    containers: frozenset[str]
    stuck: Mapping[tuple[int, str], ErrorCode] = field(default_factory=dict)

    def play(self, task: str, limit: int = 200, buffer: int = 25) -> Ending:
        return _Game(self, task, buffer).play(limit)

    def closed_containers(self) -> int:
        return sum(name in self.containers for room in self.rooms for name in room.furniture)


class _Game:
    def __init__(self, home: Home, task: str, buffer: int) -> None:
        self.home, self.task, self.buffer = home, task, buffer
        self.at: tuple[int, str] = (0, "")
        self.entered = {0}
        self.ids: dict[tuple[int, str], str] = {}
        self.opened: set[tuple[int, str]] = set()
        self.records: list[Observation] = [Observation(step=0)]
        self.summary = Summary()
        self.seen_from = 0

    def play(self, limit: int) -> Ending:
        log: list[str] = []
        rejections = 0
        remaining: list[Action] = []
        rejected: list[Action] = []
        self._remember()
        while len(log) < limit:
            belief, past, actions = self._spatial(), self._temporal(), self._allowed()
            if not remaining:
                answer = SymbolicPlanner(HOUSEHOLD).answer(
                    PlanQuery(self.task, past, belief, actions, "", tuple(rejected))
                )
                remaining = list(answer.actions)
            action = remaining.pop(0)
            verdict = SymbolicCritic(HOUSEHOLD).answer(
                CritiqueQuery(self.task, answer.subgoal, action, actions, past, belief)
            )
            if verdict.verdict != Verdict.ACCEPTED:
                rejections += 1
                rejected.append(action)
                remaining = []
                assert len(rejected) < 8, (action, verdict, log)
                continue
            if action.skill in (words.SKILL_REPORT, words.SKILL_GIVE_UP):
                category = next((k[1] for k, v in self.ids.items() if v in action.arguments), "")
                return Ending(
                    action, answer.reasoning, len(log), tuple(log), rejections, category.split("#")[0]
                )
            rejected = []
            log.append(str(action))
            if self._act(action):
                remaining = []
            self._remember()
        raise AssertionError(f"the search did not end: {log}")

    # -- the world

    def _act(self, action: Action) -> bool:
        """Executes an action and returns whether it failed."""
        key = next((k for k, v in self.ids.items() if v in action.arguments), (0, ""))
        error = ErrorCode.NONE
        problem = self.home.stuck.get(key, ErrorCode.NONE)
        if action.skill == words.SKILL_EXPLORE:
            self.at = (key[0], "")
            self.entered.add(key[0])
        elif action.skill == words.SKILL_NAVIGATE:
            error = problem if problem == ErrorCode.UNREACHABLE else ErrorCode.NONE
            self.at = self.at if error else key
        elif action.skill == words.SKILL_OPEN:
            error = ErrorCode.TOO_FAR if self.at != key else problem
            if not error:
                self.opened.add(key)
        step = len(self.records)
        self.records.append(Observation(step=step, last_outcome=outcome(step, action, error)))
        return bool(error)

    # -- what is perceived

    def _name(self, key: tuple[int, str]) -> str:
        stem = key[1].split("#")[0].replace(" ", "_")
        return self.ids.setdefault(key, f"{stem}_{sum(v.startswith(stem) for v in self.ids.values()) + 1}")

    def _visible(self) -> tuple[tuple[int, str], ...]:
        looked = len(self.records) > 1
        seen = [(room, name) for room in sorted(self.entered) for name in self.home.rooms[room].furniture]
        seen = seen if looked else seen[:1]
        for key in tuple(seen):
            if key in self.home.hidden and (key[1] not in self.home.containers or key in self.opened):
                seen.append((key[0], f"{self.home.hidden[key]}#{key[1]}"))
        return tuple(seen)

    def _frontiers(self) -> tuple[int, ...]:
        if len(self.records) == 1:
            return ()
        beyond = {door for room in self.entered for door in self.home.rooms[room].doors}
        return tuple(sorted(beyond - self.entered))

    def _allowed(self) -> tuple[Action, ...]:
        things = self._visible()
        closed = [self._name(k) for k in things if k[1] in self.home.containers and k not in self.opened]
        return allowed(
            [self._name(k) for k in things], closed, [self._name((r, "frontier")) for r in self._frontiers()]
        )

    def _length(self, key: tuple[int, str]) -> float:
        if key == self.at:
            return 0.1
        furniture = self.home.rooms[key[0]].furniture
        inside = furniture.index(key[1]) if key[1] in furniture else 1
        return 5.0 * abs(key[0] - self.at[0]) + 1.0 + 0.7 * inside

    def _spatial(self) -> SpatialBelief:
        belief = Belief(room_id=f"room_{self.at[0] + 1}")
        for room in sorted(self.entered):
            belief.room(f"room_{room + 1}", self.home.rooms[room].kind)
        for key in self._visible():
            category, _, holder = key[1].partition("#")
            more = {}
            if holder:
                more["inside" if holder in self.home.containers else "on"] = self._name((key[0], holder))
            belief.thing(
                self._name(key), category, f"room_{key[0] + 1}", self._length(key), 0.9, False, **more
            )
        for room in self._frontiers():
            belief.frontier(
                self._name((room, "frontier")), 10.0, self._length((room, "")), f"room_{room + 1}"
            )
        past = SymbolicRelationRetriever(HOUSEHOLD).answer(RelationQuery(self._temporal()))
        belief.facts.extend(past.triples)
        return belief.done()

    # -- what is remembered

    def _remember(self) -> None:
        window = tuple(self.records[-self.buffer :])
        self.summary = SymbolicSummariser().answer(SummariseQuery(self.task, self.summary, window, 1))

    def _temporal(self) -> TemporalBelief:
        return with_goals(temporal(*self.summary.completed), self.task)
