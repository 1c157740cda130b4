"""Spatial memory: the map, the scene graph and the relation graph, and the spatial belief made from them
(STMA, section 4.2).

The belief of step k is made from every frame up to the watermark of observation k and from everything that
perception saw up to it, no more and no less, in whatever order they arrive. So is that of a step of no task, which is
begun while nobody plans; it tells what is there, and needs no temporal belief.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

from stma_ros.components.role_calls import role_call
from stma_ros.components.spatial_memory import messages as messages
from stma_ros.components.spatial_memory.place_memory import Home
from stma_ros.components.spatial_memory.place_persistence import MemoryKeeper
from stma_ros.components.step_synchronizer import StepBuffer, StepKey, step_key
from stma_ros.mapping.survey import SurveyConfig
from stma_ros.mapping.visibility import looked_through
from stma_ros.mapping.voxel_grid import VoxelGridConfig
from stma_ros.mapping.warm_up import warm_up
from stma_ros.memory.boxes import Box
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.descriptions import DescriptionReader
from stma_ros.memory.object_tracks import KeyframeObservation
from stma_ros.roles.relation_aggregator import RELATION_AGGREGATOR, AggregateQuery, RelationAggregatorRole
from stma_ros.roles.relation_retriever import RELATION_RETRIEVER, RelationQuery, RelationRetrieverRole
from stma_ros.sensing.camera_frame import CameraFrame, DepthView
from stma_ros.sensing.pose_jump_filter import FrameConfig, PoseJumpFilter
from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.causality import message_ref
from stma_ros.types.common import MessageRef
from stma_ros.types.component import Emission
from stma_ros.types.errors import StmaError, WorldError
from stma_ros.types.message import Message
from stma_ros.types.planning import TaskResult
from stma_ros.types.remembering import MemoryRequest, ObjectQuery
from stma_ros.types.scene_graph import Relation
from stma_ros.types.sensing import KeyframeDetections, Observation, Step
from stma_ros.types.settings import setting
from stma_ros.types.standard import Header, Pose, Time
from stma_ros.types.stepped import StepStamp

MAX_PENDING_FRAMES = 128
"""Frames that wait for the step that they belong to. Where none is begun, the oldest are mapped all the same: a step
that is older than so many frames will not come any more."""

MAX_PENDING_STEPS = 64
"""Steps of no task that wait for perception to look up to them; of more, the oldest are passed over."""

SETTLED_TASKS = 8
"""Tasks whose last settled step is remembered, to know duplicates by."""


@dataclass(frozen=True)
class SpatialMemoryConfig(FrameConfig):
    resolution: float = setting(
        0.05, "edge of a voxel and of a cell of the map", unit="m", low=0.02, high=0.5
    )
    max_range: float = setting(5.0, "depth beyond this is not mapped", unit="m", low=0.5, high=60)
    robot_radius: float = setting(0.25, "radius of the base", unit="m", low=0.05, high=2)
    reach: float = setting(
        1.4, "from the base's middle, how far away a thing is at hand", unit="m", low=0.1, high=5
    )
    memory_dir: str = setting(
        "", "folder in which what is remembered is kept from one start to the next; empty = it is not kept"
    )


class SpatialMemory:
    def __init__(
        self,
        config: SpatialMemoryConfig,
        knowledge: CategoryKnowledge,
        reader: DescriptionReader,
        retriever: RelationRetrieverRole,
        aggregator: RelationAggregatorRole,
        keeper: MemoryKeeper | None = None,
    ) -> None:
        """knowledge, reader: of the domain, for the kinds of things, and for what people ask to have seen.

        Raises MemoryNotKeptError for a memory_dir that cannot be used."""
        warm_up()
        voxels = VoxelGridConfig(resolution=config.resolution, max_range=config.max_range)
        survey = SurveyConfig(voxels=voxels, robot_radius=config.robot_radius)
        self._knowledge = knowledge
        keeper = keeper or MemoryKeeper(config.memory_dir, voxels)
        self._home = Home(survey, keeper, knowledge, reader)
        self._config = config
        self._retriever = retriever
        self._aggregator = aggregator
        self._jumps = PoseJumpFilter(config.max_speed)
        self._steps = StepBuffer((topics.OBSERVATION, topics.TEMPORAL_BELIEF))
        self._waiting: list[StepKey | Step] = []
        self._settled: dict[str, int] = {}
        self._frames: dict[int, CameraFrame] = {}
        self._newest: SpatialBelief | None = None
        self._updates: dict[int, KeyframeDetections] = {}
        self._tried_frames: dict[int, CameraFrame] = {}
        self._tried_updates: dict[int, KeyframeDetections] = {}
        self._arrived_up_to = 0
        self._looked_up_to = 0
        self._begun = (0, -1)  # watermark [ns] and number of the newest step of no task
        self._settled_up_to = 0
        self._robot = Pose()
        self._frame_id = ""

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        """Raises WorldError when time goes back: the world was reset, this memory was not."""
        match message:
            case Observation():
                if message.step > self._settled.get(message.task_id, -1) and self._steps.put(topic, message):
                    self._waiting.append(step_key(message))
            case Step():
                begun = message.watermark.nanoseconds, message.step
                if begun > self._begun:
                    self._begun = begun
                    self._waiting.append(message)
                    idle = [step for step in self._waiting if isinstance(step, Step)]
                    if len(idle) > MAX_PENDING_STEPS:
                        self._waiting.remove(idle[0])
            case TemporalBelief() if message.revision:
                return self._repeat(message)
            case TemporalBelief():
                self._steps.put(topic, message)
            case TaskResult():
                # A task that ended while a step waited (a node died, say) must not hold up the next one.
                self._waiting = [
                    step for step in self._waiting if isinstance(step, Step) or step[0] != message.task_id
                ]
            case KeyframeDetections():
                stamp = message.header.stamp.nanoseconds
                if stamp > self._looked_up_to:
                    self._updates[stamp] = message
                    self._looked_up_to = message.processed_until.nanoseconds
            case ObjectQuery() | MemoryRequest():
                return chain(self._complaints(), self._home.answer(message, self._frame_id))
            case CameraFrame():
                self._take_frame(message)
        return chain(self._complaints(), self._settle())

    def close(self) -> None:
        """Saves what is new, where it is kept. Raises MemoryNotKeptError."""
        self._home.close()

    def _complaints(self) -> Iterator[Emission]:
        return self._home.complaints(self._frame_id)

    def _take_frame(self, frame: CameraFrame) -> None:
        """Of a frame that cannot be used, where the robot stood is known as a rule; perception, which takes
        the same frame, says what is wrong with it."""
        if frame.stamp.nanoseconds <= self._arrived_up_to:
            return
        self._arrived_up_to = frame.stamp.nanoseconds
        if frame.pose is None:
            return
        self._frames[self._arrived_up_to] = frame
        if len(self._frames) > MAX_PENDING_FRAMES:
            self._map_up_to(min(self._frames))

    def _settle(self) -> Iterator[Emission]:
        """Answer every waiting step, in order, whose inputs are all there."""
        while self._waiting:
            waiting = self._waiting[0]
            opening = waiting if isinstance(waiting, Step) else self._observed(waiting)
            if opening is None or (isinstance(opening, Step) and self._is_past(opening)):
                self._waiting.pop(0)
                continue
            if self._is_past(opening):
                raise WorldError(
                    f"time went back from {self._settled_up_to / 1e9:.1f} to {opening.watermark.seconds:.1f} s: "
                    "the world was reset under a living memory; reset the components with it "
                    "(lifecycle_manager/reset)"
                )
            belief = self._steps.get(topics.TEMPORAL_BELIEF, TemporalBelief, step_key(opening))
            seen = min(self._arrived_up_to, self._looked_up_to) >= opening.watermark.nanoseconds
            if not seen or (belief is None and isinstance(opening, Observation)):
                return
            self._waiting.pop(0)
            yield from self._take_step(opening, belief)

    def _observed(self, key: StepKey) -> Observation | None:
        """None for one that is so old that it was let go."""
        return self._steps.get(topics.OBSERVATION, Observation, key)

    def _is_past(self, opening: Observation | Step) -> bool:
        return opening.watermark.nanoseconds < self._settled_up_to

    def _take_step(self, opening: Observation | Step, belief: TemporalBelief | None) -> Iterator[Emission]:
        """belief: of a task's step."""
        stamp = opening.watermark
        facts: Sequence[Relation] = ()
        if belief is not None:
            task_id, step = step_key(belief)
            self._settled[task_id] = step
            while len(self._settled) > SETTLED_TASKS:
                del self._settled[next(iter(self._settled))]
            asked = RelationQuery(belief)
            facts = self._retriever.answer(asked).triples
            yield role_call(
                RELATION_RETRIEVER, asked, StepStamp(header=Header(stamp), task_id=task_id, step=step)
            )
        leaves = self._opened_doors(facts)
        self._settled_up_to = stamp.nanoseconds
        self._map_up_to(stamp.nanoseconds, facts)
        base = self._robot.position.x, self._robot.position.y
        for leaf in leaves:
            self._home.map.forget(leaf.low.tolist(), leaf.high.tolist(), base)
        yield from self._complaints()
        if isinstance(opening, Observation) and not opening.holding:
            self._home.objects.release_held(stamp)
        yield from self._beliefs(opening, belief)

    def _repeat(self, temporal: TemporalBelief) -> Iterator[Emission]:
        """The belief of a step that is settled, in the revision of a temporal belief that came of a memory action: the
        robot stands where it stood, and has seen nothing since."""
        newest = self._newest
        if (
            newest is not None
            and step_key(newest) == step_key(temporal)
            and newest.revision < temporal.revision
        ):
            derived_from = (
                message_ref(topics.TEMPORAL_BELIEF, temporal),
                message_ref(topics.SPATIAL_BELIEF, newest),
            )
            self._newest = replace(
                newest, at=replace(newest.at, revision=temporal.revision), derived_from=derived_from
            )
            yield topics.SPATIAL_BELIEF, self._newest

    def _opened_doors(self, facts: Iterable[Relation]) -> list[Box]:
        """Where the leaves of the doors were that have been opened since the last step."""
        opened = (
            self._home.objects.find(fact.subject)
            for fact in facts
            if fact.object == words.STATE_OPEN and fact.last_seen.nanoseconds > self._settled_up_to
        )
        doors = (item for item in opened if item and not self._knowledge.is_container(item.category))
        return [item.box for item in doors]

    def _map_up_to(self, watermark: int, facts: Sequence[Relation] = ()) -> None:
        """Take the frames, the keyframes and what was done, each when it was: the frame at the end of an action shows
        what the action did."""
        told = sorted(facts, key=lambda fact: fact.last_seen.nanoseconds)
        stamps = sorted(stamp for stamp in {*self._frames, *self._updates} if stamp <= watermark)
        if stamps:
            self._home.begin(stamps[0])
        if self._home.on_trial:
            self._tried_frames |= {stamp: self._frames[stamp] for stamp in stamps if stamp in self._frames}
            self._tried_updates |= {stamp: self._updates[stamp] for stamp in stamps if stamp in self._updates}
        for stamp in stamps:
            view = self._map_frame(self._frames.pop(stamp)) if stamp in self._frames else None
            while told and told[0].last_seen.nanoseconds <= stamp:
                self._home.objects.add_fact(told.pop(0))
            update = self._updates.pop(stamp, None)
            if update is not None and update.keyframe:
                self._home.objects.merge(_keyframe(update, view))
        for fact in told:
            self._home.objects.add_fact(fact)
        if self._home.is_elsewhere():
            self._frames |= self._tried_frames
            self._updates |= self._tried_updates
            self._jumps = PoseJumpFilter(self._config.max_speed)
            self._map_up_to(watermark, facts)
        elif not self._home.on_trial:
            self._tried_frames.clear()
            self._tried_updates.clear()

    def _map_frame(self, frame: CameraFrame) -> DepthView | None:
        """Returns what the frame shows, if it can be used."""
        pose, view = frame.pose, frame.view
        assert pose is not None
        try:
            self._jumps.check(pose)
        except StmaError:
            return None  # perception says why
        self._robot, self._frame_id = pose.base, pose.frame_id
        base = pose.base.position.x, pose.base.position.y
        if view is None:
            self._home.map.stand(base)
            return None
        self._home.look(view, frame.stamp)
        correction = self._home.map.integrate(
            view.depth_mm, view.camera, view.camera_pose, base, frame.stamp.nanoseconds, view.localization
        )
        if correction is not None:
            self._home.objects.correct(lambda stamp: correction.at(stamp.nanoseconds))
        return view

    def _beliefs(self, opening: Observation | Step, temporal: TemporalBelief | None) -> Iterator[Emission]:
        robot = self._robot.position.x, self._robot.position.y
        survey = self._home.map.survey(robot)
        header = Header(opening.watermark, self._frame_id)
        step = StepStamp(header=header, task_id=opening.task_id, step=opening.step)
        made_from: tuple[MessageRef, ...] = (message_ref(topics.STEP, opening),)
        if temporal is not None:
            made_from = (
                message_ref(topics.OBSERVATION, opening),
                message_ref(topics.TEMPORAL_BELIEF, temporal),
            )
        derived_from = (*made_from, *_watermarks(opening.watermark))
        objects = self._home.objects.objects

        graph = messages.scene_graph(
            step, objects, survey, self._home.rooms, self._home.room_kinds, derived_from, self._knowledge
        )
        self._home.objects.set_relations(graph.relations)
        self._home.note(graph)
        frontiers = messages.frontiers(step, survey, derived_from)
        yield topics.SCENE_GRAPH, graph
        yield topics.FRONTIERS, frontiers
        yield topics.MAP, messages.occupancy_grid(header, survey)

        routes = messages.routes(objects, survey)
        room = messages.room_id(survey.room_at(*robot))
        facts = (
            *messages.object_facts(graph, objects, self._knowledge),
            *graph.relations,
            *messages.at_hand(robot, self._config.reach, objects, survey),
            *messages.frontier_facts(frontiers, survey),
        )
        asked = AggregateQuery(room, facts, routes)
        text = self._aggregator.answer(asked).text
        yield role_call(RELATION_AGGREGATOR, asked, step)
        sources = (
            *made_from,
            message_ref(topics.SCENE_GRAPH, graph),
            message_ref(topics.FRONTIERS, frontiers),
        )
        self._newest = SpatialBelief(
            at=step, robot=self._robot, room=room, facts=facts, routes=routes, text=text, derived_from=sources
        )
        yield topics.SPATIAL_BELIEF, self._newest


def _keyframe(update: KeyframeDetections, view: DepthView | None) -> KeyframeObservation:
    stamp = update.header.stamp
    if view is None:
        return KeyframeObservation(stamp, update.detections, picture=update.picture)
    visibility_test = partial(looked_through, view.depth_mm, view.camera, view.camera_pose)
    return KeyframeObservation(
        stamp, update.detections, view.camera_pose[:3, 3].copy(), visibility_test, update.picture
    )


def _watermarks(stamp: Time) -> tuple[MessageRef, ...]:
    """The last of the frames and of the updates that a belief was made from."""
    name = str(stamp.nanoseconds)
    return MessageRef(topics.CAMERA_FRAME, name), MessageRef(topics.KEYFRAME_DETECTIONS, name)
