"""A ROS domain for every test process, and a namespace with threads for nodes."""

from __future__ import annotations

import fcntl
import gc
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from stma_ros.ros.transport import choose_transport

_DOMAINS = range(1, 100)


@pytest.fixture(scope="module", autouse=True)
def _no_ghosts() -> None:
    """Ends DDS participants of earlier tests that rclpy has not yet released.

    rclpy ends a participant when its context is garbage, and contexts lie in reference cycles. Participants that
    wait for the collector hold their ports, and a participant beyond the ports that others look at is never found.
    """
    gc.collect()


@pytest.fixture(scope="session", autouse=True)
def _own_domain() -> Iterator[None]:
    """Isolates this test process from all others on the machine."""
    for domain in _DOMAINS:
        lock = (Path(tempfile.gettempdir()) / f"stma_ros_test_domain_{domain}.lock").open("w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            continue
        os.environ.update(ROS_DOMAIN_ID=str(domain), ROS_AUTOMATIC_DISCOVERY_RANGE="LOCALHOST")
        choose_transport()
        yield
        lock.close()
        return
    raise RuntimeError("all ROS domains for tests are taken; are other tests running?")


@pytest.fixture
def ros() -> Iterator[Any]:
    from support.ros.living_nodes import LivingNodes

    nodes = LivingNodes()
    yield nodes
    nodes.close()
