"""A small home without simulation to act in: rooms, doors, furniture, small objects and a hand; no map, no images.

A robot sees the whole room that it is in, and remembers what it saw even when that has changed since.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from stma_ros.components.decision.scene_grounding import SceneGrounding, allowed_actions
from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.critic import SymbolicCritic
from stma_ros.domains.household.goals import FindGoal, Goal, PlaceGoal, StateGoal, goal_message
from stma_ros.domains.household.planner import SymbolicPlanner
from stma_ros.domains.household.relation_retriever import SymbolicRelationRetriever
from stma_ros.domains.household.summariser import SymbolicSummariser
from stma_ros.memory.descriptions import Description
from stma_ros.memory.states import States, told, with_observed, with_reported
from stma_ros.roles.critic import CritiqueQuery
from stma_ros.roles.planner import PlanQuery
from stma_ros.roles.relation_retriever import RelationQuery
from stma_ros.roles.summariser import SummariseQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, Summary, TemporalBelief
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.evidence import EvidenceSource, StateEstimate
from stma_ros.types.goals import ALL
from stma_ros.types.planning import (
    Action,
    ArgumentKind,
    Criterion,
    Outcome,
    Result,
    SkillSchema,
    Verdict,
)
from stma_ros.types.scene_graph import Frontier, Frontiers, ObjectNode, Relation, Route, SceneGraph
from stma_ros.types.sensing import Observation
from stma_ros.types.standard import Header, Pose, Time
from stma_ros.types.stepped import StepStamp
from support.roles.scripted_home import at

HAND = "hand"
FLOOR = "floor"
KNOWN = household_categories()
SKILLS = (
    SkillSchema(name=words.SKILL_NAVIGATE, arguments=(ArgumentKind.OBJECT,)),
    SkillSchema(name=words.SKILL_EXPLORE, arguments=(ArgumentKind.FRONTIER,)),
    SkillSchema(name=words.SKILL_LOOK_AROUND),
    SkillSchema(name=words.SKILL_OPEN, arguments=(ArgumentKind.OPENABLE,)),
    SkillSchema(name=words.SKILL_CLOSE, arguments=(ArgumentKind.OPENABLE,)),
    SkillSchema(name=words.SKILL_PICK, arguments=(ArgumentKind.PORTABLE,)),
    SkillSchema(name=words.SKILL_PLACE_ON, arguments=(ArgumentKind.SURFACE,)),
    SkillSchema(name=words.SKILL_PLACE_IN, arguments=(ArgumentKind.RECEPTACLE,)),
    SkillSchema(name=words.SKILL_SWITCH_ON, arguments=(ArgumentKind.DEVICE,)),
    SkillSchema(name=words.SKILL_SWITCH_OFF, arguments=(ArgumentKind.DEVICE,)),
    SkillSchema(name=words.SKILL_FILL, arguments=(ArgumentKind.TAP,)),
    SkillSchema(name=words.SKILL_EMPTY, arguments=(ArgumentKind.TAP,)),
)


@dataclass(frozen=True)
class Piece:
    """Furniture; its name is its category, followed by #n where there are several."""

    room: int
    name: str
    capacity: int = 9

    @property
    def category(self) -> str:
        return self.name.split("#")[0]


@dataclass(frozen=True)
class Item:
    """A small object `within` or on the named furniture, or on the FLOOR of the first room."""

    name: str
    holder: str
    within: bool = False
    colour: str = "red"
    size: float = 0.1
    weight: int = 1

    @property
    def category(self) -> str:
        return self.name.split("#")[0]


@dataclass(frozen=True)
class Luck:
    """Probabilities of failure, and (room, other) doors that are closed."""

    grasp: float = 0.0
    drop: float = 0.0
    blocked: float = 0.0
    seed: int = 0


@dataclass(frozen=True)
class Looks:
    """How surely openness and power are told of what is in view, and the probability that they are told wrongly."""

    confidence: float = 1.0
    wrong: float = 0.0


@dataclass
class Household:
    """A household.

    Attributes:
        kinds: categories of the rooms.
        ways: passages between rooms; True: through a closed door.
        open_names: what is open or switched on at the start.
        events: changes from outside before the step of that number.
    """

    kinds: tuple[str, ...]
    ways: Mapping[tuple[int, int], bool]
    pieces: tuple[Piece, ...]
    items: tuple[Item, ...] = ()
    open_names: frozenset[str] = frozenset()
    luck: Luck = Luck()
    looks: Looks = Looks()
    events: Mapping[int, Callable[[Game], None]] = field(default_factory=dict)

    def play(self, *goals: Goal, limit: int = 150, buffer: int = 25) -> Ending:
        return Game(self, goals, buffer).play(limit)


