"""Visual memory: keeps the pictures that matter for a question, and shows what lies in the direction of each frontier
(Pred-EQA, section 3: Manager and Frontier Manager).

All pictures go to the evidence of all tasks, too. A task begins with those of them that matter for its question.

The belief of step k is made from the keyframes up to the watermark of observation k, the frontiers and the trail of
step k, and the checklist of the plan that led to it.
"""

from __future__ import annotations

import math
import re
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from stma_ros.components.causes import plan_revision
from stma_ros.components.memory_requests import MemoryRequestHandler, load_warnings
from stma_ros.components.role_calls import role_call
from stma_ros.components.step_synchronizer import StepBuffer, StepInputs, StepKey, step_key
from stma_ros.components.visual_memory.covering_memory import covering_snapshots, relevant_snapshots
from stma_ros.components.visual_memory.evidence_memory import EvidenceMemory
from stma_ros.components.visual_memory.recent_views import (
    View,
    at_the_end,
    heading_of_travel,
    in_direction_of,
    retaken,
    spread_views,
    towards,
)
from stma_ros.memory.snapshots import SnapshotStore
from stma_ros.roles.category_filter import CategoryFilterRole
from stma_ros.roles.exploration import ExplorationQuery, FrontierQuery
from stma_ros.roles.frontier_manager import FRONTIER_MANAGER, FrontierManagerRole
from stma_ros.roles.snapshot_manager import RECORD_PURPOSE, SNAPSHOT_MANAGER, SnapshotManagerRole
from stma_ros.sensing.camera_frame import CameraFrame
from stma_ros.sensing.pose_jump_filter import FrameConfig
from stma_ros.types import topics
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.causality import message_ref
from stma_ros.types.component import Emission
from stma_ros.types.errors import RoleError
from stma_ros.types.exploration import ChecklistItem, ExplorationPlan, FrontierView, Snapshot, VisualBelief
from stma_ros.types.message import Message
from stma_ros.types.planning import SkillRequest, Task
from stma_ros.types.remembering import MemoryRequest
from stma_ros.types.scene_graph import Frontier, Frontiers
from stma_ros.types.sensing import KeyframeDetections, Observation
from stma_ros.types.settings import setting
from stma_ros.types.standard import Header, Time
from stma_ros.types.stepped import StepStamp

MANAGER, NEWEST, COVERING = "manager", "newest", "covering"
EVIDENCE, RECORD = "evidence", "record"

_NUMBERED = re.compile(r"_\d+$")  # the end of an object's id

MAX_VIEWS = 64
"""Keyframes of a step that are remembered; beyond it the oldest are dropped."""

MAX_PLANS = 16
"""Checklists and skill requests that wait for their step."""


@dataclass(frozen=True)
class VisualMemoryConfig(FrameConfig):
    keeps: str = setting(
        MANAGER,
        "which snapshots are kept: those that the snapshot manager chooses, the newest ones, or few that together show "
        "everything, of which those are shown that matter (as in 3D-Mem)",
        choices=(MANAGER, NEWEST, COVERING),
    )
    relevant_kinds: int = setting(
        10, "with keeps=covering: kinds of things that matter for the question at most", low=1, high=1000
    )
    newest: int = setting(15, "snapshots that are kept without a manager", low=1, high=1000)
    limit: int = setting(60, "snapshots that are kept at most, by the manager too", low=1, high=1000)
    manage_above: int = setting(3, "the snapshot manager is asked about more snapshots than these", low=0)
    manager_purpose: str = setting(
        EVIDENCE,
        "what the snapshot manager keeps pictures for: evidence, or also as a record of all that was seen",
        choices=(EVIDENCE, RECORD),
    )
    frontier_manager: bool = setting(True, "have a role sort out frontiers that are not worth considering")
    manage_frontiers_above: int = setting(
        1, "the frontier manager is asked about more frontiers than these", low=1
    )
    trail: bool = setting(True, "show the trail to the managers")
    first_views: int = setting(7, "pictures that are taken of the first place", low=1, high=36)
    first_spacing: float = setting(
        math.radians(40), "angle between them", unit="rad", low=0.01, high=math.tau
    )
    views: int = setting(3, "pictures that are taken after each further step", low=1, high=36)
    spacing: float = setting(math.radians(60), "angle between them", unit="rad", low=0.01, high=math.tau)
    picture_width: int = setting(360, "width of kept pictures at most", unit="px", low=16, high=4096)
    evidence: int = setting(
        300,
        "snapshots of all tasks that are kept for further questions, at most; 0 = each task begins with none",
        low=0,
        high=10_000,
    )
    memory_dir: str = setting(
        "", "folder in which the evidence is saved from one start to the next; empty = it is not saved"
    )

    def uses(self, part: str) -> bool:
        return part in (topics.COLOR, *topics.DEPTH_FRAME)


