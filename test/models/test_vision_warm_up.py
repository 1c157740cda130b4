"""Tests of the warm-up of networks, which measures their time."""

from __future__ import annotations

import time

import pytest

from stma_ros.models.vision.warm_up import warm_up_time


@pytest.mark.parametrize(
    ("times", "runs", "measured"),
    [([0.9, 0.1, 0.2, 0.3], 4, 0.2), ([30.0, 9.0], 2, 9.0), ([9.0, 1.5, 0.7], 3, 1.1)],
)
def test_warm_up_returns_the_median_after_the_first_run_and_repeats_slow_networks_less(
    times: list[float], runs: int, measured: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, called = 0.0, 0

    def run() -> None:
        nonlocal now, called
        now += times[called]
        called += 1

    monkeypatch.setattr(time, "perf_counter", lambda: now)
    assert warm_up_time(run) == pytest.approx(measured)
    assert called == runs
