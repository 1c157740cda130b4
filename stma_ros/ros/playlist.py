"""Selects the topics of a bag that are played, with their names and quality of service."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import yaml
from rclpy.exceptions import InvalidNamespaceException
from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy
from rclpy.validate_namespace import validate_namespace

from stma_ros.agents.registry import AGENTS
from stma_ros.ros.conversions import generated_class
from stma_ros.ros.graph import EXECUTOR, Graph
from stma_ros.ros.qos import PROFILES
from stma_ros.storage.bag.layout import find_bag
from stma_ros.storage.bag.reader import Bag
from stma_ros.storage.definitions import definitions
from stma_ros.storage.recording import COMPRESSED_COLOR
from stma_ros.types import topics
from stma_ros.types.errors import ConfigurationError, StorageError
from stma_ros.types.standard import Image

PLAYER = "bag_player"
_DEFAULT = QoSProfile(depth=10)  # reliable, volatile: the default of ROS
_GRAPH = Graph(AGENTS.match().wiring, PLAYER, "")
_FEWEST = 10  # messages of a publisher's history where the bag does not state its depth


class Selection(enum.Enum):
    """Which of a bag's topics are played."""

    ALL = "all"
    """Every topic, to watch the run."""
    ROBOT = "robot"
    """The topics of the robot's body, to feed other packages' nodes."""
    INPUTS = "inputs"
    """The topics of body and executor without those of other components, to feed living nodes of this package."""


@dataclass(frozen=True)
class Track:
    """A topic to play.

    Attributes:
        recorded: its name in the bag.
        name: the name under which it is played.
        msg_class: class of its messages.
        profile: quality of service.
        is_jpeg: whether it has compressed images, which are played as images.
    """

    recorded: str
    name: str
    msg_class: Any
    profile: QoSProfile
    is_jpeg: bool = False


@dataclass(frozen=True)
class Playlist:
    """The topics to play. namespace: of the robot, "" = none; left_out: topics that cannot be played, with
    the reasons."""

    tracks: tuple[Track, ...]
    left_out: Mapping[str, str]
    namespace: str


def make_playlist(bag: Bag, selection: Selection, namespace: str | None = None) -> Playlist:
    """Selects the topics of a bag.

    Args:
        bag: the bag.
        selection: topics to play.
        namespace: replaces the recorded robot's namespace; None = as recorded.

    Raises:
        StorageError: the bag has no topic that can be played, or several robots, one of which has to be selected.
        ConfigurationError: an invalid namespace.
    """
    _check(namespace)
    is_as_recorded = namespace is None and selection is Selection.ALL  # of several robots as well
    before = next(iter(bag.namespaces), "") if is_as_recorded else bag.namespace()
    after = before if namespace is None else namespace.strip("/")
    recorded = _recorded_topics(bag)
    wanted = agent_inputs() if selection is Selection.INPUTS else robot_topics()
    chosen: list[Track] = []
    left_out: dict[str, str] = {}
    for name, about in bag.topics.items():
        relative = _relative(name, before)
        # The recorder's lossy colour: readers of the camera expect images.
        is_jpeg = (
            relative == COMPRESSED_COLOR
            and name.removesuffix(COMPRESSED_COLOR) + topics.COLOR not in bag.topics
        )
        if is_jpeg:
            relative = topics.COLOR
        if relative not in wanted and selection is not Selection.ALL:
            continue
        metadata = recorded.get(name, {})
        reason = _unplayable(about.ros_type, str(metadata.get("type_description_hash") or ""))
        if reason:
            left_out[name] = reason
            continue
        ros_type = Image.ROS_TYPE if is_jpeg else about.ros_type
        played = name if relative is None else f"{'/' if after else ''}{after}/{relative}"
        profile = _profile(metadata.get("offered_qos_profiles")) or _by_delivery(relative, ros_type)
        chosen.append(Track(name, played, generated_class(ros_type), profile, is_jpeg))
    if not chosen:
        what = "nothing" if selection is Selection.ALL else "nothing that a robot's body says"
        reasons = "".join(f"; {name}: {reason}" for name, reason in left_out.items())
        raise StorageError(f"{bag.path} holds {what} that could be played{reasons}")
    return Playlist(tuple(chosen), left_out, after)


