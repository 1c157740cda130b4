"""Compares recorded odometry with the transforms of the same two frames, which may come from another estimate."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass

from stma_ros.sensing.bag_topics import stamp_of
from stma_ros.sensing.mapping_file import BagMapping
from stma_ros.sensing.synchroniser import JUMP
from stma_ros.sensing.topic_map import TopicMap
from stma_ros.sensing.transforms import NoTransformError, Rigid, TransformBuffer, product
from stma_ros.storage.bag.reader import Bag
from stma_ros.types.errors import StorageError
from stma_ros.types.standard import NANOSECONDS_PER_SECOND, Odometry, TFMessage

FAR, TURNED = 0.1, 0.1
"""Distance [m] and angle [rad] beyond which two poses differ by more than the time between them explains."""

OFTEN = 5
"""Number of poses that must differ: a single one is an outlier."""

_PERIOD = NANOSECONDS_PER_SECOND // 10  # between two poses that are compared
_WAITING = 1000  # poses that wait for transforms


@dataclass(frozen=True)
class Difference:
    """Difference between odometry and transforms at one stamp: a distance [m] and an angle [rad]."""

    distance: float
    angle: float

    @property
    def is_large(self) -> bool:
        return self.distance > FAR or self.angle > TURNED


def odometry_difference(
    bag: Bag, chosen: TopicMap, mapping: BagMapping, odom: str, base: str
) -> Difference | None:
    """Reads odometry and transforms up to where they clearly differ.

    Args:
        bag: The recording.
        chosen: Its topics.
        mapping: What the mapping file says of it.
        odom: Frame in which odometry gives poses.
        base: Frame whose poses it gives.

    Returns:
        A difference that is large; None if they agree.
    """
    transforms = TransformBuffer()
    waiting: deque[tuple[int, Rigid]] = deque(maxlen=_WAITING)
    last, large = -1, 0
    names = {name for name in (chosen.odometry, chosen.tf, chosen.tf_static) if name}
    for raw in bag.messages(on_damage=lambda damage: None, topics=names):
        try:
            if raw.topic != chosen.odometry:
                for transform in bag.decode(raw, TFMessage).transforms:
                    own = transform.header.stamp.nanoseconds if mapping.stamps == "header" else 0
                    transforms.add(transform, own or raw.stamp_ns, raw.topic == chosen.tf_static)
            elif not last - JUMP < (stamp := stamp_of(raw, mapping)) < last + _PERIOD:
                if stamp < last:  # the clock was set back
                    waiting.clear()
                    transforms.forget_after(stamp)
                waiting.append((stamp, Rigid.of_pose(bag.decode(raw, Odometry).pose.pose)))
                last = stamp
        except StorageError:
            continue  # undecodable messages are counted when frames are made
        while waiting and transforms.reaches(base, odom, waiting[0][0]):
            found = _difference(transforms, odom, base, *waiting.popleft())
            large += found is not None and found.is_large
            if large == OFTEN:
                return found
    return None


def _difference(
    transforms: TransformBuffer, odom: str, base: str, stamp: int, tracked: Rigid
) -> Difference | None:
    try:
        linked = product(*transforms.steps(base, odom, stamp))
    except NoTransformError:
        return None
    if not tracked.is_valid:
        return None
    x, y, z, w = product(tracked.inverse, linked).rotation
    distance = math.dist(tracked.translation, linked.translation)
    return Difference(distance, 2 * math.atan2(math.hypot(x, y, z), abs(w)))