@dataclass(frozen=True)
class Ending:
    action: Action
    reasoning: str
    failure: ErrorCode
    log: tuple[str, ...]
    rejections: tuple[str, ...]
    is_right: bool
    """Whether the goals are reached in truth."""

    @property
    def commands(self) -> int:
        return len(self.log)


@dataclass
class _Memory:
    """The last observation of an object."""

    first: int
    last: int
    place: tuple[str, bool]
    room: int


class Game:
    def __init__(self, home: Household, goals: tuple[Goal, ...], buffer: int) -> None:
        self.home, self.goals, self.buffer = home, goals, buffer
        self.pieces = {piece.name: piece for piece in home.pieces}
        for a, b in home.ways:
            if home.ways[a, b]:
                self.pieces[f"door#{a}{b}"] = Piece(a, f"door#{a}{b}")
        self.items = {item.name: item for item in home.items}
        self.places = {item.name: (item.holder, item.within) for item in home.items}
        self.open = set(home.open_names)
        self.on: set[str] = {name for name in home.open_names if KNOWN.is_device(name.split("#")[0])}
        self.full: set[str] = set()
        self.floor_room = dict.fromkeys(self.items, 0)
        self.room, self.at = 0, ""
        self.rng = np.random.default_rng(home.luck.seed)
        self.ids: dict[str, str] = {}
        self.memory: dict[str, _Memory] = {}
        self.origins: dict[str, _Memory] = {}
        self.states: dict[str, States] = {}
        self.entered = {0}
        self.records: list[Observation] = [Observation(step=0)]
        self.summary = Summary()
        self.asked: list[PlanQuery | CritiqueQuery] = []

    def play(self, limit: int) -> Ending:
        log: list[str] = []
        rejections: list[str] = []
        remaining: list[Action] = []
        rejected: list[Action] = []
        feedback = ""
        planner, critic = (
            SymbolicPlanner(KNOWN),
            SymbolicCritic(KNOWN),
        )
        self._perceive()
        while len(log) <= limit:
            belief, past, actions = self.spatial(), self.temporal(), self._allowed()
            if not remaining:
                asked = PlanQuery("", past, belief, actions, feedback, tuple(rejected))
                self.asked.append(asked)
                answer = planner.answer(asked)
                remaining = list(answer.actions)
                fresh = True
            action = remaining.pop(0)
            judged = CritiqueQuery("", answer.subgoal, action, actions, past, belief)
            self.asked.append(judged)
            verdict = critic.answer(judged)
            if verdict.verdict != Verdict.ACCEPTED:
                # The critic alone knows hazards; the planner follows its advice.
                agree = not fresh or verdict.criterion == Criterion.SAFETY
                assert agree, f"planner and critic disagree: {action}: {verdict.reason} after {log}"
                feedback = verdict.reason
                rejections.append(f"{action}: {verdict.reason}")
                rejected.append(action)
                remaining = []
                continue
            if action.skill in {skill.name for skill in SceneGrounding(KNOWN).own_skills}:
                right = all(self.is_reached(goal, action) for goal in self.goals)
                return Ending(action, answer.reasoning, answer.failure, tuple(log), tuple(rejections), right)
            rejected, feedback, fresh = [], "", False
            log.append(str(action))
            if len(log) in self.home.events:
                self.home.events[len(log)](self)
            if self._act(action):
                remaining = []
            self._perceive()
        raise AssertionError(f"no end: {log}")

    # -- the truth

    def is_reached(self, goal: Goal, last: Action) -> bool:
        match goal:
            case FindGoal():
                named = [name for name, known in self.ids.items() if known in last.arguments]
                fits = self._fitting(goal.what)
                return any(name in fits for name in named) or any(
                    not isinstance(g, FindGoal) for g in self.goals
                )
            case PlaceGoal():
                there = [self._is_there(goal, name) for name in self._fitting(goal.what, moved=True)]
            case StateGoal():
                there = [self._is_in(goal.state, name) for name in self._fitting(goal.what)]
        return bool(there) and (all(there) if goal.count == ALL else sum(there) >= goal.count)

    def _fitting(self, what: Description, moved: bool = False) -> list[str]:
        found = []
        for name in (*self.items, *self.pieces):
            category = name.split("#")[0]
            colour = self.items[name].colour if name in self.items else ""
            fits = KNOWN.is_kind(category, what.category) and (not what.colours or colour in what.colours)
            if fits and what.place is not None and name in self.items:
                first = self.items[name]
                holder = self.pieces.get(first.holder)
                room = self.home.kinds[holder.room if holder else 0]
                fits = (
                    KNOWN.is_kind(first.holder.split("#")[0], what.place.category)
                    or room == what.place.category
                )
            if fits:
                found.append(name)
        return found

    def _is_there(self, goal: PlaceGoal, name: str) -> bool:
        holder, within = self.places.get(name, (FLOOR, False))
        if goal.relation == words.HELD_BY:
            return holder == HAND
        if holder in (HAND, FLOOR):
            return False
        category, room = holder.split("#")[0], self.home.kinds[self.room_of(name)]
        if goal.destination is None:
            return KNOWN.is_usual(name.split("#")[0], category)
        if goal.relation == words.IN_ROOM:
            return room == goal.destination.category
        in_it = KNOWN.is_kind(category, goal.destination.category)
        both = KNOWN.is_container(category) and goal.relation in (words.IN, words.ON)
        return in_it and (not both or within == (goal.relation == words.IN))

    def _is_in(self, state: str, name: str) -> bool:
        return {
            words.STATE_OPEN: name in self.open,
            words.STATE_CLOSED: name not in self.open,
            words.STATE_ON: name in self.on,
            words.STATE_OFF: name not in self.on,
            words.STATE_FULL: name in self.full,
            words.STATE_EMPTY: name not in self.full,
        }[state]

    def room_of(self, name: str) -> int:
        if name in self.pieces:
            return self.pieces[name].room
        holder, _ = self.places[name]
        if holder == HAND:
            return self.room
        return self.floor_room[name] if holder == FLOOR else self.room_of(holder)

    @property
    def held(self) -> str:
        return next((name for name, (holder, _) in self.places.items() if holder == HAND), "")

    def connected(self, start: int) -> set[int]:
        rooms, fresh = {start}, [start]
        while fresh:
            here = fresh.pop()
            for (a, b), shut in self.home.ways.items():
                there = b if a == here else a if b == here else here
                if there not in rooms and (not shut or f"door#{a}{b}" in self.open):
                    rooms.add(there)
                    fresh.append(there)
        return rooms

    # -- acting

    def _act(self, action: Action) -> bool:
        """Executes an action and returns whether it failed."""
        named = {known: name for name, known in self.ids.items()}
        target = named.get(action.arguments[0], action.arguments[0]) if action.arguments else ""
        code = self._try(action.skill, target)
        step = len(self.records)
        error = Error(code, f"{target} says {code.name.lower()}") if code else Error()
        result = Result.FAILED if code else Result.SUCCEEDED
        done = Outcome(
            header=Header(at(step)),
            request_id=f"t/{step}",
            task_id="t",
            step=step,
            action=action,
            result=result,
            error=error,
            distance=0.0,
        )
        self.records.append(Observation(step=step, last_outcome=done))
        return bool(code)

    def _try(self, skill: str, target: str) -> ErrorCode:
        luck = self.home.luck
        if skill == words.SKILL_LOOK_AROUND:
            return ErrorCode.NONE
        if skill in words.MOTIONS:
            room = int(target.split("_")[1]) - 1 if skill == words.SKILL_EXPLORE else self._seen_room(target)
            if self.rng.random() < luck.blocked:
                return ErrorCode.BLOCKED
            if not self._access_rooms(room, target) & self.connected(self.room):
                return ErrorCode.UNREACHABLE
            if self.held and self.rng.random() < luck.drop:
                self.floor_room[self.held], name = self.room, self.held
                self.places[name] = (FLOOR, False)
                return ErrorCode.DROPPED
            rooms = sorted(self._access_rooms(room, target) & self.connected(self.room))
            self.room, self.at = rooms[0], target
            self.entered.add(self.room)
            return ErrorCode.NONE
        if skill == words.SKILL_PICK and self.held:
            return ErrorCode.HAND_FULL
        if target in self.items and self.memory[target].place != self.places[target]:
            return ErrorCode.NO_SUCH_TARGET
        if not self._reaches(target):
            return ErrorCode.TOO_FAR
        category = target.split("#")[0]
        if skill in (words.SKILL_OPEN, words.SKILL_CLOSE):
            return self._switch(
                skill == words.SKILL_OPEN, target, self.open, ErrorCode.ALREADY_OPEN, ErrorCode.ALREADY_CLOSED
            )
        if skill in (words.SKILL_SWITCH_ON, words.SKILL_SWITCH_OFF):
            return self._switch(
                skill == words.SKILL_SWITCH_ON, target, self.on, ErrorCode.ALREADY_ON, ErrorCode.ALREADY_OFF
            )
        if skill == words.SKILL_PICK:
            return self._pick(target)
        if not self.held:
            return ErrorCode.HAND_EMPTY
        if skill in (words.SKILL_FILL, words.SKILL_EMPTY):
            if not KNOWN.is_vessel(self.held.split("#")[0]):
                return ErrorCode.NOT_A_VESSEL
            return self._switch(
                skill == words.SKILL_FILL,
                self.held,
                self.full,
                ErrorCode.ALREADY_FULL,
                ErrorCode.ALREADY_EMPTY,
            )
        within = skill == words.SKILL_PLACE_IN
        if within and KNOWN.is_container(category) and target not in self.open:
            return ErrorCode.IS_CLOSED
        piece = self.pieces[target]
        if self.items[self.held].weight > piece.capacity:
            return ErrorCode.DOES_NOT_FIT
        load = sum(self.items[n].weight for n, place in self.places.items() if place == (target, within))
        if load + self.items[self.held].weight > piece.capacity:
            return ErrorCode.NO_ROOM
        self.places[self.held] = (target, within)
        return ErrorCode.NONE

    def _access_rooms(self, room: int, target: str) -> set[int]:
        """Returns the rooms from which a piece can be reached: a door has two sides."""
        return {room, int(target[-1])} if target.startswith("door#") else {room}

    def _seen_room(self, target: str) -> int:
        return self.memory[target].room

    def _reaches(self, target: str) -> bool:
        """Returns the piece at the robot, its contents, and what it stands on itself."""
        place = self.places.get(target, ("", False))[0]
        here = {self.at, self.places.get(self.at, ("", False))[0]} - {FLOOR, ""}
        return bool({target, place} & here)

    def _switch(self, wanted: bool, name: str, there: set[str], yes: ErrorCode, no: ErrorCode) -> ErrorCode:
        if (name in there) == wanted:
            return yes if wanted else no
        (there.add if wanted else there.discard)(name)
        return ErrorCode.NONE

    def _pick(self, name: str) -> ErrorCode:
        holder, within = self.places[name]
        if within and KNOWN.is_container(holder.split("#")[0]) and holder not in self.open:
            return ErrorCode.IS_CLOSED
        if self.rng.random() < self.home.luck.grasp:
            return ErrorCode.GRASP_FAILED
        self.origins.setdefault(name, self.memory[name])
        self.places[name] = (HAND, False)
        return ErrorCode.NONE

    # -- perceiving

    def _perceive(self) -> None:
        step = len(self.records) - 1
        for name in (*self.pieces, *self.items):
            if self._sees(name):
                known = self.memory.get(name)
                first = known.first if known else step
                place = self.places.get(name, ("", False))
                self.memory[name] = _Memory(first, step, place, self.room_of(name))
                self.ids.setdefault(name, self._new_id(name))
        window = tuple(self.records[-self.buffer :])
        self.summary = SymbolicSummariser().answer(SummariseQuery("", self.summary, window, 1))
        self._judge_states(step)

    def _judge_states(self, step: int) -> None:
        """Fuses the results of actions, then the present view, into the states of the objects by id."""
        for fact in self._past():
            if fact.predicate == words.STATE and fact.object != words.STATE_MISSING:
                self.states[fact.subject] = with_reported(self.states.get(fact.subject, ()), fact)
        for name in (*self.pieces, *self.items):
            if self._sees(name):
                known = self.ids[name]
                seen = [self._look(state) for state in self._states(name)]
                self.states[known] = with_observed(self.states.get(known, ()), known, seen, _moment(step))

    def _look(self, state: str) -> StateEstimate:
        looks = self.home.looks
        if looks.wrong and self.rng.random() < looks.wrong:
            state = _OPPOSITE[state]
        return StateEstimate(state=state, source=EvidenceSource.LABEL, confidence=looks.confidence)

    def _past(self) -> tuple[Relation, ...]:
        return SymbolicRelationRetriever(KNOWN).answer(RelationQuery(self.temporal())).triples

    def _sees(self, name: str) -> bool:
        if self.room not in self._access_rooms(self.room_of(name), name):
            return False
        holder, within = self.places.get(name, ("", False))
        shut = within and KNOWN.is_container(holder.split("#")[0]) and holder not in self.open
        return not shut and holder != HAND

    def _states(self, name: str) -> tuple[str, ...]:
        category = name.split("#")[0]
        states = []
        if KNOWN.is_openable(category):
            states.append(words.STATE_OPEN if name in self.open else words.STATE_CLOSED)
        if KNOWN.is_device(category):
            states.append(words.STATE_ON if name in self.on else words.STATE_OFF)
        return tuple(states)

    def _new_id(self, name: str) -> str:
        stem = name.split("#")[0].replace(" ", "_")
        return f"{stem}_{sum(known.rsplit('_', 1)[0] == stem for known in self.ids.values()) + 1}"

    def _frontiers(self) -> list[int]:
        return sorted(self.connected(self.room) - self.entered)

    def _allowed(self) -> tuple[Action, ...]:
        nodes = tuple(ObjectNode(id=self.ids[name], category=name.split("#")[0]) for name in self.memory)
        frontiers = Frontiers(
            frontiers=tuple(Frontier(id=f"frontier_{room + 1}") for room in self._frontiers())
        )
        return allowed_actions(SKILLS, SceneGraph(objects=nodes), frontiers, KNOWN)

    def temporal(self) -> TemporalBelief:
        return TemporalBelief(
            at=StepStamp(header=Header(at(len(self.records))), task_id="t", step=len(self.records) - 1),
            goals=tuple(map(goal_message, self.goals)),
            completed=self.summary.completed,
        )

    def spatial(self) -> SpatialBelief:
        facts: list[Relation] = []
        routes: list[Route] = []
        reachable = self.connected(self.room)
        for room in sorted(self.entered):
            facts.append(Relation(f"room_{room + 1}", words.IS_A, self.home.kinds[room]))
        past = self._past()
        gone = {fact.subject: fact for fact in past if fact.object == words.STATE_MISSING}
        for name, known in self.memory.items():
            facts.extend(self._facts(name, known))
            rooms = self._access_rooms(known.room, name)
            near = any(room in reachable for room in rooms)
            away = min(abs(room - self.room) for room in rooms)
            routes.append(
                Route(target=self.ids[name], goal=Pose(), length=1.0 + 5.0 * away if near else math.nan)
            )
            if self._reaches(name) and self.places.get(name, ("",))[0] != HAND:
                facts.append(Relation(words.ROBOT, words.NEAR, self.ids[name]))
        for room in self._frontiers():
            name = f"frontier_{room + 1}"
            facts += [Relation(name, words.IS_A, words.FRONTIER), Relation(name, words.UNKNOWN_AREA, "10.0")]
            routes.append(Route(target=name, goal=Pose(), length=4.0 + 5.0 * abs(room - self.room)))
        last = {self.ids[name]: known.last for name, known in self.memory.items()}
        facts += [fact for fact in past if fact.predicate == words.HELD_BY]
        facts += [fact for states in self.states.values() for fact in told(states, at(len(self.records)))]
        facts += [f for f in gone.values() if last.get(f.subject, 0) <= f.last_seen.sec]
        stamp = Header(at(len(self.records)), "map")
        return SpatialBelief(
            at=StepStamp(header=stamp, task_id="t", step=1, revision=0),
            robot=Pose(),
            room=f"room_{self.room + 1}",
            facts=tuple(facts),
            routes=tuple(routes),
        )

    def _facts(self, name: str, known: _Memory) -> list[Relation]:
        last = _moment(known.last)
        fact = partial(Relation, self.ids[name], confidence=0.9, first_seen=at(known.first), last_seen=last)
        facts = [fact(words.IS_A, name.split("#")[0])]
        facts.append(fact(words.IN_ROOM, f"room_{known.room + 1}"))
        holder, within = known.place
        if holder in self.ids:
            facts.append(fact(words.IN if within else words.ON, self.ids[holder]))
        origin = self.origins.get(name)
        if origin is not None:
            holder, within = origin.place
            facts.append(fact(words.TAKEN_FROM, f"room_{origin.room + 1}"))
            if holder in self.ids:
                facts.append(fact(words.TAKEN_OUT_OF if within else words.TAKEN_OFF, self.ids[holder]))
        if name in self.items:
            facts.append(fact(words.COLOUR, self.items[name].colour))
            facts.append(fact(words.SIZE, f"{self.items[name].size}"))
        return facts


_OPPOSITE = {
    words.STATE_OPEN: words.STATE_CLOSED,
    words.STATE_CLOSED: words.STATE_OPEN,
    words.STATE_ON: words.STATE_OFF,
    words.STATE_OFF: words.STATE_ON,
}


def _moment(step: int) -> Time:
    """Returns the time of the view after a step."""
    return Time(step, 500_000_000)
