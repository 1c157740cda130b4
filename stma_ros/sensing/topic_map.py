"""Finds which topic of a bag carries which data: by the mapping file, or by type and the words in the topic's name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from stma_ros.sensing.mapping_file import Topics
from stma_ros.sensing.vision_definitions import DETECTION_2D_ARRAY, DETECTION_3D_ARRAY, LABEL_INFO
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.sensing import SegmentLabels
from stma_ros.types.settings import suggest
from stma_ros.types.standard import CameraInfo, CompressedImage, Image, Odometry, TFMessage

_IMAGES = (Image.ROS_TYPE, CompressedImage.ROS_TYPE)

KINDS: Mapping[str, tuple[str, ...]] = {
    "depth": _IMAGES,
    "color": _IMAGES,
    "camera_info": (CameraInfo.ROS_TYPE,),
    "depth_camera_info": (CameraInfo.ROS_TYPE,),
    "odometry": (Odometry.ROS_TYPE,),
    "tf": (TFMessage.ROS_TYPE,),
    "tf_static": (TFMessage.ROS_TYPE,),
    "segmentation": _IMAGES,
    "segmentation_labels": (SegmentLabels.ROS_TYPE,),
    "detections": (DETECTION_2D_ARRAY, DETECTION_3D_ARRAY),
    "detections_labels": (LABEL_INFO,),
    "class_mask": _IMAGES,
}
"""ROS types that a topic may have, by the kind of its data (a key of the mapping file), in the order in which topics
are chosen: the depth image first."""

REMEDIES: Mapping[str, str] = {
    "color": "record the colour camera's sensor_msgs/Image (/camera/color/image_raw, say)",
    "depth": "record a depth image registered to the colour camera (/camera/aligned_depth_to_color/image_raw, say)",
    "camera_info": "record the camera's sensor_msgs/CameraInfo (/camera/color/camera_info, say): without its "
    "calibration a depth image cannot be mapped",
    "odometry": "record the base's nav_msgs/Odometry (/odom, say), or /tf and /tf_static",
    "tf_static": "record /tf_static and /tf, or write where the camera is on the base into a mapping file: "
    "camera: {xyz: [0.1, 0, 1.2], rpy: [0, 0.3, 0]}, in metres and radians; if odometry is of the camera itself, name "
    "its frame there: frames: {base: NAME, camera: NAME}",
}
"""Remedy for each required kind that is missing."""

_OTHER_SOURCES = (
    "a network needs none (--set perception.source=network --set perception.network=FILE.yaml), nor does a model that "
    "sees (--set perception.source=model --set model.scene_graph=SPEC), nor do the detections of another node "
    "(--set perception.source=detections)"
)

UNRECOGNISED: Mapping[str, str] = {
    "segmentation": f"without it no thing is recognised; {_OTHER_SOURCES}",
    "segmentation_labels": "without them nothing says what the ids mean, and no thing is recognised; write them into a "
    f"mapping file (segmentation_labels: {{1: cup, 2: table}}); {_OTHER_SOURCES}",
}
"""Remedy for each kind without which no objects are recognised."""

NO_DETECTIONS = (
    "record the detector's vision_msgs/Detection2DArray or Detection3DArray; or name a topic as topics.class_mask, or "
    "a file as `detections`, in a mapping file"
)
"""Remedy where the detections of another node are to be used, and there are none."""

_DEPTH = {"depth"}
REGISTERED = frozenset({"aligned", "registered"})
"""Words in the names of depth images that are registered to the colour camera, besides "depth to rgb"."""

_COLOR = {"color", "colour", "rgb"}
_IDS = {"segmentation", "semantic", "semantics", "seg", "labels", "label", "mask", "masks", "instance"}
_NO_COLOR = {"infra", "infra1", "infra2", "infrared", "ir", "thermal", "confidence", "disparity"}
_DRAWN = {"debug", "overlay", "annotated", "detections", "visualization", "viz", "preview"}


class TopicMap(Topics):
    """The chosen topics by kind; an empty name means that there is none."""

    @property
    def names(self) -> dict[str, str]:
        """The topics that were found, by kind."""
        return {kind: getattr(self, kind) for kind in KINDS if getattr(self, kind)}

    def missing(self, is_mounted: bool) -> dict[str, str]:
        """Returns the required kinds that are missing, each with a remedy.

        Args:
            is_mounted: Whether the camera can be placed without transforms.
        """
        needed = ["depth", "color", "camera_info"]
        if not self.odometry and not self.tf:
            needed.append("odometry")
        elif not is_mounted and not self.tf:
            needed.append("tf_static")
        return {kind: REMEDIES[kind] for kind in needed if not getattr(self, kind)}

    def unrecognised(self, is_labelled: bool) -> dict[str, str]:
        """Returns the missing kind without which no objects are recognised, with a remedy; empty if there is none.

        Args:
            is_labelled: Whether the mapping file gives the categories of the segmentation's ids.
        """
        if not self.segmentation:
            lacking = "segmentation"
        elif not self.segmentation_labels and not is_labelled:
            lacking = "segmentation_labels"
        else:
            return {}
        return {lacking: UNRECOGNISED[lacking]}

    def check(self, types: Mapping[str, str], is_mounted: bool, bag: object) -> None:
        """Checks that all required kinds are there.

        Args:
            types: ROS types of the topics that hold messages.
            is_mounted: Whether the camera can be placed without transforms.
            bag: Name of the bag in error messages.

        Raises:
            ConfigurationError: A required kind is missing, or the bag is empty.
        """
        if not types:
            raise ConfigurationError(f"{bag} holds no messages; record it again")
        for kind, remedy in self.missing(is_mounted).items():
            there = ", ".join(f"{name} ({ros_type})" for name, ros_type in sorted(types.items()))
            raise ConfigurationError(
                f"{bag} has no topic that could be the robot's {kind}: {remedy}; or name the topic as topics.{kind} in "
                f"a mapping file. In the bag: {there}"
            )


def map_topics(types: Mapping[str, str], asked: Topics) -> TopicMap:
    """Chooses a topic for each kind.

    Args:
        types: ROS types of the topics that hold messages.
        asked: Topics of the mapping file.

    Raises:
        ConfigurationError: A topic of the mapping file does not exist or has the wrong type.
    """
    found = {kind: _asked(kind, getattr(asked, kind), types) for kind in KINDS}
    for kind in KINDS:
        if not found[kind]:
            best = candidates(kind, types, found)
            found[kind] = best[0] if best else ""
    return TopicMap(**found)


def candidates(kind: str, types: Mapping[str, str], chosen: Mapping[str, str]) -> list[str]:
    """Returns the topics that could be of a kind, the best first.

    Args:
        kind: A key of KINDS.
        types: ROS types of the topics that hold messages.
        chosen: Topics chosen for other kinds; topics of the same camera are preferred.
    """
    taken = {name for other, name in chosen.items() if other != kind}
    names = [name for name, ros_type in types.items() if ros_type in KINDS[kind] and name not in taken]
    near = [chosen[other] for other in ("depth", "color") if chosen.get(other)]
    rated = [(_RATINGS[kind](_words(name), types[name]), name) for name in names]
    fitting = [(rating, name) for rating, name in rated if rating is not None]
    return [name for _, name in sorted(fitting, key=lambda item: _rank(kind, item, near))]


def _rank(kind: str, rated: tuple[float, str], near: Iterable[str]) -> tuple[float, float, int, str]:
    rating, name = rated
    shared = sum(_shared(name, other) * weight for other, weight in zip(near, (1.0, 0.5), strict=False))
    # A calibration is chosen by the camera whose namespace it shares; images by the words in their names first.
    return (
        (-shared, -rating, len(name), name) if kind == "camera_info" else (-rating, -shared, len(name), name)
    )


def _asked(kind: str, name: str, types: Mapping[str, str]) -> str:
    if not name:
        return ""
    if name not in types:
        raise ConfigurationError(
            f"topics.{kind}: the bag has no topic {name!r} with messages in it. {suggest(name, types)}"
        )
    if types[name] not in KINDS[kind]:
        raise ConfigurationError(
            f"topics.{kind}: {name} is {types[name]}, and must be {' or '.join(KINDS[kind])}"
        )
    return name


def is_registered(name: str) -> bool:
    """Returns whether a depth image is registered to the colour camera, by the words in its topic's name."""
    return _is_registered(_words(name))


