"""Settings for all tests."""

from __future__ import annotations

from hypothesis import settings

# A slow or busy machine is no bug; pytest-timeout ends what hangs.
settings.register_profile("stma_ros", deadline=None)
settings.load_profile("stma_ros")