def robot_topics() -> frozenset[str]:
    """Returns the topics that the robot itself publishes."""
    return frozenset(_GRAPH.publications(PLAYER)) - {topics.FAULT}


def agent_inputs() -> frozenset[str]:
    """Returns the topics of the robot, and those of its executor that other components read, except for the end of a
    task: a memory slower than the recorded one would leave its last steps undone."""
    others = [name for name in _GRAPH.wiring.components if name != EXECUTOR]
    heard = {topic for name in others for topic in _GRAPH.subscriptions(name)}
    executors = heard.intersection(_GRAPH.publications(EXECUTOR))
    return robot_topics() | executors - {topics.FAULT, topics.TASK_RESULT}


def _check(namespace: str | None) -> None:
    try:
        validate_namespace(f"/{(namespace or '').strip('/')}")
    except InvalidNamespaceException as error:
        raise ConfigurationError(f"{namespace!r} cannot be a robot's namespace: {error}") from error


def _relative(name: str, namespace: str) -> str | None:
    """Returns the name within the robot's namespace; None where it lies outside."""
    prefix = f"/{namespace}/" if namespace else "/"
    return name.removeprefix(prefix) if name.startswith(prefix) else None


def _recorded_topics(bag: Bag) -> dict[str, dict[str, Any]]:
    """Returns the metadata of each topic from metadata.yaml; empty for a bag without one."""
    listed = find_bag(bag.path).metadata.get("topics_with_message_count")
    entries = [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []
    described = [entry.get("topic_metadata") for entry in entries]
    return {str(about.get("name")): about for about in described if isinstance(about, dict)}


def _unplayable(ros_type: str, recorded_hash: str) -> str:
    """Returns why the messages cannot be published as they are; empty when they can."""
    try:
        generated_class(ros_type)
    except (ImportError, AttributeError, ValueError):
        package = ros_type.partition("/")[0]
        return f"no {ros_type} here; install the package {package} to play it"
    try:
        differs = recorded_hash.startswith("RIHS") and definitions().type_hash(ros_type) != recorded_hash
    except StorageError:  # a package with code but without definitions: nothing to compare
        differs = False
    return f"{ros_type} had other fields when it was recorded" if differs else ""


def _profile(offered: Any) -> QoSProfile | None:
    """Returns the profile of one publisher that suits every reader of the recorded publishers; None where the bag lacks
    readable profiles.

    `offered` is YAML text up to ROS 2 Iron and a list since then; its policies are numbers up to Humble and names
    since.
    """
    try:
        profiles = list(_profiles(yaml.safe_load(offered) if isinstance(offered, str) else offered))
    except (yaml.YAMLError, ValueError):  # an impossible date is a ValueError
        return None
    if not profiles:
        return None
    reliable = any(profile.reliability == ReliabilityPolicy.RELIABLE for profile in profiles)
    latched = any(profile.durability == DurabilityPolicy.TRANSIENT_LOCAL for profile in profiles)
    return QoSProfile(
        history=HistoryPolicy.KEEP_LAST,
        depth=sum(
            profile.depth for profile in profiles
        ),  # each publisher's last message on /tf_static counts
        reliability=ReliabilityPolicy.RELIABLE if reliable else ReliabilityPolicy.BEST_EFFORT,
        durability=DurabilityPolicy.TRANSIENT_LOCAL if latched else DurabilityPolicy.VOLATILE,
    )


def _profiles(offered: Any) -> Iterator[QoSProfile]:
    for entry in offered if isinstance(offered, list) else ():
        try:
            yield QoSProfile(
                history=HistoryPolicy.KEEP_LAST,
                depth=max(int(entry["depth"]), 0) or _FEWEST,
                reliability=_policy(ReliabilityPolicy, entry["reliability"]),
                durability=_policy(DurabilityPolicy, entry["durability"]),
            )
        except (AttributeError, KeyError, OverflowError, TypeError, ValueError):
            continue  # a policy that this distribution does not know, or none at all


def _policy(kind: Any, value: int | str) -> Any:
    return kind(value) if isinstance(value, int) else kind[value.upper()]


def _by_delivery(relative: str | None, ros_type: str) -> QoSProfile:
    spec = topics.TOPICS.get(relative or "")
    return PROFILES[spec.delivery] if spec is not None and ros_type == spec.type.ROS_TYPE else _DEFAULT
