"""Settings for all tests."""

from __future__ import annotations

import signal

import pytest
from hypothesis import settings

pytest.register_assert_rewrite("support")

# A slow or busy machine is no bug; pytest-timeout ends what hangs.
settings.register_profile("stma_ros", deadline=None)
settings.load_profile("stma_ros")

# A shell's background jobs are started with Ctrl-C ignored, and so would be all that the tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
