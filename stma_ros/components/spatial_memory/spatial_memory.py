"""Spatial memory: the map, the scene graph and the relation graph, and the spatial belief (STMA, section 4.2).

The belief of step k is made from all frames up to the watermark of observation k and all detections of perception up to
it, in whatever order they arrive. The same holds for steps outside of tasks, which begin while no task runs and need no
temporal belief.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from stma_ros.components.memory_requests import MemoryQueryHandler, load_warnings
from stma_ros.components.role_calls import role_call
from stma_ros.components.spatial_memory import belief_facts
from stma_ros.components.spatial_memory.belief_faults import BeliefFaultConfig, BeliefFaults
from stma_ros.components.spatial_memory.last_action import placed_by_last_action
from stma_ros.components.spatial_memory.put_down_places import PutDownPlaces
from stma_ros.components.spatial_memory.routes import Routes
from stma_ros.components.step_synchronizer import StepBuffer, StepKey, step_key
from stma_ros.library.scene import scene_facts, scene_messages
from stma_ros.library.scene.frame_mapper import FrameMapper, base_of
from stma_ros.library.scene.place_memory import MappingConfig, PlaceMemory
from stma_ros.library.scene.place_persistence import PlacePersistence
from stma_ros.mapping.warm_up import warm_up
from stma_ros.memory.boxes import Box
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.descriptions import DescriptionReader
from stma_ros.memory.knowledge_settings import KnowledgeConfig
from stma_ros.memory.question_answerer import QuestionAnswerer
from stma_ros.roles.relation_aggregator import RELATION_AGGREGATOR, AggregateQuery, RelationAggregatorRole
from stma_ros.roles.relation_retriever import RELATION_RETRIEVER, RelationQuery, RelationRetrieverRole
from stma_ros.sensing.camera_frame import CameraFrame
from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.causality import message_ref
from stma_ros.types.common import MessageRef
from stma_ros.types.component import Emission
from stma_ros.types.errors import WorldError
from stma_ros.types.message import Message
from stma_ros.types.planning import TaskResult
from stma_ros.types.remembering import MemoryQuestion, MemoryRequest, ObjectQuery
from stma_ros.types.scene_graph import Relation
from stma_ros.types.sensing import KeyframeDetections, Observation, Step
from stma_ros.types.settings import setting
from stma_ros.types.standard import Header, Pose, Time
from stma_ros.types.stepped import StepStamp

MAX_PENDING_STEPS = 64
"""Largest number of steps outside of tasks that wait for perception; beyond it the oldest are dropped."""

SETTLED_TASKS = 8
"""Tasks whose last settled step is remembered, to recognise duplicates."""


@dataclass(frozen=True)
class SpatialMemoryConfig(BeliefFaultConfig, MappingConfig, KnowledgeConfig):
    reach: float = setting(
        1.4, "from the base's middle, how far away a thing is at hand", unit="m", low=0.1, high=5
    )
    memory_dir: str = setting(
        "", "folder in which the memory is saved from one start to the next; empty = it is not saved"
    )


@dataclass(frozen=True)
class StepwiseSpatialMemoryConfig(SpatialMemoryConfig):
    """Settings where ways are gone in several steps."""

    max_stride: float = setting(
        1.0,
        "way towards a frontier or a thing that is gone in one step at most; 0 = the whole way",
        unit="m",
        low=0,
        high=100,
    )


class SpatialMemory:
    def __init__(
        self,
        config: SpatialMemoryConfig,
        knowledge: CategoryKnowledge,
        reader: DescriptionReader,
        retriever: RelationRetrieverRole,
        aggregator: RelationAggregatorRole,
        answers: QuestionAnswerer,
        *,
        max_stride: float = 0.0,
    ) -> None:
        """Opens the memory.

        Args:
            config: The settings.
            knowledge: Knowledge of categories in the domain.
            reader: Reader of descriptions of objects in the domain.
            retriever: Role that derives facts from the history.
            aggregator: Role that describes facts in words.
            answers: Answers questions from the facts of the scene.
            max_stride: As for Routes.

        Raises:
            ConfigurationError: A memory_dir is set with a mapping_rule whose maps cannot be compared.
            MemoryNotSavedError: The memory_dir cannot be used.
        """
        warm_up()
        map_config = config.building
        self._knowledge = knowledge
        self._place = PlaceMemory(
            map_config, PlacePersistence(config.memory_dir, map_config), knowledge, reader, answers
        )
        self._mapper = FrameMapper(self._place, config.max_speed)
        self._requests = MemoryQueryHandler(self._place)
        self._config = config
        self._retriever = retriever
        self._aggregator = aggregator
        self._faults = BeliefFaults(config, knowledge)
        self._put_down_places = PutDownPlaces(knowledge)
        self._routes = Routes(knowledge, max_stride)
        self._steps = StepBuffer((topics.OBSERVATION, topics.TEMPORAL_BELIEF))
        self._waiting: list[StepKey | Step] = []
        self._settled: dict[str, int] = {}
        self._newest: SpatialBelief | None = None
        self._begun = (0, -1)  # watermark [ns] and number of the newest step outside of tasks
        self._settled_up_to = 0
        self._task = ("", Time())  # the newest task, and when it began

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        """Takes one message.

        Raises:
            WorldError: Time goes back, as after a reset of the world alone.
        """
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
                # A task that ended while one of its steps waited (as when a node died) must not block the next one.
                self._waiting = [
                    step for step in self._waiting if isinstance(step, Step) or step[0] != message.task_id
                ]
            case KeyframeDetections():
                self._mapper.add_detections(message)
            case ObjectQuery() | MemoryRequest() | MemoryQuestion():
                if not isinstance(
                    message, MemoryQuestion
                ):  # which is answered from the facts of the last step
                    self._mapper.revise()
                return chain(self._load_warnings(), self._requests.answer(message, self._header))
            case CameraFrame():
                self._mapper.add_frame(message)  # perception reports the errors of frames that cannot be used
        return chain(self._load_warnings(), self._settle())

    def close(self) -> None:
        """Saves the memory if there is a memory_dir and something has changed.

        Raises:
            MemoryNotSavedError: The memory cannot be saved.
        """
        try:
            self._mapper.revise()
        finally:
            self._place.close()

    @property
    def _header(self) -> Header:
        """Returns the stamp up to which input has been processed, and the map's frame."""
        return Header(self._place.stamp, self._mapper.frame_id)

    def _load_warnings(self) -> Iterator[Emission]:
        return load_warnings(self._place.take_refusals(), self._header)

    def _settle(self) -> Iterator[Emission]:
        """Makes the beliefs of the waiting steps, in order, up to the first one that lacks an input."""
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
            seen = self._mapper.complete_up_to >= opening.watermark.nanoseconds
            if not seen or (belief is None and isinstance(opening, Observation)):
                return
            self._waiting.pop(0)
            yield from self._take_step(opening, belief)

    def _observed(self, key: StepKey) -> Observation | None:
        """Returns the observation of a step; None if it is so old that it was dropped."""
        return self._steps.get(topics.OBSERVATION, Observation, key)

    def _is_past(self, opening: Observation | Step) -> bool:
        return opening.watermark.nanoseconds < self._settled_up_to

    def _take_step(self, opening: Observation | Step, belief: TemporalBelief | None) -> Iterator[Emission]:
        """belief: of a task's step."""
        stamp = opening.watermark
        facts: Sequence[Relation] = ()
        put_at: Mapping[int, Pose] = {}
        if belief is not None:
            put_at = self._put_down_places.take(belief)
            task_id, step = step_key(belief)
            if task_id != self._task[0]:
                self._task = task_id, stamp
            self._settled[task_id] = step
            while len(self._settled) > SETTLED_TASKS:
                del self._settled[next(iter(self._settled))]
            asked = RelationQuery(belief)
            facts = self._retriever.answer(asked).triples
            facts = (*facts, *placed_by_last_action(belief, self._place.objects.objects, facts))
            yield role_call(
                RELATION_RETRIEVER, asked, StepStamp(header=Header(stamp), task_id=task_id, step=step)
            )
        leaves = self._opened_doors(facts)
        self._settled_up_to = stamp.nanoseconds
        restarts = self._place.map.restarts
        self._mapper.map_up_to(stamp.nanoseconds, facts, put_at)
        base = base_of(self._mapper.base)
        if self._place.map.restarts > restarts:  # in another frame, where none of this is
            self._put_down_places.forget()
            self._routes.forget()
        else:
            if belief is not None:
                self._routes.take(belief, base[:2])
            for leaf in leaves:
                self._place.map.forget(leaf.middle.tolist(), leaf.extent.tolist(), leaf.yaw, base)
        yield from self._load_warnings()
        if isinstance(opening, Observation) and not opening.holding:
            self._place.timeline.release_held(stamp)
        yield from self._beliefs(opening, belief)

    def _repeat(self, temporal: TemporalBelief) -> Iterator[Emission]:
        """Returns the belief of a settled step in the revision of a temporal belief after a memory action; the robot
        has neither moved nor observed anything since."""
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
        """Returns the former places of the leaves of doors that were opened since the last step."""
        opened = (
            self._place.objects.find(fact.subject)
            for fact in facts
            if fact.object == words.STATE_OPEN and fact.last_seen.nanoseconds > self._settled_up_to
        )
        doors = (item for item in opened if item and not self._knowledge.is_container(item.category))
        return [item.box for item in doors]

    def _beliefs(self, opening: Observation | Step, temporal: TemporalBelief | None) -> Iterator[Emission]:
        base = self._mapper.base
        robot = base.position.x, base.position.y
        header = Header(opening.watermark, self._mapper.frame_id)
        # The map first: a robot drives by it, and it does not wait for what is made of it.
        occupancy, floor = self._place.map.occupancy(base_of(base))
        yield topics.MAP, scene_messages.occupancy_grid(header, occupancy, floor)
        snapshot = self._place.map.snapshot(base_of(base))
        step = StepStamp(header=header, task_id=opening.task_id, step=opening.step)
        made_from: tuple[MessageRef, ...] = (message_ref(topics.STEP, opening),)
        if temporal is not None:
            made_from = (
                message_ref(topics.OBSERVATION, opening),
                message_ref(topics.TEMPORAL_BELIEF, temporal),
            )
        derived_from = (*made_from, *_watermarks(opening.watermark))
        objects, unconfirmed = self._place.objects.believed, self._place.objects.unconfirmed

        frontiers = scene_messages.frontiers(step, snapshot, derived_from)
        yield topics.FRONTIERS, frontiers
        graph = self._place.scene_graph(step, snapshot, derived_from)
        yield topics.SCENE_GRAPH, graph

        routes = self._routes.find(objects, snapshot, unconfirmed)
        room = scene_messages.room_id(snapshot.room_at(*robot))
        taken = belief_facts.origins(objects, self._task[1]) if temporal is not None else {}
        facts = (
            *scene_facts.object_facts(graph, objects, self._knowledge, taken),
            *scene_facts.other_room_kinds(graph, snapshot, self._knowledge),
            *graph.relations,
            *belief_facts.origin_facts(taken, objects),
            *belief_facts.at_hand(robot, self._config.reach, objects, snapshot),
            *scene_facts.frontier_facts(frontiers, snapshot),
            *scene_facts.unconfirmed_facts(unconfirmed, snapshot),
        )
        self._place.facts = facts
        free_places = self._put_down_places.offer(
            objects,
            graph.relations,
            snapshot,
            robot,
            holding=isinstance(opening, Observation) and opening.holding,
        )
        injected = None
        if temporal is not None:
            facts, injected = self._faults.corrupted(facts, temporal)
        asked = AggregateQuery(room, facts, routes)
        text = self._aggregator.answer(asked).text
        yield role_call(RELATION_AGGREGATOR, asked, step, injected=injected)
        sources = (
            *made_from,
            message_ref(topics.SCENE_GRAPH, graph),
            message_ref(topics.FRONTIERS, frontiers),
        )
        self._newest = SpatialBelief(
            at=step,
            robot=base,
            room=room,
            facts=facts,
            routes=routes,
            free_places=free_places,
            text=text,
            derived_from=sources,
        )
        yield topics.SPATIAL_BELIEF, self._newest


def _watermarks(stamp: Time) -> tuple[MessageRef, ...]:
    """Returns references to the last frame and the last detections that a belief was made from."""
    name = str(stamp.nanoseconds)
    return MessageRef(topics.CAMERA_FRAME, name), MessageRef(topics.KEYFRAME_DETECTIONS, name)
