"""Recordings as other robots make them, derived from runs in the house world."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rosbags.rosbag2 import StoragePlugin, Writer
from rosbags.typesys import Stores, get_typestore

from stma_ros.agents.configured_agent import configure_agent
from stma_ros.agents.local_agent import LocalAgent
from stma_ros.components.spatial_memory.spatial_memory import SpatialMemory
from stma_ros.mapping.voxel_grid import VoxelGrid
from stma_ros.replay.passive_agent import PassiveAgent
from stma_ros.sensing.bag_frames import ExternalBagFrames, Tally
from stma_ros.sensing.bag_topics import choose_topics
from stma_ros.sensing.mapping_file import read_mapping
from stma_ros.storage.bag.reader import Bag, Recorded, read_bag
from stma_ros.storage.bag.writer import BagWriter, MessageRecorder
from stma_ros.storage.cdr import to_cdr
from stma_ros.types import topics
from stma_ros.types.message import Message
from stma_ros.types.standard import (
    CameraInfo,
    Header,
    Image,
    Odometry,
    Pose,
    PoseWithCovariance,
    Quaternion,
    TFMessage,
    Time,
    Transform,
    TransformStamped,
    Vector3,
)
from stma_ros.worlds.registry import make_world

SMALL = {"rooms": 3, "width": 160, "height": 120}

NAMES: Mapping[str, str] = {
    topics.COLOR: "/camera/color/image_raw",
    topics.DEPTH: "/camera/aligned_depth_to_color/image_raw",
    topics.CAMERA_INFO: "/camera/color/camera_info",
    topics.ODOMETRY: "/odom",
}
"""What another robot calls its topics."""

MOUNT = "camera: {xyz: [0, 0, 1.2], rpy: [0, 0.3, 0]}\n"
"""Of the house's robot, for a mapping file."""

STORE = get_typestore(Stores.ROS2_HUMBLE)


@dataclass(frozen=True)
class Run:
    """A recorded run, and the voxels of its spatial memory at the end."""

    folder: Path
    voxels: VoxelGrid
    skills: tuple[str, ...]


def record_run(folder: Path, task: str, commands: int, seed: int = 1000) -> Run:
    house = make_world("house", SMALL)
    try:
        house.reset(f"flat_{seed}", seed)
        skills: list[str] = []

        def note(topic: str, message: Message) -> None:
            if topic == topics.SKILL_REQUEST:
                skills.append(message.action.skill)  # type: ignore[attr-defined]

        with BagWriter(folder) as writer:
            agent = LocalAgent(house, configure_agent(), [MessageRecorder(writer), note])
            agent.run_task(task, commands)
            agent.close()
        return Run(folder, _voxels_of(agent._runtime._components), tuple(skills))
    finally:
        house.close()


def _voxels_of(attached: object) -> VoxelGrid:
    memories = [
        item.component
        for item in attached  # type: ignore[attr-defined]
        if isinstance(item.component, SpatialMemory)
    ]
    (saved,) = memories[0]._place.map.saved()
    return VoxelGrid.of(saved.voxels, saved.geometry, saved.counts)


def stripped(run: Path, names: Mapping[str, str] = NAMES) -> Iterator[Recorded]:
    """Returns camera, depth, calibration and odometry of a run under other names, its localisation as transforms, and
    no other topic. A frame's transform comes before the frame, as from a robot that publishes it all the time."""
    recorded = sorted(read_bag(run), key=lambda each: (each.stamp_ns, each.topic != topics.LOCALIZATION))
    for topic, stamp, message in recorded:
        if topic in names:
            yield Recorded(names[topic], stamp, message)
        elif isinstance(message, TransformStamped):
            yield tf(message)


def write_sqlite(folder: Path, messages: Iterable[Recorded]) -> Path:
    """Writes a bag as rosbag2 does by default."""
    with Writer(folder, version=8, storage_plugin=StoragePlugin.SQLITE3) as writer:
        connections = {}
        for name, stamp, message in messages:
            if name not in connections:
                connections[name] = writer.add_connection(name, message.ROS_TYPE, typestore=STORE)
            writer.write(connections[name], stamp, to_cdr(message))
    return folder


