"""A spatial memory for Python programs: makes a map, a scene graph and answers from RGB-D frames."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike

from stma_ros.library.category_reader import CategoryReader
from stma_ros.library.frame_guard import FrameGuard, check_clock
from stma_ros.library.household import household_answerer, household_knowledge, household_reader
from stma_ros.library.last_seen import object_query
from stma_ros.library.owned_memory import FOLDER, OwnedMemory
from stma_ros.library.results import Answer, FrameResult, LastSeen
from stma_ros.library.scene import scene_facts, scene_messages
from stma_ros.library.scene.frame_mapper import FrameMapper
from stma_ros.library.scene.keyframes import KeyframeConfig, KeyframeSelector, with_detections
from stma_ros.library.scene.place_memory import MappingConfig, PlaceMemory
from stma_ros.library.scene.place_persistence import PlacePersistence
from stma_ros.mapping.spatial_map import MapSnapshot
from stma_ros.mapping.warm_up import warm_up
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.descriptions import DescriptionReader
from stma_ros.memory.negative_evidence import USUAL_RECALL
from stma_ros.sensing.camera_frame import CameraFrame
from stma_ros.sensing.detectors.fused import FusedDetector, SourceDetector
from stma_ros.sensing.detectors.names import SEGMENTATION
from stma_ros.sensing.detectors.port import Detector
from stma_ros.sensing.detectors.reliability import Reliability
from stma_ros.sensing.detectors.segmentation import SegmentationDetector
from stma_ros.sensing.pose_jump_filter import PoseJumpFilter
from stma_ros.types import topics
from stma_ros.types.common import Error
from stma_ros.types.errors import PoseJumpError
from stma_ros.types.evidence import Masks
from stma_ros.types.remembering import MemoryQuestion
from stma_ros.types.scene_graph import Frontiers, SceneGraph
from stma_ros.types.sensing import KeyframeDetections
from stma_ros.types.settings import check_config, require_kind
from stma_ros.types.standard import Header
from stma_ros.types.stepped import StepStamp


@dataclass(frozen=True)
class SceneMemoryConfig:
    """Settings of a SceneMemory.

    Attributes:
        resolution: Edge length of voxels, and of the map's cells [m].
        map_range: Largest depth that is mapped [m].
        robot_radius: Radius of the base, for which frontiers and ways must be wide enough [m].
        frontier_rules: "own": frontiers are where the known floor ends; "published": where the floor that was seen from
            near ends, as in 3D-Mem and Pred-EQA.
        floors: Heights of the floors above z = 0 of the map, such as "0, 2.8" [m]; empty: there is one at z = 0. The
            map is of the floor on which the base is, whose pose must then be given with each frame.
        max_speed: Largest speed of the base [m/s]; frames that would require more are left out as outliers.
        keyframe_distance: Distance from the last keyframe of a camera at which a frame is a keyframe [m].
        keyframe_turn: Rotation from the last keyframe at which a frame is a keyframe [rad].
        keyframe_change: Share of changed depth [0..1] at which a frame is a keyframe.
        keyframe_rate: Largest rate of keyframes [Hz]; 0 = any.
        detection_range: Largest depth at which objects are detected [m].
        min_pixels: Smallest number of pixels for a segment to be an object.
        masks: Shape of the segments: "outlines" of objects, or "boxes" around them, in which depth finds the object.
        guess_states: States that are inferred besides those that labels and detectors report: "none", or "geometry":
            open and closed from the shape of furniture and doors, where segments have the true outlines of objects.
        check_axes: Whether to reject camera poses that seem to have other axes.
    """

    resolution: float = MappingConfig.resolution
    map_range: float = MappingConfig.max_range
    robot_radius: float = MappingConfig.robot_radius
    frontier_rules: str = MappingConfig.frontier_rules
    floors: str = MappingConfig.floors
    max_speed: float = MappingConfig.max_speed
    keyframe_distance: float = KeyframeConfig.keyframe_distance
    keyframe_turn: float = KeyframeConfig.keyframe_turn
    keyframe_change: float = KeyframeConfig.keyframe_change
    keyframe_rate: float = KeyframeConfig.keyframe_rate
    detection_range: float = KeyframeConfig.max_range
    min_pixels: int = KeyframeConfig.min_pixels
    masks: str = KeyframeConfig.masks
    guess_states: str = KeyframeConfig.guess_states
    check_axes: bool = True

    @property
    def mapping(self) -> MappingConfig:
        """The settings of the map."""
        return MappingConfig(
            max_speed=self.max_speed,
            resolution=self.resolution,
            max_range=self.map_range,
            robot_radius=self.robot_radius,
            frontier_rules=self.frontier_rules,
            floors=self.floors,
        )

    @property
    def keyframes(self) -> KeyframeConfig:
        """The settings of keyframes and detections."""
        return KeyframeConfig(
            max_speed=self.max_speed,
            keyframe_distance=self.keyframe_distance,
            keyframe_turn=self.keyframe_turn,
            keyframe_change=self.keyframe_change,
            keyframe_rate=self.keyframe_rate,
            max_range=self.detection_range,
            min_pixels=self.min_pixels,
            masks=self.masks,
            guess_states=self.guess_states,
        )

    def check(self) -> None:
        """Checks the settings.

        Raises:
            ConfigurationError: A value is out of range.
        """
        for part in (self.mapping, self.keyframes):
            check_config(part, type(self).__name__)


class SceneMemory(OwnedMemory):
    """Remembers a place: its map, its rooms, and the objects in it with their states, relations and history.

        with SceneMemory("my_home") as memory:
            for frame in frames:
                memory.observe(frame)
            print(memory.last_seen("the red mug"))

    Saving: `save` and `close` write to files `memory.stma`, `memory-2.stma`, ... in the folder (a relative path is
    below the working directory). The memory that was saved there is loaded at construction and compared with the first
    frames: a memory of another place is left unchanged, and this one gets a new file. The folder is locked while the
    memory is open. Without a folder nothing is saved.

    Frames: All frames have the same map frame and clock, and come in the order of their stamps, from one or several
    cameras; late frames are rejected, and so are frames with a date before the end of the saved memory. The base moves
    without jumps: corrections of the localisation are given as the frame's `localization` (CameraFrame.from_arrays),
    and the map and the objects follow them. Frames without segmentation update only the map, unless a detector is
    given.

    Threads: It can be used from several threads; calls are executed one at a time, and returned values never change.

    Ids: Objects get their ids when they are first seen, rooms and frontiers when they are first read.
    """

    _NAMED_BY = "an id or a category"

    def __init__(
        self,
        folder: str | PathLike[str] | None = None,
        *,
        knowledge: CategoryKnowledge | None = None,
        reader: DescriptionReader | None = None,
        detector: Detector | None = None,
        config: SceneMemoryConfig = SceneMemoryConfig(),
    ) -> None:
        """Opens the folder and loads the memory that was saved there.

        Args:
            folder: Folder of the memory; it is created if necessary. None = the memory is not saved.
            knowledge: Knowledge of categories (which are containers, which are found in kitchens, ...); by default that
                of households. CategoryKnowledge.of({}) is empty.
            reader: Reader of descriptions of objects; by default the household's English, and for other knowledge a
                plain reader of "COLOUR CATEGORY in/on PLACE".
            detector: Detector of objects in keyframes; by default it uses the segmentation of the frames.
            config: Settings.

        Raises:
            MemoryInUseError: Another process or object has the folder open.
            MemoryNotSavedError: The folder cannot be created or written.
            MemoryVersionError: The saved memory is of another version, or was made with another resolution or range.
            MemoryUnreadableError: The saved memory is damaged.
            ConfigurationError: A setting is out of range.
        """
        super().__init__(folder)
        require_kind(config, SceneMemoryConfig, "SceneMemory").check()
        warm_up()
        self._config = config
        if knowledge is None:
            self._knowledge = household_knowledge()
            reader = reader or household_reader(self._knowledge)
        else:
            self._knowledge = knowledge
            reader = reader or CategoryReader(knowledge)
        map_config = config.mapping.building
        folder_name = "" if self._folder is None else str(self._folder)
        persistence = PlacePersistence(folder_name, map_config, FOLDER)
        answerer = household_answerer(self._knowledge)
        self._place = PlaceMemory(map_config, persistence, self._knowledge, reader, answerer)
        self._warnings = [str(error) for error in persistence.require_usable()]
        self._saved_up_to = None if persistence.file is None else self._place.stamp
        self._needs_segmentation = detector is None
        name = "" if detector is not None else SEGMENTATION
        detector = detector or SegmentationDetector(
            config.keyframes.limits, self._knowledge, Masks(config.masks)
        )
        self._detector = FusedDetector(
            [SourceDetector(name, detector, Reliability(detector.recall or USUAL_RECALL))], self._knowledge
        )
        self._mapper = FrameMapper(self._place, config.max_speed)
        self._jumps = PoseJumpFilter(config.max_speed)
        self._selectors: dict[str, KeyframeSelector] = {}
        self._guard = FrameGuard(config.check_axes)
        self._reading: tuple[SceneGraph, MapSnapshot] | None = None

    @property
    def warnings(self) -> tuple[str, ...]:
        """Reasons why saved memories are not used, such as that they are of another place, or that the clock was set
        back since they were saved; oldest first."""
        with self._lock:
            self._warnings += (str(error) for error in self._place.take_refusals())
            return tuple(self._warnings)

    # -- frames

    def observe(self, frame: CameraFrame) -> FrameResult:
        """Adds a frame to the map and, if it is a keyframe, its objects to the scene graph.

        Args:
            frame: A frame that is newer than all before. The keyframes of each camera are chosen by its pose and the
                change of depth.

        Returns:
            Whether the frame is a keyframe, its detections, and the error if its data could not be used. A single bad
                frame has no further effect.

        Raises:
            LateFrameError: The frame is not newer than the last one, or has a date before the end of the saved memory.
            WrongFrameError: The frame is in another map frame than those before, or its camera pose has other axes.
            MemoryClosedError: The memory is closed.
        """
        with self._open():
            self._guard.check(frame)
            if self._saved_up_to is not None:
                if warning := check_clock(self._saved_up_to, frame):
                    self._warnings.append(warning)
                self._saved_up_to = None
            self._guard.accept(frame)
            self._reading = None
            update = self._look(frame)
            self._mapper.add_frame(frame)
            self._mapper.add_detections(update)
            try:
                self._mapper.map_up_to(frame.stamp.nanoseconds)
            except PoseJumpError as error:  # of a place that the map cannot grow to
                return FrameResult(error=Error.of(error))
            return FrameResult(update.keyframe, update.detections, update.error)

    def _look(self, frame: CameraFrame) -> KeyframeDetections:
        camera = frame.parts[topics.DEPTH].header.frame_id if topics.DEPTH in frame.parts else ""  # type: ignore[attr-defined]
        selector = self._selectors.setdefault(camera, KeyframeSelector(self._config.keyframes, self._jumps))
        if not self._shows_things(frame):
            return KeyframeDetections(
                header=frame.header, processed_until=frame.stamp, error=selector.problem(frame)
            )
        update = selector.look(frame)
        if not update.keyframe:
            return update
        output = self._detector.detect(frame)
        if output.has_failed:
            selector.failed(frame.stamp)
        return with_detections(update, frame, output, self._config.keyframes.guesses, self._knowledge)

    def _shows_things(self, frame: CameraFrame) -> bool:
        """Returns whether the detector can find objects in a frame. A keyframe without objects would mean that all
        have gone."""
        if frame.error or frame.color is None:
            return False
        segmentation = frame.segmentation
        return not self._needs_segmentation or (segmentation is not None and bool(segmentation.labels))

    # -- what is known

    @property
    def scene_graph(self) -> SceneGraph:
        """Objects with box [m], colour, states and times, rooms with footprint [m], and relations (in, on, near, in
        room), each with its confidence [0..1]; in the map frame, as of the newest frame."""
        with self._open():
            return self._read()[0]

    @property
    def map(self) -> MapSnapshot:
        """The map as of the newest frame: `occupancy` (rows x cols, int8: -1 unknown, 0 free, 100 occupied), `rooms`,
        `frontiers`, `room_at` a point, and `find_approach_pose` for a box, all in metres in the map frame."""
        with self._open():
            return self._read()[1]

    @property
    def frontiers(self) -> Frontiers:
        """Borders between free and unknown space: centre, viewpoint, length [m] and unknown area behind [m^2], in
        the map frame."""
        with self._open():
            graph, snapshot = self._read()
            return scene_messages.frontiers(graph.at, snapshot)

    def last_seen(self, phrase: str, limit: int = 0) -> LastSeen:
        """Returns where objects were last seen.

        Args:
            phrase: A description ("the red mug", "my keys in the hall", "where did you last see a pen?"), or an
                object's id ("mug_1").
            limit: Largest number of sightings; 0 = all.

        Raises:
            ConfigurationError: The limit is negative.
        """
        with self._open():
            graph, _ = self._read()
            return LastSeen.of(self._place.last_seen(object_query(phrase, limit), graph.header))

    def ask(self, question: str) -> Answer:
        """Returns what the memory answers to a question about the home, without looking again.

        Args:
            question: In English: "Is there milk in the fridge?", "What colour is the sofa?".

        Raises:
            TaskNotUnderstoodError: The text asks nothing that can be read.
        """
        with self._open():
            graph, snapshot = self._read()
            frontiers = scene_messages.frontiers(graph.at, snapshot)
            self._place.facts = scene_facts.known_facts(
                graph, self._place.objects.believed, snapshot, frontiers, self._knowledge
            )
            return Answer.of(self._place.ask(MemoryQuestion(question=question), graph.header))

    def _read(self) -> tuple[SceneGraph, MapSnapshot]:
        """Returns the scene graph and the map after all frames so far; they are computed once."""
        if self._reading is None:
            snapshot = self._place.map.snapshot(self._place.base)
            at = StepStamp(header=Header(self._place.stamp, self._mapper.frame_id))
            self._reading = self._place.scene_graph(at, snapshot), snapshot.detached()
        return self._reading

    # -- saving and forgetting

    def _forget(self, subject: str) -> str:
        self._reading = None
        if not subject:
            self._saved_up_to = None
        return self._place.forget(subject)

    def save(self) -> str:
        """Saves the memory atomically: the old file is replaced when the new one is complete.

        Returns:
            Sentences that describe what was saved and where, and what has changed since the last time.

        Raises:
            MemoryNotSavedError: There is no folder, or it cannot be written.
        """
        with self._open():
            self._read()  # the newest places of things and kinds of rooms are saved too
            return self._place.save()

    def _finish(self) -> None:
        try:
            self._read()
        finally:
            self._place.close()

    def __repr__(self) -> str:
        where = "not saved" if self._folder is None else repr(str(self._folder))
        return f"SceneMemory({where}, {len(self._place.objects.objects)} objects)"
