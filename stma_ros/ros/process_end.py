"""Reports to a graph that the process of one of its nodes has ended, which the process that started it sees at once.

The lifecycle manager cannot notice the death of a node that it has never seen alive. For launch files and other
starters, `python -m stma_ros.ros.process_end NAMESPACE NODE STATUS` tells the manager, which publishes the end as a
fault: all nodes know the manager, but perhaps not yet this short-lived process. With AGAIN added, the node is being
started again, and the fault is not fatal: the running task goes on.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

from rclpy.duration import Duration
from rclpy.qos import QoSProfile

from stma_ros.ros.context import passing_node
from stma_ros.ros.conversions import msg_class, to_msg
from stma_ros.ros.graph import LIFECYCLE_MANAGER
from stma_ros.types.common import Error
from stma_ros.types.control import Fault
from stma_ros.types.errors import ErrorCode
from stma_ros.types.standard import Header, Time

_REACH = 10.0  # time to find the lifecycle manager, if it runs [s]
_POLL = 0.05  # [s]

AGAIN = "--again"

PROCESS_ENDS = f"{LIFECYCLE_MANAGER}/process_ends"
"""Topic of the reports; its type is that of faults."""

REPORTS = QoSProfile(depth=10)


def report_end(name: str, status: int, namespace: str = "", *, again: bool = False) -> bool:
    """Tells the lifecycle manager the end of a node's process; returns whether it has received it.

    Args:
        name: the node.
        status: exit status of its process.
        namespace: that of the node.
        again: whether the node is being started again.
    """
    with passing_node("process_end", namespace) as node:
        publisher = node.create_publisher(msg_class(Fault), PROCESS_ENDS, REPORTS)
        until = time.monotonic() + _REACH
        while publisher.get_subscription_count() == 0:
            if time.monotonic() > until:
                return False
            time.sleep(_POLL)
        fault = Fault(
            header=Header(Time.from_nanoseconds(node.get_clock().now().nanoseconds)),
            node=name,
            fatal=not again,
            error=Error(ErrorCode.NODE_DIED, f"{name} ended with status {status}"),
        )
        publisher.publish(to_msg(fault))
        return bool(publisher.wait_for_all_acked(Duration(seconds=_REACH)))


def main(arguments: Sequence[str]) -> int:
    namespace, name, status, *again = arguments
    return 0 if report_end(name, int(status), namespace, again=again == [AGAIN]) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