def write_mcap(folder: Path, messages: Iterable[Recorded]) -> Path:
    with BagWriter(folder) as writer:
        for name, stamp, message in messages:
            writer.add_topic(name, message.ROS_TYPE)
            writer.write(name, to_cdr(message), stamp)
    return folder


def map_of(bag: Path, mapping: Path | None) -> tuple[VoxelGrid, Tally]:
    """Returns the map of a passive agent, and the tally of its frames."""
    opened, about = Bag(bag), read_mapping(mapping)
    frames = ExternalBagFrames(opened, choose_topics(opened, about), about)
    agent = PassiveAgent(configure_agent())
    for frame in frames:
        agent.take(frame)
    agent.finish()
    return _voxels_of(agent._runtime._components), frames.tally


def same(ours: VoxelGrid, theirs: VoxelGrid) -> bool:
    """Compares two maps voxel by voxel."""
    return ours.geometry == theirs.geometry and np.array_equal(ours.counts, theirs.counts)


# -- a robot that drives along a wall, for what needs no flat

WIDTH, HEIGHT, FOCAL = 40, 30, 20.0
OPTICAL = "camera_color_optical_frame"
SECOND = 1_000_000_000
BEGIN = 1_700_000_000 * SECOND


def images(stamp: int, depth_mm: int = 2000, frame: str = OPTICAL) -> Iterator[Recorded]:
    """Returns colour, depth and calibration, recorded 10 ms after their stamps."""
    header = Header(Time.from_nanoseconds(stamp), frame)
    logged = max(stamp, 0) + SECOND // 100
    color = np.full((HEIGHT, WIDTH, 3), 128, np.uint8)
    depth = np.full((HEIGHT, WIDTH), depth_mm, np.uint16)
    yield Recorded(NAMES[topics.COLOR], logged, Image.from_array(header, color, "rgb8"))
    yield Recorded(NAMES[topics.DEPTH], logged, Image.from_array(header, depth, "16UC1"))
    yield Recorded(NAMES[topics.CAMERA_INFO], logged, camera_info(header))


def camera_info(
    header: Header = Header(), distortion: tuple[float, ...] = (), model: str = "plumb_bob"
) -> CameraInfo:
    k = np.array([FOCAL, 0, (WIDTH - 1) / 2, 0, FOCAL, (HEIGHT - 1) / 2, 0, 0, 1])
    return CameraInfo(header, HEIGHT, WIDTH, model, np.array(distortion), k)


def odometry(stamp: int, x: float = 0.0, yaw: float = 0.0) -> Recorded:
    header = Header(Time.from_nanoseconds(stamp), "odom")
    pose = PoseWithCovariance(Pose.planar(x, 0.0, yaw))
    return Recorded(NAMES[topics.ODOMETRY], max(stamp, 0), Odometry(header, "base_link", pose))


def transform(
    stamp: int,
    parent: str,
    child: str,
    xyz: tuple[float, float, float] = (0, 0, 0),
    xyzw: tuple[float, float, float, float] = (0, 0, 0, 1),
) -> TransformStamped:
    header = Header(Time.from_nanoseconds(stamp), parent)
    return TransformStamped(header, child, Transform(Vector3(*xyz), Quaternion(*xyzw)))


def tf(*transforms: TransformStamped, static: bool = False) -> Recorded:
    stamp = transforms[0].header.stamp.nanoseconds
    return Recorded("/tf_static" if static else "/tf", stamp, TFMessage(transforms))


def drive(seconds: float = 2.0, begin: int = BEGIN, hz: int = 10) -> list[Recorded]:
    """Returns images at 10 Hz and odometry at 50 Hz, half a metre a second along x, in the order of recording."""
    step = SECOND // hz
    count = round(seconds * hz)
    taken = [recorded for k in range(count) for recorded in images(begin + k * step)]
    moves = [odometry(begin + k * step // 5, 0.1 * k / hz) for k in range(-5, 5 * count + 5)]
    return sorted((*taken, *moves), key=lambda recorded: recorded.stamp_ns)
