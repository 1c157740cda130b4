"""Which of our topics are published around here, and as what."""

from __future__ import annotations

import time

import rclpy

from stma_ros.ros.context import private_context
from stma_ros.types import topics

DISCOVERY = 4.0
"""The time [s] after which a new node knows who is there: Fast DDS announces a participant every 3 s, and who missed
a newcomer's own first announcements is found by those."""


def survey(namespace: str = "", listen: float = DISCOVERY) -> dict[str, dict[str, int]]:
    """For each topic of ours that someone publishes: the type or types, each with its number of publishers.

    Takes `listen` [s], the time it gives the middleware to find the nodes.
    """
    context = private_context()
    node = rclpy.create_node(
        "topic_survey", namespace=namespace, context=context, start_parameter_services=False
    )
    try:
        time.sleep(listen)
        found: dict[str, dict[str, int]] = {}
        for name in topics.TOPICS:
            for publisher in node.get_publishers_info_by_topic(name):
                types = found.setdefault(name, {})
                types[publisher.topic_type] = types.get(publisher.topic_type, 0) + 1
        return found
    finally:
        node.destroy_node()
        context.try_shutdown()
