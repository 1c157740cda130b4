"""A spatial memory for Python programs: RGB-D frames in; map, scene graph and answers out."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike

from stma_ros.library.category_reader import CategoryReader
from stma_ros.library.frame_guard import FrameGuard
from stma_ros.library.household import household_knowledge, household_reader
from stma_ros.library.owned_memory import OwnedMemory
from stma_ros.library.results import FrameResult, LastSeen
from stma_ros.library.scene import scene_messages
from stma_ros.library.scene.frame_mapper import FrameMapper
from stma_ros.library.scene.keyframes import KeyframeConfig, KeyframeSelector, with_detections
from stma_ros.library.scene.place_memory import MappingConfig, PlaceMemory
from stma_ros.library.scene.place_persistence import PlacePersistence
from stma_ros.mapping.spatial_map import MapSnapshot
from stma_ros.mapping.warm_up import warm_up
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.descriptions import DescriptionReader
from stma_ros.sensing.camera_frame import CameraFrame
from stma_ros.sensing.detectors.port import Detector
from stma_ros.sensing.detectors.segmentation import SegmentationDetector
from stma_ros.types import topics
from stma_ros.types.common import Error
from stma_ros.types.errors import PoseJumpError
from stma_ros.types.remembering import ObjectQuery
from stma_ros.types.scene_graph import Frontiers, SceneGraph
from stma_ros.types.sensing import KeyframeDetections
from stma_ros.types.settings import check_config
from stma_ros.types.standard import Header
from stma_ros.types.stepped import StepStamp


@dataclass(frozen=True)
class SceneMemoryConfig:
    """Settings of a SceneMemory.

    Attributes:
        resolution: Edge of a voxel, and of a cell of the map [m].
        map_range: Depth beyond this is not mapped [m].
        robot_radius: Radius of the base, which frontiers and ways have to admit [m].
        max_speed: The fastest the base can move [m/s]; a frame that would need more is left out as an outlier.
        keyframe_distance: A frame this far [m] from the last keyframe of its camera is one.
        keyframe_turn: A frame turned this much [rad] from it is one.
        keyframe_change: A frame is one when this share of its depth [0..1] changed.
        keyframe_rate: Keyframes at most [Hz]; 0 = any number.
        detection_range: Depth beyond this is not looked at for things [m].
        min_pixels: With fewer pixels a segment is not taken for a thing.
        check_axes: Whether to refuse camera poses that look as if they were given in other axes.
    """

    resolution: float = MappingConfig.resolution
    map_range: float = MappingConfig.max_range
    robot_radius: float = MappingConfig.robot_radius
    max_speed: float = MappingConfig.max_speed
    keyframe_distance: float = KeyframeConfig.keyframe_distance
    keyframe_turn: float = KeyframeConfig.keyframe_turn
    keyframe_change: float = KeyframeConfig.keyframe_change
    keyframe_rate: float = KeyframeConfig.keyframe_rate
    detection_range: float = KeyframeConfig.max_range
    min_pixels: int = KeyframeConfig.min_pixels
    check_axes: bool = True

    @property
    def mapping(self) -> MappingConfig:
        """What concerns the map."""
        return MappingConfig(
            max_speed=self.max_speed,
            resolution=self.resolution,
            max_range=self.map_range,
            robot_radius=self.robot_radius,
        )

    @property
    def keyframes(self) -> KeyframeConfig:
        """What concerns keyframes and detections."""
        return KeyframeConfig(
            max_speed=self.max_speed,
            keyframe_distance=self.keyframe_distance,
            keyframe_turn=self.keyframe_turn,
            keyframe_change=self.keyframe_change,
            keyframe_rate=self.keyframe_rate,
            max_range=self.detection_range,
            min_pixels=self.min_pixels,
        )

    def check(self) -> None:
        """Raises ConfigurationError for a value that is out of range."""
        for part in (self.mapping, self.keyframes):
            check_config(part, type(self).__name__)


class SceneMemory(OwnedMemory):
    """Remembers a place: its map, its rooms, and the things in it with their states, relations and history.

        with SceneMemory("my_home") as memory:
            for frame in frames:
                memory.observe(frame)
            print(memory.last_seen("the red mug"))

    Where it is saved: in the folder that is given (a relative path is below the working directory), in files
    `memory.stma`, `memory-2.stma`, ... by `save` and by `close`. What was saved there is loaded when the memory is
    made, and compared with the first frames: a memory of another place stays as it is, and this one gets a file of its
    own. While a memory is open nobody else can open its folder. Without a folder nothing is saved.

    Frames: of one map and one clock, in the order of their stamps, from one or several cameras. A late one is refused.
    The base moves without jumps; corrections of the localisation are given as the frame's `localization`
    (CameraFrame.from_arrays), and the map and the things follow them. Frames without segmentation, and without a
    detector of your own, teach the map alone.

    Threads: it can be used from several; one call is done at a time, and what is returned is never changed.

    Ids: those of things are given when they are first seen; those of rooms and frontiers when they are first read.
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
        """Opens the folder, and loads what was saved there.

        Args:
            folder: Where the memory is saved; it is made if it is not there. None = nowhere.
            knowledge: What is true of categories (which are containers, which stand in kitchens, ...); by default what
                is known of households. CategoryKnowledge.of({}) knows nothing.
            reader: Understands what people call things; by default the household's English, and for other knowledge a
                plain reader of "COLOUR CATEGORY in/on PLACE".
            detector: Tells things apart in keyframes; by default the segmentation that frames bring.
            config: Settings.

        Raises:
            MemoryInUseError: Another process or object has the folder open.
            MemoryNotSavedError: The folder cannot be made or written.
            MemoryVersionError: The saved memory is of another version, or was made with another resolution or range.
            MemoryUnreadableError: The saved memory is damaged.
            ConfigurationError: A setting is out of range.
        """
        super().__init__(folder)
        config.check()
        warm_up()
        self._config = config
        if knowledge is None:
            self._knowledge = household_knowledge()
            reader = reader or household_reader(self._knowledge)
        else:
            self._knowledge = knowledge
            reader = reader or CategoryReader(knowledge)
        map_config = config.mapping.spatial_map
        persistence = PlacePersistence("" if self._folder is None else str(self._folder), map_config.voxels)
        self._place = PlaceMemory(map_config, persistence, self._knowledge, reader)
        self._warnings = [str(error) for error in persistence.require_usable()]
        self._needs_segmentation = detector is None
        self._detector = detector or SegmentationDetector(config.keyframes.limits)
        self._mapper = FrameMapper(self._place, config.max_speed)
        self._selectors: dict[str, KeyframeSelector] = {}
        self._guard = FrameGuard(config.check_axes)
        self._reading: tuple[SceneGraph, MapSnapshot] | None = None

    @property
    def warnings(self) -> tuple[str, ...]:
        """Why saved memories are not used, such as that they turned out to be of another place; oldest first."""
        with self._lock:
            self._warnings += (str(error) for error in self._place.take_refusals())
            return tuple(self._warnings)

    # -- frames

    def observe(self, frame: CameraFrame) -> FrameResult:
        """Takes a frame into the map and, where it is a keyframe, what it shows into the scene graph.

        Args:
            frame: Newer than all before. The keyframes of each camera are picked by where it is and what changed.

        Returns:
            What became of it: keyframe or not, the things it shows, and, where the sensor's data could not be used,
            why. A single bad frame costs nothing but itself.

        Raises:
            LateFrameError: It is not newer than the last one.
            WrongFrameError: It is in another map frame than the ones before, or its camera pose is in other axes.
            MemoryClosedError: The memory is closed.
        """
        with self._open():
            self._guard.check(frame)
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
        selector = self._selectors.setdefault(camera, KeyframeSelector(self._config.keyframes))
        if not self._shows_things(frame):
            return KeyframeDetections(
                header=frame.header, processed_until=frame.stamp, error=selector.problem(frame)
            )
        update = selector.look(frame)
        if not update.keyframe:
            return update
        return with_detections(update, frame, self._detector.detect(frame), self._knowledge)

    def _shows_things(self, frame: CameraFrame) -> bool:
        """Whether the detector can find things in a frame; a keyframe without any would say that all have gone."""
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
        """Where the known ends: centre, viewpoint, length [m] and the unknown area behind [m^2], in the map frame."""
        with self._open():
            graph, snapshot = self._read()
            return scene_messages.frontiers(graph.at, snapshot)

    def last_seen(self, phrase: str, limit: int = 0) -> LastSeen:
        """Says where something was seen last.

        Args:
            phrase: What people call it ("the red mug", "my keys in the hall", "where did you last see a pen?"), or an
                object's id ("mug_1").
            limit: Sightings at most; 0 = all.
        """
        with self._open():
            graph, _ = self._read()
            return LastSeen.of(
                self._place.last_seen(ObjectQuery(description=phrase, limit=limit), graph.header)
            )

    def _read(self) -> tuple[SceneGraph, MapSnapshot]:
        """Returns what follows from all frames so far, made once."""
        if self._reading is None:
            base = self._mapper.base.position
            snapshot = self._place.map.snapshot((base.x, base.y))
            at = StepStamp(header=Header(self._place.stamp, self._mapper.frame_id))
            self._reading = self._place.scene_graph(at, snapshot), snapshot.detached()
        return self._reading

    # -- saving and forgetting

    def _forget(self, subject: str) -> str:
        self._reading = None
        return self._place.forget(subject)

    def save(self) -> str:
        """Saves the memory, in one go: what was there before is replaced when the new file is complete.

        Returns:
            What was saved where, and what has changed since the last time, as sentences.

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
