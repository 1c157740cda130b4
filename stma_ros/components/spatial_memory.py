"""Spatial memory: the map, the scene graph and the relation graph, and the spatial belief made from them
(STMA, section 4.2).

The belief of step k is made from every frame up to the watermark of observation k and from everything that
perception saw up to it, no more and no less, in whatever order they arrive.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from stma_ros.components.frames import FrameParts, PoseGuard, View, view_of
from stma_ros.components.join import StepKey, StepStore, step_key
from stma_ros.mapping import frontiers as mapped
from stma_ros.mapping.survey import SpatialMap, Survey, SurveyConfig
from stma_ros.mapping.voxel_grid import VoxelGridConfig
from stma_ros.memory.colours import colour_word
from stma_ros.memory.relations import relations
from stma_ros.memory.scene_graph import ObjectMemory
from stma_ros.memory.semantic import semantic_memory
from stma_ros.roles.contracts import (
    AggregateQuery,
    RelationAggregatorRole,
    RelationQuery,
    RelationRetrieverRole,
)
from stma_ros.roles.symbolic.relation_aggregator import SymbolicRelationAggregator
from stma_ros.roles.symbolic.relation_retriever import SymbolicRelationRetriever
from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.causality import source
from stma_ros.types.common import Source
from stma_ros.types.component import Emission
from stma_ros.types.errors import StmaError
from stma_ros.types.message import Message
from stma_ros.types.scene_graph import Frontier, Frontiers, Openness, RoomNode, Route, SceneGraph, Triple
from stma_ros.types.sensing import Observation, SceneGraphUpdate
from stma_ros.types.settings import setting
from stma_ros.types.standard import (
    Header,
    MapMetaData,
    OccupancyGrid,
    Point,
    Point32,
    Polygon,
    Pose,
    Time,
)

PARTS = (topics.DEPTH, topics.CAMERA_INFO, topics.CAMERA_POSE, topics.ODOMETRY)
MAP_FRAME = "map"


@dataclass(frozen=True)
class SpatialMemoryConfig:
    resolution: float = setting(
        0.05, "edge of a voxel and of a cell of the map", unit="m", low=0.02, high=0.5
    )
    max_range: float = setting(5.0, "depth beyond this is not mapped", unit="m", low=0.5, high=60)
    robot_radius: float = setting(0.25, "radius of the base", unit="m", low=0.05, high=2)
    reach: float = setting(
        1.3, "from the base's middle, how far away a thing is at hand", unit="m", low=0.1, high=5
    )
    max_speed: float = setting(2.0, "the fastest the base can move", unit="m/s", low=0.01)


class SpatialMemory:
    def __init__(self, config: SpatialMemoryConfig) -> None:
        voxels = VoxelGridConfig(resolution=config.resolution, max_range=config.max_range)
        self._map = SpatialMap(SurveyConfig(voxels=voxels, robot_radius=config.robot_radius))
        self._objects = ObjectMemory()
        self._config = config
        self._semantic = semantic_memory()
        self._retriever: RelationRetrieverRole = SymbolicRelationRetriever()
        self._aggregator: RelationAggregatorRole = SymbolicRelationAggregator()
        self._states: dict[str, Triple] = {}
        self._parts = FrameParts(PARTS)
        self._guard = PoseGuard(config.max_speed)
        self._steps = StepStore()
        self._waiting: list[StepKey] = []
        self._frames: dict[int, View | None] = {}
        self._updates: dict[int, SceneGraphUpdate] = {}
        self._arrived_up_to = 0
        self._looked_up_to = 0
        self._robot = Pose()

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        match message:
            case Observation():
                if self._steps.put(topic, message):
                    self._waiting.append(step_key(message))
            case TemporalBelief():
                self._steps.put(topic, message)
            case SceneGraphUpdate():
                stamp = message.header.stamp.nanoseconds
                if stamp > self._looked_up_to:
                    self._updates[stamp] = message
                    self._looked_up_to = message.looked_up_to.nanoseconds
            case _:
                self._take_part(topic, message)
        return self._settle()

    def _take_part(self, topic: str, message: Message) -> None:
        parts = self._parts.add(topic, message)
        if parts is None:
            return
        stamp = message.header.stamp.nanoseconds  # type: ignore[attr-defined]
        try:
            self._frames[stamp] = view_of(parts)
        except StmaError:
            self._frames[stamp] = None  # perception, which sees the same frame, says why
        self._arrived_up_to = stamp

    def _settle(self) -> Iterator[Emission]:
        """Answer every waiting step, in order, whose inputs are all there."""
        while self._waiting:
            key = self._waiting[0]
            observation = self._steps.get(topics.OBSERVATION, Observation, key)
            belief = self._steps.get(topics.TEMPORAL_BELIEF, TemporalBelief, key)
            if observation is None:  # so old that it was let go
                self._waiting.pop(0)
                continue
            watermark = observation.watermark.nanoseconds
            if belief is None or min(self._arrived_up_to, self._looked_up_to) < watermark:
                return
            self._waiting.pop(0)
            self._map_up_to(watermark)
            self._note_states(belief)
            yield from self._beliefs(observation, belief)

    def _map_up_to(self, watermark: int) -> None:
        for stamp in sorted(stamp for stamp in self._frames if stamp <= watermark):
            view = self._frames.pop(stamp)
            if view is not None:
                self._map_frame(view)
        for stamp in sorted(stamp for stamp in self._updates if stamp <= watermark):
            update = self._updates.pop(stamp)
            self._objects.merge(update.detections, update.header.stamp)

    def _map_frame(self, view: View) -> None:
        try:
            self._guard.check(view.stamp, view.base)
        except StmaError:
            return
        self._robot = view.base
        self._map.integrate(
            view.depth_mm, view.camera, view.camera_pose, (view.base.position.x, view.base.position.y)
        )

    def _note_states(self, belief: TemporalBelief) -> None:
        """What was done tells states that no camera shows; a newer fact replaces the older one."""
        for fact in self._retriever.retrieve_relations(RelationQuery(belief)).triples:
            if fact.predicate == words.STATE:
                self._states[fact.subject] = fact
                openness = {words.STATE_OPEN: Openness.OPEN, words.STATE_CLOSED: Openness.CLOSED}.get(
                    fact.object
                )
                if openness is not None:
                    self._objects.set_openness(fact.subject, openness)

    # -- what follows from the memory

    def _beliefs(self, observation: Observation, temporal: TemporalBelief) -> Iterator[Emission]:
        survey = self._map.survey((self._robot.position.x, self._robot.position.y))
        header = Header(observation.watermark, MAP_FRAME)
        task_id, step = observation.task_id, observation.step
        made_from = (source(topics.OBSERVATION, observation), source(topics.TEMPORAL_BELIEF, temporal))
        based_on = (*made_from, *_watermarks(observation.watermark))
        graph = self._scene_graph(header, task_id, step, survey, based_on)
        frontiers = Frontiers(
            header, task_id, step, 0, tuple(_frontier(f) for f in survey.frontiers), based_on
        )
        yield topics.SCENE_GRAPH, graph
        yield topics.FRONTIERS, frontiers
        yield topics.MAP, _occupancy_grid(header, survey)
        routes = (*self._object_routes(survey), *_frontier_routes(survey))
        at_hand = self._at_hand(routes)
        facts = (*self._object_facts(graph), *graph.relations, *at_hand, *_frontier_facts(frontiers, survey))
        room = _room_id(survey.room_at(self._robot.position.x, self._robot.position.y))
        text = self._aggregator.aggregate_relations(AggregateQuery(room, facts, routes)).text
        yield (
            topics.SPATIAL_BELIEF,
            SpatialBelief(
                header,
                task_id,
                step,
                0,
                self._robot,
                room,
                facts,
                routes,
                text,
                (*made_from, source(topics.SCENE_GRAPH, graph), source(topics.FRONTIERS, frontiers)),
            ),
        )

    def _scene_graph(
        self, header: Header, task_id: str, step: int, survey: Survey, based_on: tuple[Source, ...]
    ) -> SceneGraph:
        objects = self._objects.objects
        facts = relations(objects, self._semantic.is_container, lambda x, y: _room_id(survey.room_at(x, y)))
        contents: dict[str, list[str]] = {}
        categories = {item.id: item.category for item in objects}
        for fact in facts:
            if fact.predicate == words.IN_ROOM:
                contents.setdefault(fact.object, []).append(categories[fact.subject])
        rooms = []
        for room in survey.rooms.rooms:
            kind, confidence = self._semantic.room_kind(contents.get(_room_id(room.id), ()))
            footprint = Polygon(tuple(Point32(x, y, 0.0) for x, y in room.polygon))
            rooms.append(
                RoomNode(_room_id(room.id), kind, confidence, Point(*room.centroid), room.area, footprint)
            )
        nodes = tuple(item.node() for item in objects)
        return SceneGraph(header, task_id, step, 0, nodes, tuple(rooms), facts, based_on)

    def _object_facts(self, graph: SceneGraph) -> Iterator[Triple]:
        for room in graph.rooms:
            if room.category:
                yield Triple(room.id, words.IS_A, room.category, room.confidence)
        for node in graph.objects:
            seen = (node.first_seen, node.last_seen)
            yield Triple(node.id, words.IS_A, node.category, node.confidence, *seen)
            colour = colour_word(node.color)
            if colour:
                yield Triple(node.id, words.COLOUR, colour, node.confidence, *seen)
            if node.id in self._states:
                yield self._states[node.id]
            elif self._semantic.is_container(node.category):
                yield Triple(node.id, words.STATE, words.STATE_UNKNOWN, 1.0, *seen)

    def _at_hand(self, routes: Iterable[Route]) -> Iterator[Triple]:
        """What the robot can reach from where it stands. What is as near but behind a wall has a longer way."""
        length = {route.target: route.length for route in routes}
        here = np.array([self._robot.position.x, self._robot.position.y])
        for item in self._objects.objects:
            apart = np.maximum(item.box.low[:2] - here, here - item.box.high[:2]).clip(0)
            if np.hypot(*apart) <= self._config.reach and length[item.id] <= self._config.reach:
                yield Triple(words.ROBOT, words.NEAR, item.id, item.confidence)

    def _object_routes(self, survey: Survey) -> Iterator[Route]:
        for item in self._objects.objects:
            pose = survey.standing_pose(item.box.middle.tolist(), item.box.extent.tolist())
            if pose is None:
                yield Route(item.id)
            else:
                yield Route(item.id, Pose.planar(pose.x, pose.y, pose.yaw), pose.distance)


def _room_id(number: int) -> str:
    return f"room_{number}" if number else ""


def _frontier_id(number: int) -> str:
    return f"frontier_{number}"


def _watermarks(stamp: Time) -> tuple[Source, ...]:
    """The last of the frames and of the updates that a belief was made from."""
    name = str(stamp.nanoseconds)
    return Source(topics.DEPTH, name), Source(topics.SCENE_GRAPH_UPDATE, name)


def _frontier(found: mapped.Frontier) -> Frontier:
    viewpoint = Pose.planar(*found.viewpoint)
    return Frontier(_frontier_id(found.id), Point(*found.center), viewpoint, found.length, found.unknown_area)


def _frontier_facts(frontiers: Frontiers, survey: Survey) -> Iterator[Triple]:
    for frontier in frontiers.frontiers:
        yield Triple(frontier.id, words.IS_A, words.FRONTIER)
        yield Triple(frontier.id, words.UNKNOWN_AREA, f"{frontier.unknown_area:.1f}")
        room = _room_id(survey.room_at(frontier.center.x, frontier.center.y))
        if room:
            yield Triple(frontier.id, words.IN_ROOM, room)


def _frontier_routes(survey: Survey) -> Iterator[Route]:
    for frontier in survey.frontiers:
        yield Route(_frontier_id(frontier.id), Pose.planar(*frontier.viewpoint), frontier.distance)


def _occupancy_grid(header: Header, survey: Survey) -> OccupancyGrid:
    geometry = survey.occupancy.geometry
    origin = Pose.planar(*geometry.origin, 0.0)
    info = MapMetaData(header.stamp, geometry.resolution, geometry.cols, geometry.rows, origin)
    return OccupancyGrid(header, info, survey.occupancy.data)
