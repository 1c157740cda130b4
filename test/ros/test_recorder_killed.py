"""A recorder killed with SIGKILL at any moment leaves a bag that opens and misses at most the last second."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lifecycle_msgs.msg import Transition
from lifecycle_msgs.srv import ChangeState

from stma_ros.storage.bag.reader import Bag, read_bag
from stma_ros.types import topics
from stma_ros.types.standard import Header, Image, Odometry, Time
from support.environment import python_environment
from support.ros.waiting import eventually

pytestmark = pytest.mark.slow

KILLS = int(os.environ.get("STMA_KILLS", "8"))
AT_ONCE = 4
MAY_MISS = 1.0  # [s]
LONGEST = 3.0  # [s] that a recorder lives
PERIOD = 0.02  # [s] between messages; every fifth comes with an image
TO_START = 60.0  # [s]


@dataclass
class Victim:
    """The process of a recorder, with a name of its own in the namespace of the test."""

    name: str
    bag: Path
    pid: int = 0
    killed_at: float = 0.0

    def arguments(self, namespace: str) -> list[str]:
        given = {"path": str(self.bag), "bridge": "''", "max_file_time": "1.3", "use_sim_time": "true"}
        parameters = [part for key, value in given.items() for part in ("-p", f"{key}:={value}")]
        names = (f"__node:={self.name}", f"__ns:={namespace}", "/clock:=clock")
        return ["--ros-args", *(part for name in names for part in ("-r", name)), *parameters]

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        self.killed_at = time.time()


@contextmanager
def living(victims: list[Victim], namespace: str, log: Path) -> Iterator[None]:
    arguments = [json.dumps(victim.arguments(namespace)) for victim in victims]
    with log.open("w") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "support.ros.recorder_processes", *arguments],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=python_environment(),
        )
        assert process.stdout is not None
        try:
            for victim in victims:
                victim.pid = int(process.stdout.readline() or "0")
            assert victims[-1].pid, log.read_text()
            yield
        finally:
            for victim in victims:
                if victim.pid and not victim.killed_at:
                    victim.kill()
            process.communicate(timeout=TO_START)


@pytest.mark.timeout(60 * KILLS)
def test_a_killed_recorder_leaves_a_bag_that_misses_at_most_the_last_second(ros: Any, tmp_path: Path) -> None:
    chance = random.Random(time.time_ns())
    publish = {topic: ros.publisher(topic, readers=0) for topic in (topics.ODOMETRY, topics.COLOR)}
    misses: list[float] = []
    for first in range(0, KILLS, AT_ONCE):
        names = [f"recorder_{number}" for number in range(first, min(KILLS, first + AT_ONCE))]
        victims = [Victim(name, tmp_path / name) for name in names]
        with living(victims, ros.namespace, tmp_path / f"log_{first}"):
            begin(ros, victims)
            sent = record_until_killed(victims, publish, chance)
        misses += [missed(victim, sent, ros.namespace) for victim in victims]
    print(f"{KILLS} kills; the worst missed the last {max(misses):.2f} s, the mean {np.mean(misses):.2f} s")
    assert max(misses) <= MAY_MISS


def begin(ros: Any, victims: list[Victim]) -> None:
    """Configures the recorders and waits until all of them read the topics."""
    request = ChangeState.Request(transition=Transition(id=Transition.TRANSITION_CONFIGURE))
    for victim in victims:
        client = ros.probe.create_client(ChangeState, f"{victim.name}/change_state")
        eventually(client.service_is_ready, victim.name, TO_START)
        future = client.call_async(request)
        eventually(future.done, f"{victim.name} configured", TO_START)
        assert future.result().success
    ours = [p for p in ros.probe.publishers if p.topic_name.endswith(("/odom", "/camera/color"))]
    for publisher in ours:
        ready = partial(_readers, publisher, len(victims))
        eventually(ready, f"readers of {publisher.topic_name}", TO_START)


def _readers(publisher: Any, count: int) -> bool:
    return bool(publisher.get_subscription_count() >= count)


def record_until_killed(victims: list[Victim], publish: dict[str, Any], chance: random.Random) -> list[float]:
    """Publishes numbered messages until the last one is killed; returns when each was published."""
    pixels = np.asarray(np.random.default_rng(0).integers(0, 256, (120, 160, 3)), np.uint8)
    sent: list[float] = []
    started = time.time()
    due = sorted(
        ((started + chance.uniform(0.05, LONGEST), victim) for victim in victims), key=lambda d: d[0]
    )
    while due:
        number = len(sent)
        sent.append(time.time())
        publish[topics.ODOMETRY](Odometry(Header(Time(number))))
        if number % 5 == 0:
            header = Header(Time.from_nanoseconds(time.time_ns()), "camera")
            publish[topics.COLOR](Image.from_array(header, pixels, "rgb8"))
        while due and due[0][0] <= time.time():
            due.pop(0)[1].kill()
        threading.Event().wait(PERIOD)
    return sent


def missed(victim: Victim, sent: list[float], namespace: str) -> float:
    """Returns the time before the kill at which the first missing message was published [s]; 0 = none is missing."""
    assert not Bag(victim.bag).is_finished
    recorded = read_bag(victim.bag, namespace)
    found = [entry.message.header.stamp.sec for entry in recorded if entry.topic == topics.ODOMETRY]
    assert found == list(range(len(found))), "a gap"
    return max(0.0, victim.killed_at - sent[len(found)]) if len(found) < len(sent) else 0.0
