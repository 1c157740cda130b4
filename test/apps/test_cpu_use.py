"""Tests of measuring the processor time of processes."""

from __future__ import annotations

import os
import sys
import threading
import time

import pytest

from stma_ros.apps.cpu_use import cpu_seconds


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells it")
def test_cpu_seconds_counts_the_work_of_all_threads_and_no_sleep() -> None:
    def work() -> None:
        until = time.thread_time() + 0.3
        while time.thread_time() < until:
            pass

    before = cpu_seconds(os.getpid())
    time.sleep(0.2)
    assert cpu_seconds(os.getpid()) - before < 0.15
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert 0.25 < cpu_seconds(os.getpid()) - before < 1.0