def _is_registered(words: Sequence[str]) -> bool:
    turned = zip(words, words[1:], words[2:], strict=False)
    return not REGISTERED.isdisjoint(words) or any(
        (depth, to) == ("depth", "to") and camera in _COLOR for depth, to, camera in turned
    )


def _words(name: str) -> list[str]:
    return [
        word for word in re.split(r"[^a-z0-9]+", re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower()) if word
    ]


def _shared(name: str, other: str) -> int:
    """Returns a score for the namespaces that two topic names begin with in common."""
    ours, theirs = name.split("/")[:-1], other.split("/")[:-1]
    same = 0
    for mine, yours in zip(ours, theirs, strict=False):
        if mine != yours:
            break
        same += 1
    # Image and calibration of one camera are in one namespace; another camera's may share the beginning of it.
    return 2 * same + (ours == theirs)


def _color(words: Sequence[str], ros_type: str) -> float | None:
    if set(words) & (_DEPTH | _IDS):
        return None
    rating = 4.0 * bool(_COLOR & set(words)) + ("rect" in words) + ("image" in words)
    return rating - 6 * bool(_NO_COLOR & set(words)) - 3 * bool(_DRAWN & set(words)) - _packed(ros_type)


def _depth(words: Sequence[str], ros_type: str) -> float | None:
    if not _DEPTH & set(words) or set(words) & (_IDS | {"confidence", "disparity"}):
        return None
    # The compression of pictures is not made for 16 bits: `compressed` of depth is seldom of use, `compressedDepth` is.
    is_picture = ros_type == CompressedImage.ROS_TYPE and words[-1] == "compressed"
    rating = 4.0 * _is_registered(words) + ("rect" in words) + ("image" in words)
    return rating - is_picture - _packed(ros_type)


