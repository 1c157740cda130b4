"""The measurement `mapping_latency`: the figures of its rows, and a row on a graph of nodes."""

from __future__ import annotations

import pytest

from stma_ros.apps.mapping_latency import MappingLatency, MappingLatencySettings, _latencies, _rates
from stma_ros.apps.measurements import MEASUREMENTS
from stma_ros.types.errors import ConfigurationError, StmaError

SECOND = 1_000_000_000


def test_latencies_are_from_sending_to_the_message_of_the_same_stamp_after_the_warm_up() -> None:
    sent = {stamp * SECOND: 50 * SECOND + stamp * SECOND for stamp in range(1, 6)}
    arrived = {stamp: begun + stamp // 1000 for stamp, begun in sent.items() if stamp != 3 * SECOND}
    arrived[SECOND] += 7 * SECOND
    found = _latencies("map", sent, arrived)
    assert found["map_ms"] == pytest.approx(4)  # of 2, 4 and 5 ms; frame 3 ended no step
    assert found["map_p95_ms"] == pytest.approx(4.9)


def test_latencies_without_a_message_after_the_warm_up_are_refused() -> None:
    with pytest.raises(StmaError, match="no map came"):
        _latencies("map", {SECOND: 0, 2 * SECOND: SECOND}, {SECOND: 5})


def test_rates_count_the_frames_and_the_maps_between_the_first_and_the_last_map() -> None:
    taken = {
        stamp * SECOND // 10 for stamp in range(1, 41) if stamp != 7
    }  # one was lost, 10 come after the last map
    arrived = {SECOND // 10: 0, 2 * SECOND: 3 * SECOND, 3 * SECOND: 4 * SECOND}
    keyframes = {SECOND // 10, SECOND, 3 * SECOND, 4 * SECOND}
    assert _rates(taken, keyframes, arrived) == pytest.approx(
        {"frames_per_s": 28 / 4, "keyframes_per_s": 2 / 4, "maps_per_s": 2 / 4}
    )


def test_mapping_latency_is_a_measurement_with_settings() -> None:
    assert MEASUREMENTS["mapping_latency"]({"rate": "5"}).settings["rate"] == 5.0
    with pytest.raises(ConfigurationError, match="no setting 'rates'"):
        MEASUREMENTS["mapping_latency"]({"rates": 5})
    with pytest.raises(ConfigurationError, match="nobody"):
        MEASUREMENTS["mapping_latency"]({"preset": "nobody"})
    with pytest.raises(ConfigurationError, match="source"):
        MEASUREMENTS["mapping_latency"]({"source": "nothing"})


@pytest.mark.slow
def test_mapping_latency_times_the_maps_of_living_nodes() -> None:
    measurement = MappingLatency(MappingLatencySettings(width=160, height=120, rate=5.0, frames=30))
    rows = list(measurement.rows(1000))
    assert len(rows) == measurement.total
    for row in rows:
        assert set(row) == set(measurement.columns)
        assert 0 < row["map_ms"] <= row["map_p95_ms"]
        assert 0 < row["frontiers_ms"] <= row["frontiers_p95_ms"]
        assert 0 < row["scene_graph_ms"] <= row["scene_graph_p95_ms"]
        assert 1 < row["frames_per_s"] < 6
        assert 0 < row["keyframes_per_s"] <= row["frames_per_s"]
        assert 0 < row["maps_per_s"] < 6
        assert 0 < row["memory_cores"] < 2
        assert 0 < row["perception_cores"] < 2
