"""Tests of assigning the topics of a recording by type and name or by a mapping file, whose mistakes are named."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.sensing.bag_topics import choose_topics
from stma_ros.sensing.detection_names import DetectionNames
from stma_ros.sensing.mapping_file import BagMapping, Mount, Topics, read_mapping
from stma_ros.sensing.topic_map import KINDS, TopicMap, map_topics
from stma_ros.storage.bag.reader import Bag, Recorded
from stma_ros.types import topics
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.standard import (
    CameraInfo,
    CompressedImage,
    Header,
    Image,
    Odometry,
    TFMessage,
    Time,
)
from support.sensing.external_bags import BEGIN, NAMES, camera_info, drive, write_mcap

IMAGE, PACKED, INFO = Image.ROS_TYPE, CompressedImage.ROS_TYPE, CameraInfo.ROS_TYPE
ODOMETRY, TF = Odometry.ROS_TYPE, TFMessage.ROS_TYPE

ROBOTS = {
    "a RealSense with aligned depth": (
        {
            "/camera/color/image_raw": IMAGE,
            "/camera/color/camera_info": INFO,
            "/camera/depth/image_rect_raw": IMAGE,
            "/camera/depth/camera_info": INFO,
            "/camera/aligned_depth_to_color/image_raw": IMAGE,
            "/camera/aligned_depth_to_color/camera_info": INFO,
            "/camera/infra1/image_rect_raw": IMAGE,
            "/camera/infra1/camera_info": INFO,
            "/odom": ODOMETRY,
            "/tf": TF,
            "/tf_static": TF,
        },
        TopicMap(
            color="/camera/color/image_raw",
            depth="/camera/aligned_depth_to_color/image_raw",
            camera_info="/camera/aligned_depth_to_color/camera_info",
            odometry="/odom",
            tf="/tf",
            tf_static="/tf_static",
        ),
    ),
    "an OpenNI camera on a robot that filters its odometry": (
        {
            "/front/rgb/image_rect_color": IMAGE,
            "/front/rgb/camera_info": INFO,
            "/front/depth_registered/image_raw": IMAGE,
            "/front/depth_registered/camera_info": INFO,
            "/rear/rgb/image_rect_color": IMAGE,
            "/rear/rgb/camera_info": INFO,
            "/wheel/odom": ODOMETRY,
            "/odometry/filtered": ODOMETRY,
            "/robot/tf": TF,
        },
        TopicMap(
            color="/front/rgb/image_rect_color",
            depth="/front/depth_registered/image_raw",
            camera_info="/front/depth_registered/camera_info",
            odometry="/odometry/filtered",
            tf="/robot/tf",
        ),
    ),
    "everything compressed": (
        {
            "/oak/rgb/image_raw/compressed": PACKED,
            "/oak/rgb/camera_info": INFO,
            "/oak/stereo/depth/compressedDepth": PACKED,
            "/oak/rgb/debug_overlay/compressed": PACKED,
            "/tf": TF,
        },
        TopicMap(
            color="/oak/rgb/image_raw/compressed",
            depth="/oak/stereo/depth/compressedDepth",
            camera_info="/oak/rgb/camera_info",
            tf="/tf",
        ),
    ),
    "depth in the compression of pictures and in its own": (
        {
            "/camera/color/image_raw/compressed": PACKED,
            "/camera/color/camera_info": INFO,
            "/camera/depth/image_rect_raw/compressed": PACKED,
            "/camera/depth/image_rect_raw/compressedDepth": PACKED,
            "/odom": ODOMETRY,
        },
        TopicMap(
            color="/camera/color/image_raw/compressed",
            depth="/camera/depth/image_rect_raw/compressedDepth",
            camera_info="/camera/color/camera_info",
            odometry="/odom",
        ),
    ),
    "an Azure Kinect": (
        {
            "/rgb/image_raw": IMAGE,
            "/rgb/camera_info": INFO,
            "/depth/image_raw": IMAGE,
            "/depth/camera_info": INFO,
            "/depth_to_rgb/image_raw": IMAGE,
            "/depth_to_rgb/camera_info": INFO,
            "/rgb_to_depth/image_raw": IMAGE,
            "/ir/image_raw": IMAGE,
            "/odom": ODOMETRY,
        },
        TopicMap(
            color="/rgb/image_raw",
            depth="/depth_to_rgb/image_raw",
            camera_info="/depth_to_rgb/camera_info",
            odometry="/odom",
        ),
    ),
    "our own names": (
        {
            "/camera/color": IMAGE,
            "/camera/depth": IMAGE,
            "/camera/segmentation": IMAGE,
            "/camera/segmentation_labels": "stma_ros/msg/SegmentLabels",
            "/camera/camera_info": INFO,
            "/odom": ODOMETRY,
        },
        TopicMap(
            color="/camera/color",
            depth="/camera/depth",
            camera_info="/camera/camera_info",
            odometry="/odom",
            segmentation="/camera/segmentation",
            segmentation_labels="/camera/segmentation_labels",
        ),
    ),
}


@pytest.mark.parametrize("robot", ROBOTS)
def test_topic_map_recognises_the_usual_names(robot: str) -> None:
    types, expected = ROBOTS[robot]
    assert map_topics(types, Topics()) == expected
    assert map_topics(dict(reversed(types.items())), Topics()) == expected
    assert not expected.missing(is_mounted=True)


def test_topic_map_prefers_the_topics_of_the_mapping_file() -> None:
    types, _ = ROBOTS["a RealSense with aligned depth"]
    asked = Topics(color="/camera/infra1/image_rect_raw", camera_info="/camera/infra1/camera_info")
    chosen = map_topics(types, asked)
    assert chosen.color == "/camera/infra1/image_rect_raw"
    assert chosen.camera_info == "/camera/infra1/camera_info"
    assert chosen.depth == "/camera/aligned_depth_to_color/image_raw"


@given(
    st.dictionaries(
        st.text(max_size=30), st.sampled_from([*{t for k in KINDS.values() for t in k}, "x/msg/Y"])
    )
)
def test_topic_map_uses_each_topic_once_and_by_its_type(types: dict[str, str]) -> None:
    names = map_topics(types, Topics()).names
    assert len(set(names.values())) == len(names)
    assert all(types[name] in KINDS[kind] for kind, name in names.items())


def test_topic_map_takes_the_calibration_of_the_depth_image_size(tmp_path: Path) -> None:
    header = Header(Time.from_nanoseconds(BEGIN))
    small = camera_info(header)
    large = CameraInfo(header, 480, 640, k=small.k)
    messages = [message for message in drive(0.5) if message.topic != NAMES[topics.CAMERA_INFO]]
    aligned_info = NAMES[topics.DEPTH].replace("image_raw", "camera_info")
    messages += [Recorded(aligned_info, BEGIN, large), Recorded("/elsewhere/camera_info", BEGIN, small)]
    chosen = choose_topics(Bag(write_mcap(tmp_path, messages)), BagMapping())
    assert chosen.camera_info == "/elsewhere/camera_info"


# -- errors and their remedies


def test_topic_map_of_a_bag_without_usable_topics_names_what_to_record() -> None:
    types = {"/scan": "sensor_msgs/msg/LaserScan"}
    with pytest.raises(ConfigurationError, match=r"no topic .* depth: record .*topics.depth.*/scan"):
        map_topics(types, Topics()).check(types, False, "bag")


@pytest.mark.parametrize("kind", ["color", "depth", "camera_info", "odometry"])
def test_topic_map_names_each_missing_part(kind: str) -> None:
    types = dict(ROBOTS["our own names"][0])
    del types[getattr(ROBOTS["our own names"][1], kind)]
    with pytest.raises(ConfigurationError, match=rf"could be the robot's {kind}: record .*topics\.{kind} in"):
        map_topics(types, Topics()).check(types, True, "bag")


def test_topic_map_asks_for_the_camera_mount_when_transforms_are_missing() -> None:
    types, chosen = ROBOTS["our own names"]
    with pytest.raises(
        ConfigurationError, match=r"tf_static: record /tf_static and /tf, or write .*camera: \{xyz"
    ):
        chosen.check(types, False, "bag")


def test_topic_map_refuses_a_missing_topic_with_the_nearest_one() -> None:
    types, _ = ROBOTS["our own names"]
    with pytest.raises(ConfigurationError, match=r"topics.depth: .*'/camera/dept'.*'/camera/depth'"):
        map_topics(types, Topics(depth="/camera/dept"))


def test_topic_map_refuses_a_topic_of_the_wrong_type() -> None:
    types, _ = ROBOTS["our own names"]
    with pytest.raises(
        ConfigurationError, match=r"topics.depth: /odom is nav_msgs/msg/Odometry, and must be"
    ):
        map_topics(types, Topics(depth="/odom"))


def mapping(folder: Path, text: str) -> BagMapping:
    file = folder / "mapping.yaml"
    file.write_text(text)
    return read_mapping(file)


def test_mapping_file_is_read(tmp_path: Path) -> None:
    text = """
    topics: {depth: /d, color: /c}
    frames: {base: base_footprint}
    camera: {xyz: [0.1, 0, 1.2], rpy: [0, 0.3, 0]}
    tolerance: 0.1
    segmentation_labels: {1: cup}
    """
    read = mapping(tmp_path, text)
    assert read.topics == Topics(depth="/d", color="/c")
    assert read.camera == Mount(xyz=(0.1, 0.0, 1.2), rpy=(0.0, 0.3, 0.0))
    assert (read.frames.base, read.tolerance, read.segmentation_labels) == ("base_footprint", 0.1, {1: "cup"})
    assert mapping(tmp_path, "") == read_mapping(None) == BagMapping()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("topic: {}", "no key 'topic'. Did you mean 'topics'"),
        ("topics: {dept: /d}", "topics.dept: there is no key 'dept'. Did you mean 'depth'"),
        ("frames: {bass: b}", "frames.bass: there is no key 'bass'. Did you mean 'base'"),
        ("camera: {xyz: [0, 0]}", "camera.xyz"),
        ("camera: {rpy: [0, 0, 0]}", "camera.xyz: is missing"),
        ("camera: {xyz: [0, 0, .nan]}", "camera.xyz[2]"),
        (
            "camera: {xyz: [0, 0, 1], rpy: [0, 17, 0]}",
            "camera.rpy: more than a full turn; write radians",
        ),
        ("tolerance: -1", "tolerance: input should be greater than 0, got -1"),
        ("stamps: arrival", "stamps: input should be 'header' or 'log'"),
        ("part: 0", "part"),
        ("floor: high", "floor: write auto, or the height of the floor in metres, got 'high'"),
        ("floor: true", "floor: write auto"),
        ("floor: .nan", "floor: write auto"),
        ("gravity: [0, 0, 0]", "gravity: no direction; write where things fall"),
        ("gravity: [0, 0]", "gravity"),
        (
            "depth_range: [6, 0.3]",
            "depth_range: not a range; write the least and the greatest depth in metres",
        ),
        ("depth_range: [300, 6000]", "depth_range: beyond all depth; write metres, not millimetres"),
        ("- depth", "must hold keys with values"),
        ("topics: [", "cannot be read as YAML"),
        ("topics: 3", "topics"),
    ],
)
def test_mistake_in_a_mapping_file_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigurationError) as error:
        mapping(tmp_path, text)
    assert message in str(error.value)
    assert "mapping.yaml" in str(error.value)


def test_missing_mapping_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"none\.yaml cannot be read"):
        read_mapping(tmp_path / "none.yaml")


def test_documented_mapping_file_is_valid_and_has_every_key(tmp_path: Path) -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "howto" / "foreign_bags.md"
    example = page.read_text(encoding="utf-8").split("```yaml\n")[1].split("```")[0]
    read = mapping(tmp_path, example)
    assert set(yaml.safe_load(example)) == set(BagMapping.model_fields)
    assert read.camera is not None
    assert read.detections == str(tmp_path / "found.jsonl")
    assert read.detection_names == DetectionNames({41: "cup", 57: "couch"}, {"couch": "sofa"})
    examples: dict[str, object] = {
        key: {} for key in ("segmentation_labels", "detections_labels", "categories")
    }
    assert read.model_copy(
        update={"topics": Topics(), "camera": None, "detections": "", **examples}
    ) == BagMapping(frames=read.frames)
