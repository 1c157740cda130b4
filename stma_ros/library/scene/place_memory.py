"""The memory of a place: the map, the objects and the rooms, with queries, saving and forgetting."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass, fields

from stma_ros.library.memory_answers import answer_text
from stma_ros.library.persistence import clock_offset
from stma_ros.library.queryable_memory import forgotten
from stma_ros.library.scene import scene_facts, scene_messages
from stma_ros.library.scene.place_persistence import PlacePersistence, SavedPlace
from stma_ros.library.scene.sighting_index import SightingIndex
from stma_ros.mapping.building_map import Base, BuildingMap, BuildingMapConfig
from stma_ros.mapping.frontiers.boundary_rules import FrontierConfig
from stma_ros.mapping.frontiers.published_rules import PublishedFrontierConfig
from stma_ros.mapping.frontiers.rules import OWN, PUBLISHED
from stma_ros.mapping.spatial_map import MapSnapshot, SpatialMapConfig
from stma_ros.mapping.voxel_grid import BINARY, HIT_MISS, RULES, VoxelGridConfig
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.descriptions import DescriptionReader
from stma_ros.memory.keyframe_observation import KeyframeObservation
from stma_ros.memory.object_timeline import ObjectTimeline
from stma_ros.memory.question_answerer import QuestionAnswerer
from stma_ros.memory.room_sightings import RoomSightings
from stma_ros.memory.scene_graph import ObjectMemory, SavedObjects
from stma_ros.sensing.camera_frame import DepthView
from stma_ros.sensing.pose_jump_filter import FrameConfig
from stma_ros.storage.codec import shift_times
from stma_ros.types.common import Error, MessageRef
from stma_ros.types.errors import NotRememberedError, PoseJumpError, StmaError, TaskNotUnderstoodError
from stma_ros.types.floors import Floors, check_floors
from stma_ros.types.remembering import MemoryAnswer, MemoryQuestion, ObjectQuery, ObjectQueryResult
from stma_ros.types.scene_graph import Relation, SceneGraph
from stma_ros.types.settings import setting
from stma_ros.types.standard import Header, Time
from stma_ros.types.stepped import StepStamp


@dataclass(frozen=True)
class MappingConfig(PublishedFrontierConfig, FrameConfig):
    """Settings of the map."""

    resolution: float = setting(
        0.05, "edge of a voxel and of a cell of the map", unit="m", low=0.02, high=0.25
    )
    max_range: float = setting(5.0, "depth beyond this is not mapped", unit="m", low=0.5, high=60)
    robot_radius: float = setting(0.25, "radius of the base", unit="m", low=0.05, high=2)
    mapping_rule: str = setting(
        HIT_MISS,
        f"how depth changes voxels: {HIT_MISS} counts, so that doors may close again; {BINARY} frees them for good, as "
        "3D-Mem does, and knows no walls, nor whether a saved memory is of this home",
        choices=RULES,
    )
    frontier_rules: str = setting(
        OWN,
        "where frontiers are: own = where the known floor ends; published = where the floor that was seen from near "
        "ends, as in 3D-Mem and Pred-EQA",
        choices=(OWN, PUBLISHED),
    )
    floors: str = setting(
        "",
        'heights of the floors of the building above z = 0 of the map, such as "0, 2.8"; each has a map of its own; '
        "empty = one floor at 0",
        unit="m",
        validate=check_floors,
    )

    @property
    def building(self) -> BuildingMapConfig:
        """The same as the map takes it."""
        voxels = VoxelGridConfig(resolution=self.resolution, max_range=self.max_range, rule=self.mapping_rule)
        frontiers: FrontierConfig | PublishedFrontierConfig = FrontierConfig()
        if self.frontier_rules == PUBLISHED:
            names = [field.name for field in fields(PublishedFrontierConfig)]
            frontiers = PublishedFrontierConfig(**{name: getattr(self, name) for name in names})
        one = SpatialMapConfig(voxels=voxels, frontiers=frontiers, robot_radius=self.robot_radius)
        return BuildingMapConfig(one, Floors.parse(self.floors))


class PlaceMemory:
    """A QueryableMemory of one place. It begins with the saved memory, if there is one.

    Attributes:
        map: The map.
        timeline: Through it the objects of the scene graph change.
        rooms: Times when each room was seen.
        room_kinds: Categories of rooms by id in the last scene graph.
        base: Where the robot was in the last frame, or when the memory was saved (x, y, z) [m].
        facts: Facts of the last scene graph, from which questions are answered; None = they are not known.
        forgotten_up_to: Stamp up to which frames had been processed when things were last forgotten [ns]; -1 = none
            were. Detections up to it must not be processed again.
    """

    def __init__(
        self,
        map_config: BuildingMapConfig,
        persistence: PlacePersistence,
        knowledge: CategoryKnowledge,
        reader: DescriptionReader,
        answerer: QuestionAnswerer,
    ) -> None:
        """Makes a memory, and loads a saved one.

        Args:
            map_config: Settings of the map.
            persistence: Saves and loads the memory.
            knowledge: Knowledge of categories in the domain.
            reader: Reader of descriptions of objects in the domain.
            answerer: Answers questions from the facts of the scene.
        """
        self._answerer = answerer
        self._map_config = map_config
        self._persistence = persistence
        self._knowledge = knowledge
        self._reader = reader
        self._notices: list[StmaError] = []
        self.forgotten_up_to = -1
        self._start(persistence.load())

    def _start(self, saved: SavedPlace | None) -> None:
        if saved is None:
            self.map = BuildingMap(self._map_config)
            self.timeline = ObjectTimeline(ObjectMemory(self._knowledge, floors=self._map_config.floors))
            self.rooms = RoomSightings()
        else:
            self.map = BuildingMap(self._map_config, saved.maps)
            self.timeline = self._restored(saved.objects)
            self.rooms = RoomSightings(saved.rooms)
        self.room_kinds: Mapping[str, str] = dict(saved.room_kinds) if saved else {}
        self.facts: Sequence[Relation] | None = None
        self.base: Base = saved.base if saved else (0.0, 0.0, 0.0)
        self._stamp = saved.stamp if saved else Time()
        self._saved_up_to = saved.stamp if saved else None
        self._is_dated = saved is None
        self._changed = False

    def _restored(self, objects: SavedObjects) -> ObjectTimeline:
        return ObjectTimeline(ObjectMemory.restored(objects, self._knowledge, floors=self._map_config.floors))

    @property
    def objects(self) -> ObjectMemory:
        """The objects of the scene graph, to be read."""
        return self.timeline.objects

    # -- frames

    @property
    def on_trial(self) -> bool:
        """Whether it is not known yet if the loaded memory is of this place."""
        return self._persistence.on_trial

    @property
    def stamp(self) -> Time:
        """Stamp up to which frames have been processed."""
        return self._stamp

    def look(self, view: DepthView, height: float, stamp: Time) -> None:
        """Prepares for a frame that is about to be mapped; called in the order of stamps. height: of the base above
        z = 0 of the map [m]."""
        self._persistence.look(view, height)
        self._stamp = stamp
        self._changed = True

    def suspect(self) -> None:
        """Takes notice that the frame of the map has jumped: what was known is not told until it is seen again."""
        self.timeline.suspect()
        self.rooms = RoomSightings()
        self.room_kinds = {}
        self._notices.append(
            PoseJumpError(
                "the localisation jumped by more than odometry drifts: what was mapped before is not used until it is "
                "seen again; check what relocalised the robot"
            )
        )

    def begin(self, stamp: int) -> None:
        """Sets the stamp of the first frame [ns].

        If the clock was set back since the memory was saved, all its times are shifted into the past, which preserves
        the intervals between them; stamps may become negative.
        """
        if self._is_dated or self._saved_up_to is None:
            return
        self._is_dated = True
        late = clock_offset(self._saved_up_to, Time.from_nanoseconds(stamp))
        if late:
            self.timeline = self._restored(shift_times(self.objects.saved(), -late))
            self.rooms = RoomSightings(shift_times(self.rooms.saved(), -late))
            self._stamp = self._saved_up_to = shift_times(self._saved_up_to, -late)

    def is_elsewhere(self) -> bool:
        """Returns whether the loaded memory turns out to be of another place.

        It is then replaced by the next older one or an empty one, and all frames of the trial must be processed again.
        """
        if not self._persistence.is_of_another_place():
            return False
        self._start(self._persistence.load())
        return True

    def revise(self, keyframes: Iterable[KeyframeObservation], unanswered: Iterable[int]) -> None:
        """Takes detections that have come late.

        Args:
            keyframes: Earlier keyframes with these detections.
            unanswered: Stamps of keyframes to which none will come [ns].
        """
        self.timeline.revise(keyframes)
        self.timeline.settle(unanswered)
        self._changed = True

    def scene_graph(
        self, at: StepStamp, snapshot: MapSnapshot, derived_from: tuple[MessageRef, ...] = ()
    ) -> SceneGraph:
        """Makes the scene graph, and records the places of objects and the categories of rooms that follow from it.

        Args:
            at: Task, step and stamp of the message, and the map's frame.
            snapshot: The map at that time.
            derived_from: References to the messages that it is made from.
        """
        graph = scene_messages.scene_graph(
            at,
            self.objects.believed,
            self.objects.unconfirmed,
            snapshot,
            self.rooms,
            self.room_kinds,
            self._knowledge,
            self._map_config.floors,
            derived_from,
            self.objects.detected_relations,
        )
        rooms, knowledge, floors = snapshot.room_lookup, self._knowledge, self._map_config.floors
        self.timeline.set_relations(
            graph.relations,
            lambda objects: scene_messages.object_relations(
                objects.believed, rooms, knowledge, floors, objects.detected_relations
            ),
        )
        self.room_kinds = {room.id: room.category for room in graph.rooms}
        return graph

    # -- saving

    def take_refusals(self) -> tuple[StmaError, ...]:
        """Returns why saved memories, or what was known before a jump of the localisation, are not used, each once."""
        notices, self._notices = self._notices, []
        return (*self._persistence.take_refusals(), *notices)

    def close(self) -> None:
        """Saves the memory if there is a folder and something has changed, and unlocks the folder.

        Raises:
            MemoryNotSavedError: The memory cannot be saved.
        """
        try:
            if self._changed and self._persistence.has_folder:
                self.save()
        finally:
            self._persistence.close()

    # -- QueryableMemory

    def last_seen(self, query: ObjectQuery, header: Header) -> ObjectQueryResult:
        return self._sightings().answer(query, header)

    def ask(self, question: MemoryQuestion, header: Header) -> MemoryAnswer:
        facts = self._read_facts() if self.facts is None else self.facts
        try:
            found = self._answerer.answer(question.question, facts, self._stamp)
        except TaskNotUnderstoodError as reason:
            error = Error.of(reason)
            return MemoryAnswer(header=header, request_id=question.request_id, text=str(reason), error=error)
        looked_up = [self.last_seen(ObjectQuery(description=name, limit=1), header) for name in found.things]
        return MemoryAnswer(
            header=header,
            request_id=question.request_id,
            answer=found.answer,
            is_sure=found.is_sure,
            text=answer_text(found, [each.text for each in looked_up]),
            evidence=tuple(sighting for each in looked_up for sighting in each.sightings),
        )

    def _read_facts(self) -> Sequence[Relation]:
        """Returns the facts of a memory that was loaded and has not seen anything yet."""
        at = StepStamp(header=Header(self._stamp))
        snapshot = self.map.snapshot(self.base)
        graph = self.scene_graph(at, snapshot)
        self.facts = scene_facts.known_facts(
            graph, self.objects.believed, snapshot, scene_messages.frontiers(at, snapshot), self._knowledge
        )
        return self.facts

    def save(self) -> str:
        changes = [] if self._saved_up_to is None else self._sightings().changes_since(self._saved_up_to)
        saved = SavedPlace(
            self._stamp,
            self.map.saved(),
            self.objects.saved(),
            self.rooms.saved(),
            tuple(self.room_kinds.items()),
            self.base,
        )
        path = self._persistence.save(saved)
        self._saved_up_to = self._stamp
        self._changed = False
        things, rooms = _count(self.objects.believed, "thing"), _count(saved.room_kinds, "room")
        text = f"Saved {things} in {rooms} to {path}."
        return f"{text} Since the last time: {'; '.join(changes)}." if changes else text

    def forget(self, subject: str) -> str:
        if not subject:
            path = self._persistence.forget()
            self._start(None)
            return f"Forgot everything; removed {path}." if path else "Forgot everything."
        names = self._named(subject)
        if not names:
            raise NotRememberedError(f"There is nothing to forget: no {subject!r} is remembered.")
        for name in names:
            self.timeline.forget(name)
        if self._is_dated:  # else no frame has been seen, and the clock may yet turn out to be set back
            self.forgotten_up_to = self._stamp.nanoseconds
        self.facts = None
        self._changed = True
        if self._persistence.file is not None:
            self.save()
        return forgotten(", ".join(names), self._persistence.file)

    def _named(self, subject: str) -> list[str]:
        """Returns the ids of the object with that id, or of the objects of that category."""
        thing = self.objects.find(subject)
        if thing is not None:
            return [thing.id]
        return [item.id for item in self.objects.objects if self._knowledge.is_kind(item.category, subject)]

    def _sightings(self) -> SightingIndex:
        kinds = {**self.room_kinds, **{thing.id: thing.category for thing in self.objects.objects}}
        return SightingIndex(
            self._knowledge,
            self._reader,
            self.objects.believed,
            kinds,
            self.objects.picture,
            self.objects.unconfirmed,
        )


def _count(items: Sized, noun: str) -> str:
    return f"{len(items)} {noun}" if len(items) == 1 else f"{len(items)} {noun}s"
