"""Which of our topics are published around here, by whom, and whether our nodes hear it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

from stma_ros.ros.context import passing_node
from stma_ros.ros.graph import incompatibility
from stma_ros.ros.qos import HOSTED
from stma_ros.types import topics

DISCOVERY = 4.0
"""The time [s] after which a new node knows who is there: Fast DDS announces a participant every 3 s, and who missed
a newcomer's own first announcements is found by those."""


@dataclass(frozen=True)
class FoundPublisher:
    """A publisher of one of our topics: its node, the type that it publishes, and why the middleware does not connect
    it with our nodes (empty = it does)."""

    node: str
    ros_type: str
    incompatibility: str = ""


def survey(namespace: str = "", listen: float = DISCOVERY) -> Mapping[str, tuple[FoundPublisher, ...]]:
    """The publishers of each topic of ours that someone publishes.

    Takes `listen` [s], the time it gives the middleware to find the nodes.
    """
    with passing_node("topic_survey", namespace) as node:
        time.sleep(listen)
        found = {
            name: tuple(
                FoundPublisher(
                    publisher.node_name,
                    publisher.topic_type,
                    incompatibility(publisher.qos_profile, HOSTED[spec.delivery]),
                )
                for publisher in node.get_publishers_info_by_topic(name)
            )
            for name, spec in topics.TOPICS.items()
        }
        return {name: publishers for name, publishers in found.items() if publishers}
