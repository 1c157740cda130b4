"""Tests of measuring the memory of processes."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from stma_ros.apps.memory_use import memory_use

HOLD = "import sys; held = bytearray(b'x') * 200_000_000; print(flush=True); sys.stdin.read()"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells it")
def test_memory_use_counts_the_memory_of_a_process() -> None:
    alone = memory_use([os.getpid()])
    with subprocess.Popen(
        [sys.executable, "-c", HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        both = memory_use([os.getpid(), process.pid])
        assert process.stdin is not None
        process.stdin.close()
    assert alone > 1
    assert 190 < both - alone < 300
    assert memory_use([process.pid]) == memory_use([]) == 0
