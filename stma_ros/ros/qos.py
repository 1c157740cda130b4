"""Quality of service, named by intent."""

from __future__ import annotations

from rclpy.duration import Duration
from rclpy.qos import DurabilityPolicy, HistoryPolicy, LivelinessPolicy, QoSProfile, ReliabilityPolicy

from stma_ros.types.topics import Delivery

LIVELINESS_LEASE = Duration(seconds=2)


def _profile(depth: int, reliability: ReliabilityPolicy, durability: DurabilityPolicy) -> QoSProfile:
    return QoSProfile(
        history=HistoryPolicy.KEEP_LAST, depth=depth, reliability=reliability, durability=durability
    )


PROFILES: dict[Delivery, QoSProfile] = {
    # Ten seconds at 10 Hz: a delayed reader loses no frame (at depth 10, a third of them were lost).
    Delivery.SENSOR: _profile(100, ReliabilityPolicy.RELIABLE, DurabilityPolicy.VOLATILE),
    # Longer than any episode, so that a late reader receives all of it.
    Delivery.DECISION: _profile(1000, ReliabilityPolicy.RELIABLE, DurabilityPolicy.TRANSIENT_LOCAL),
    Delivery.LATCHED: _profile(1, ReliabilityPolicy.RELIABLE, DurabilityPolicy.TRANSIENT_LOCAL),
    Delivery.CLOCK: _profile(1, ReliabilityPolicy.BEST_EFFORT, DurabilityPolicy.VOLATILE),
}

HOSTED: dict[Delivery, QoSProfile] = {
    # A component must not depend on whether earlier messages arrive before or after its activation: it receives none of
    # them. It misses nothing, since all endpoints are connected before the first message.
    delivery: _profile(profile.depth, profile.reliability, DurabilityPolicy.VOLATILE)
    for delivery, profile in PROFILES.items()
} | {
    # A message that is published once in a robot's life comes earlier; the host stores it until its component is
    # active.
    Delivery.LATCHED: PROFILES[Delivery.LATCHED]
}
"""The profiles of the subscriptions of a component's host."""

ALIVE = QoSProfile(
    history=HistoryPolicy.KEEP_LAST,
    depth=1,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.TRANSIENT_LOCAL,
    liveliness=LivelinessPolicy.AUTOMATIC,
    liveliness_lease_duration=LIVELINESS_LEASE,
)
"""A node's liveliness; the middleware notifies the readers when the node's process has ended."""
