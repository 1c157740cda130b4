"""Finds the publishers of this package's topics, and whether its nodes can receive their messages."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

from stma_ros.ros.context import passing_node
from stma_ros.ros.graph import incompatibility
from stma_ros.ros.qos import HOSTED
from stma_ros.types import topics

DISCOVERY = 4.0
"""Time after which a new node has discovered the others [s]: Fast DDS announces a participant every 3 s, which reaches
nodes that missed a newcomer's first announcements."""


@dataclass(frozen=True)
class FoundPublisher:
    """A publisher of one of the package's topics: its node, its type, and why the middleware does not connect it with
    the package's nodes (empty = it does)."""

    node: str
    ros_type: str
    incompatibility: str = ""


def survey(namespace: str = "", listen: float = DISCOVERY) -> Mapping[str, tuple[FoundPublisher, ...]]:
    """Returns the publishers of each topic of this package that has any.

    Takes `listen` [s], in which the middleware discovers the nodes.
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
