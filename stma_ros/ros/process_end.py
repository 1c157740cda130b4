"""Reports to a graph that the process of one of its nodes has ended, which the process that started it sees at once.

The lifecycle manager cannot notice the death of a node that it has never seen alive. For launch files and other
starters, `python -m stma_ros.ros.process_end NAMESPACE NODE STATUS` publishes the end as a fault.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

from rclpy.duration import Duration

from stma_ros.ros.context import passing_node
from stma_ros.ros.conversions import msg_class, to_msg
from stma_ros.ros.graph import LIFECYCLE_MANAGER
from stma_ros.ros.qos import PROFILES
from stma_ros.types import topics
from stma_ros.types.common import Error
from stma_ros.types.control import Fault
from stma_ros.types.errors import ErrorCode
from stma_ros.types.standard import Header, Time

_REACH = 10.0  # time to find the lifecycle manager, if it runs [s]
_POLL = 0.05  # [s]


def report_end(name: str, status: int, namespace: str = "") -> bool:
    """Publishes the end of a node's process; returns whether the lifecycle manager has received it."""
    with passing_node("process_end", namespace) as node:
        spec = topics.TOPICS[topics.FAULT]
        publisher = node.create_publisher(msg_class(spec.type), spec.name, PROFILES[spec.delivery])

        def heard() -> bool:
            readers = node.get_subscriptions_info_by_topic(spec.name)
            return (
                any(reader.node_name == LIFECYCLE_MANAGER for reader in readers)
                and publisher.get_subscription_count() > 0
            )

        until = time.monotonic() + _REACH
        while not heard():
            if time.monotonic() > until:
                return False
            time.sleep(_POLL)
        fault = Fault(
            header=Header(Time.from_nanoseconds(node.get_clock().now().nanoseconds)),
            node=name,
            fatal=True,
            error=Error(ErrorCode.NODE_DIED, f"{name} ended with status {status}"),
        )
        publisher.publish(to_msg(fault))
        return bool(publisher.wait_for_all_acked(Duration(seconds=_REACH)))


def main(arguments: Sequence[str]) -> int:
    namespace, name, status = arguments
    return 0 if report_end(name, int(status), namespace) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