def _segmentation(words: Sequence[str], ros_type: str) -> float | None:
    if not _IDS & set(words):
        return None
    return 1.0 - 3 * bool((_DRAWN | {"color", "colour", "colored"}) & set(words)) - _packed(ros_type)


def _odometry(words: Sequence[str], ros_type: str) -> float | None:
    return 2.0 * bool({"odom", "odometry"} & set(words)) + ("filtered" in words) - ("ground" in words)


def _transforms(words: Sequence[str], ros_type: str) -> float | None:
    return None if "static" in words or "tf" not in words else 1.0


def _static_transforms(words: Sequence[str], ros_type: str) -> float | None:
    return 1.0 if "static" in words else None


def _detections(words: Sequence[str], ros_type: str) -> float | None:
    return float(ros_type == DETECTION_2D_ARRAY)


def _never(words: Sequence[str], ros_type: str) -> float | None:
    """Of a kind that only the mapping file tells from others."""
    return None


def _any(words: Sequence[str], ros_type: str) -> float | None:
    return 0.0


def _packed(ros_type: str) -> float:
    """Returns the malus of compressed images: raw ones are preferred, being without loss."""
    return 0.5 if ros_type == CompressedImage.ROS_TYPE else 0.0


_RATINGS: Mapping[str, Callable[[Sequence[str], str], float | None]] = {
    "color": _color,
    "depth": _depth,
    "camera_info": _any,
    "depth_camera_info": _never,
    "odometry": _odometry,
    "tf": _transforms,
    "tf_static": _static_transforms,
    "segmentation": _segmentation,
    "segmentation_labels": _any,
    "detections": _detections,
    "detections_labels": _any,
    "class_mask": _never,
}