class VisualMemory:
    def __init__(
        self,
        config: VisualMemoryConfig,
        manager: SnapshotManagerRole,
        frontier_manager: FrontierManagerRole,
        category_filter: CategoryFilterRole,
    ) -> None:
        """Opens the memory.

        Args:
            config: the settings.
            manager: role that selects snapshots.
            frontier_manager: role that selects frontiers.
            category_filter: role that selects kinds of things, for the pictures that together show everything.

        Raises:
            MemoryNotSavedError: the memory_dir cannot be used.
        """
        self._config = config
        self._manager = manager
        self._frontier_manager = frontier_manager
        self._category_filter = category_filter
        self._steps = StepBuffer(
            (topics.OBSERVATION, topics.FRONTIERS, topics.SPATIAL_BELIEF, topics.TEMPORAL_BELIEF)
        )
        self._frames: dict[int, CameraFrame] = {}
        self._updates: dict[int, KeyframeDetections] = {}
        self._arrived_up_to = self._looked_up_to = self._forgotten_up_to = -1
        self._questions: dict[str, str] = {}
        self._requests: dict[StepKey, SkillRequest] = {}
        self._plans: dict[tuple[str, int, int], ExplorationPlan] = {}
        self._waiting: deque[StepKey] = deque()
        self._task = ""
        self._store = SnapshotStore(self._limit)
        self._evidence = EvidenceMemory(config.evidence, config.memory_dir)
        self._request_handler = MemoryRequestHandler(self)
        self._frontier_views: dict[str, Snapshot] = {}
        self._began = Time()  # stamp of the first frame of the task
        self._place: tuple[float, float] | None = None
        self._has_looked = self._has_recalled = False

    @property
    def _header(self) -> Header:
        """Returns the stamp up to which keyframes have been processed."""
        return Header(Time.from_nanoseconds(max(0, self._looked_up_to)))

    @property
    def _limit(self) -> int:
        return self._config.newest if self._config.keeps == NEWEST else self._config.limit

    def close(self) -> None:
        """Saves the evidence if there is a memory_dir. Raises MemoryNotSavedError."""
        self._evidence.close()

    def save(self) -> str:
        """Saves the evidence, if there is a folder and it is known to be of this home. Raises MemoryNotSavedError."""
        self._evidence.save()
        if self._evidence.path is None:
            return "The pictures are not saved: no folder is set."
        if self._evidence.is_on_trial:
            return "The pictures are saved once those of the last time are known to be of this home."
        return f"Saved {_pictures(len(self._evidence.snapshots))} to {self._evidence.path}."

    def forget(self, subject: str) -> str:
        """Drops the pictures that show things of a category, which may be named by the id of one; empty = all. They may
        show others of it: which picture shows the one that is meant is not known.

        Raises:
            MemoryNotSavedError: the folder cannot be written.
        """
        category = _NUMBERED.sub("", subject).replace("_", " ")
        self._forgotten_up_to = self._looked_up_to
        of_the_task = self._store.snapshots
        self._store.keep(
            {
                each.id
                for each in of_the_task
                if category and all(found.category != category for found in each.detections)
            }
        )
        self._frontier_views.clear()
        dropped = {each.id for each in of_the_task} - {each.id for each in self._store.snapshots}
        dropped |= self._evidence.forget(category)
        return f"Forgot {_pictures(len(dropped))}."

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        match message:
            case CameraFrame():
                stamp = message.stamp.nanoseconds
                if stamp > self._arrived_up_to:
                    self._arrived_up_to = stamp
                    may_be_keyframe = stamp > self._looked_up_to or stamp in self._updates
                    if may_be_keyframe:
                        self._frames[stamp] = message
                        _bound(self._frames, MAX_VIEWS)
            case KeyframeDetections():
                stamp = message.header.stamp.nanoseconds
                if stamp > self._looked_up_to:
                    self._looked_up_to = message.processed_until.nanoseconds
                    if message.keyframe:
                        self._updates[stamp] = message
                        _bound(self._updates, MAX_VIEWS)
                    else:
                        self._frames.pop(stamp, None)
                elif message.revision and message.keyframe:
                    self._revise(message)
            case Task():
                self._questions.setdefault(message.task_id, message.text)
                _bound(self._questions, MAX_PLANS)
            case SkillRequest():
                self._requests.setdefault((message.task_id, message.step), message)
                _bound(self._requests, MAX_PLANS)
            case ExplorationPlan():
                self._plans.setdefault((*step_key(message), message.revision), message)
                _bound(self._plans, MAX_PLANS)
            case MemoryRequest():
                return chain(self._request_handler.answer(message, self._header), self._settle())
            case Observation():
                if self._steps.put(topic, message):
                    self._waiting.append(step_key(message))
            case _:
                self._steps.put(topic, message)
        return self._settle()

    def _revise(self, update: KeyframeDetections) -> None:
        """Takes what a model's answer adds to a keyframe. Pictures that were chosen stay chosen."""
        stamp = update.header.stamp
        if stamp.nanoseconds <= self._forgotten_up_to:
            return  # or what was forgotten would be told with the picture
        if stamp.nanoseconds in self._updates:
            self._updates[stamp.nanoseconds] = update
        self._store.revise(stamp, update.detections)
        self._evidence.revise(stamp, update.detections)

    def _settle(self) -> Iterator[Emission]:
        """Makes the beliefs of the waiting steps, in order, up to the first one that lacks an input."""
        while self._waiting:
            key = self._waiting[0]
            if self._steps.get(topics.OBSERVATION, Observation, key) is None:
                self._waiting.popleft()  # so old that its inputs were dropped
                continue
            inputs, request = self._steps.inputs(key), self._requests.get(key)
            if inputs is None or request is None or key[0] not in self._questions:
                return
            watermark = inputs.observation.watermark.nanoseconds
            plan = self._plan_before(key, request)
            if min(self._arrived_up_to, self._looked_up_to) < watermark or plan is None:
                return
            self._waiting.popleft()
            yield from self._believe(key, inputs, plan, watermark)

    def _plan_before(self, key: StepKey, request: SkillRequest) -> ExplorationPlan | None:
        """Returns the checklist of the plan that a request follows, an empty one if it follows none; None if it has not
        come yet."""
        task_id, step = key
        revision = plan_revision(request)
        if revision is None:
            return ExplorationPlan()
        return self._plans.get((task_id, step - 1, revision))

    def _believe(
        self, key: StepKey, inputs: StepInputs, plan: ExplorationPlan, watermark: int
    ) -> Iterator[Emission]:
        at = StepStamp(header=inputs.observation.header, task_id=key[0], step=key[1])
        views = self._take_views(watermark)
        self._evidence.look(views)
        yield from load_warnings(self._evidence.take_refusals(), at.header)
        question = self._questions[key[0]]
        if key[0] != self._task:
            self._begin(key[0], views[0].snapshot.stamp if views else inputs.observation.watermark)
        if not self._has_recalled and not self._evidence.is_on_trial:
            self._has_recalled = True
            yield from self._recall(question, at)
        new = self._new_snapshots(views, self._requested_view(key, views))
        self._store.add(new)
        # All that was seen may answer a further question, also in directions that the task does not look into.
        self._evidence.add(view.snapshot for view in views)
        self._evidence.save()  # before the belief, as what was said is not to be forgotten
        trail = inputs.get(topics.TEMPORAL_BELIEF, TemporalBelief).observations if self._config.trail else ()
        text = yield from self._manage(question, plan.items, trail, at)
        snapshots = yield from self._shown_snapshots(question, at)
        query = FrontierQuery(question, plan.items, trail, snapshots, self._frontiers(inputs, views))
        frontiers = yield from self._manage_frontiers(query, at)
        derived_from = (
            *inputs.sources,
            *((message_ref(topics.EXPLORATION_PLAN, plan),) if plan.task_id else ()),
        )
        yield (
            topics.VISUAL_BELIEF,
            VisualBelief(
                at=at,
                snapshots=snapshots,
                frontiers=frontiers,
                text=text,
                derived_from=derived_from,
            ),
        )

    def _begin(self, task_id: str, began: Time) -> None:
        """Begins a task, without what was kept for the one before: what is relevant depends on the question."""
        self._task, self._began = task_id, began
        self._store = SnapshotStore(self._limit)
        self._place, self._has_looked, self._has_recalled = None, False, False

    def _recall(self, question: str, at: StepStamp) -> Iterator[Emission]:
        """Takes from the evidence of earlier tasks what matters for a question: the manager selects, of no more at once
        than a task may keep; without one the newest ones are taken."""
        began = self._began.nanoseconds
        earlier = tuple(each for each in self._evidence.snapshots if each.stamp.nanoseconds < began)
        recalled: list[Snapshot] = []
        if self._config.keeps != MANAGER:
            recalled += earlier[-self._limit :]
        else:
            for first in range(0, len(earlier), self._limit):
                query = ExplorationQuery(question, snapshots=earlier[first : first + self._limit])
                chosen, _ = yield from self._ask_manager(query, at)
                recalled += chosen
        self._store = SnapshotStore(self._limit, (*recalled, *self._store.snapshots))

    def _take_views(self, watermark: int) -> list[View]:
        """Returns the keyframes up to a stamp [ns], which are used up."""
        stamps = sorted(stamp for stamp in self._frames if stamp <= watermark)
        frames = [(self._frames.pop(stamp), self._updates.pop(stamp, None)) for stamp in stamps]
        made = (View.of(frame, update, self._config.picture_width) for frame, update in frames if update)
        return [view for view in made if view is not None]

    def _requested_view(self, key: StepKey, views: Sequence[View]) -> View | None:
        """Returns the view of what the robot was sent to look at: a thing, or the place of a snapshot; None if it was
        sent elsewhere."""
        request = self._requests[key]
        names = request.action.arguments
        again = next((each for each in self._store.snapshots if each.id in names), None)
        if again is not None:
            return retaken(views, again)
        thing = next((target for target in request.targets if target.category), None)
        return None if thing is None else at_the_end(thing.pose.position, views)

    def _new_snapshots(self, views: Sequence[View], requested: View | None) -> list[Snapshot]:
        """requested: the view of what was to be looked at."""
        config = self._config
        heading = heading_of_travel(self._place, views)
        if self._has_looked:
            chosen = spread_views(views, config.views, config.spacing, heading)
        else:
            chosen = spread_views(views, config.first_views, config.first_spacing, None)
            self._has_looked = len(chosen) > 1  # the very first step is a single frame
        if views:
            self._place = views[-1].place
        if requested is not None:
            chosen.append(requested)
        return list({view.snapshot.id: view.snapshot for view in chosen}.values())

    def _manage(
        self, question: str, items: tuple[ChecklistItem, ...], trail: tuple[str, ...], at: StepStamp
    ) -> Generator[Emission, None, str]:
        """Asks the manager which snapshots to keep. Without a usable answer all are kept."""
        snapshots = self._store.snapshots
        if self._config.keeps != MANAGER or len(snapshots) <= self._config.manage_above:
            return ""
        mode = RECORD_PURPOSE if self._config.manager_purpose == RECORD else ""
        query = ExplorationQuery(question, items, trail, snapshots, mode=mode)
        kept, text = yield from self._ask_manager(query, at)
        self._store.keep({each.id for each in kept})
        return text

    def _ask_manager(
        self, query: ExplorationQuery, at: StepStamp
    ) -> Generator[Emission, None, tuple[tuple[Snapshot, ...], str]]:
        """Returns what the manager keeps of the snapshots, all without a usable answer, and what it says of them."""
        error, text, kept = "", "", query.snapshots
        try:
            answer = self._manager.answer(query)
        except RoleError as problem:
            error = str(problem)
        else:
            text, kept = answer.text, tuple(query.snapshots[number] for number in answer.kept)
        yield role_call(SNAPSHOT_MANAGER, query, at, error=error)
        return kept, text

    def _shown_snapshots(
        self, question: str, at: StepStamp
    ) -> Generator[Emission, None, tuple[Snapshot, ...]]:
        """Returns the snapshots that the roles are shown: all that are kept, or those of them that matter."""
        if self._config.keeps != COVERING:
            return self._store.snapshots
        self._store.keep({snapshot.id for snapshot in covering_snapshots(self._store.snapshots)})
        return (
            yield from relevant_snapshots(
                question, self._store.snapshots, self._category_filter, self._config.relevant_kinds, at
            )
        )

    def _frontiers(self, inputs: StepInputs, views: Sequence[View]) -> tuple[FrontierView, ...]:
        """Returns what was seen in the direction of each frontier last; nothing, if no picture was taken since it is
        known, as of one that an earlier start has mapped."""
        frontiers = inputs.get(topics.FRONTIERS, Frontiers).frontiers
        routes = inputs.get(topics.SPATIAL_BELIEF, SpatialBelief).routes
        lengths = {route.target: route.length for route in routes}
        shown = tuple(
            FrontierView(
                frontier=frontier.id,
                center=frontier.center,
                unknown_area=frontier.unknown_area,
                length=lengths.get(frontier.id, math.nan),
                view=self._view_of(frontier, views),
            )
            for frontier in frontiers
        )
        self._frontier_views = {each.frontier: each.view for each in shown}
        return shown

    def _view_of(self, frontier: Frontier, views: Sequence[View]) -> Snapshot:
        newest = towards(frontier.center, views)
        if newest is not None:
            return newest.snapshot
        last = self._frontier_views.get(frontier.id)
        if last is not None and last.id:
            return last
        nearest = in_direction_of(frontier.center, views)
        return Snapshot() if nearest is None else nearest.snapshot

    def _manage_frontiers(
        self, query: FrontierQuery, at: StepStamp
    ) -> Generator[Emission, None, tuple[FrontierView, ...]]:
        """Asks the frontier manager which frontiers to consider. Without a usable answer all are."""
        frontiers = query.frontiers
        if not self._config.frontier_manager or len(frontiers) <= self._config.manage_frontiers_above:
            return frontiers
        error, kept = "", tuple[int, ...]()
        try:
            kept = self._frontier_manager.answer(query).kept
        except RoleError as problem:
            error = str(problem)
        yield role_call(FRONTIER_MANAGER, query, at, error=error)
        return tuple(frontiers[number] for number in kept) or frontiers


def _pictures(number: int) -> str:
    return f"{number or 'no'} picture{'' if number == 1 else 's'}"


def _bound(kept: dict, most: int) -> None:  # type: ignore[type-arg]
    """Drops the oldest entries beyond `most`."""
    while len(kept) > most:
        del kept[next(iter(kept))]
