"""Number, tokens and latency of the model calls of an episode."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from stma_ros.evaluation.metrics import EpisodeRecord, rows
from stma_ros.evaluation.model_use import (
    ANSWERS_CACHED,
    CALLS_FAILED,
    IMAGES_CACHED,
    MODEL_CALLS,
    MODEL_COLUMNS,
    MODEL_LATENCY,
    MODEL_TOKENS,
    PREFIX_CACHED,
    ModelUse,
    measures_of,
    model_use,
    shares_of,
)
from stma_ros.evaluation.suite import Failure
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.telemetry import ModelCall

GOOD = ModelCall(
    attempts=1,
    latency=2.0,
    prompt_tokens=100,
    cached_tokens=60,
    reply_tokens=10,
    images=2,
    images_cached=1,
    finish="stop",
)
SILENT = ModelCall(attempts=1, latency=1.0, finish="stop")  # a server that reports no tokens
FAILED = ModelCall(latency=6.0, error=Error(ErrorCode.MODEL_DEADLINE, "no answer"))
CACHED = ModelCall(cached=True, images=2, finish="stop")
CALLS = (GOOD, SILENT, FAILED, CACHED)


def test_unreported_tokens_count_as_zero() -> None:
    assert model_use(iter(CALLS)) == ModelUse(
        questions=4,
        cached=1,
        failed=1,
        prompt_tokens=100,
        reply_tokens=10,
        reported_tokens=100,
        cached_tokens=60,
        images=2,
        images_cached=1,
        seconds=9.0,
    )


def test_model_measures_cover_the_calls_that_reached_a_model() -> None:
    assert measures_of(CALLS) == {MODEL_CALLS: 3.0, MODEL_TOKENS: 110.0, MODEL_LATENCY: 3.0}


def test_model_shares_hold_the_part_and_the_total() -> None:
    assert shares_of(CALLS) == {
        ANSWERS_CACHED: (1, 4),
        CALLS_FAILED: (1, 3),
        PREFIX_CACHED: (60, 100),
        IMAGES_CACHED: (1, 2),
    }


def test_prefix_cache_share_counts_only_servers_that_report_it() -> None:
    cold = replace(GOOD, cached_tokens=0)
    mute = replace(GOOD, cached_tokens=-1)
    assert shares_of((cold, mute))[PREFIX_CACHED] == (0, 100)
    assert shares_of((mute,))[PREFIX_CACHED] == (0, 0)


def test_measures_and_shares_are_empty_when_no_model_was_asked() -> None:
    assert (measures_of(()), shares_of(())) == ({}, {})


def test_latency_is_zero_when_every_answer_was_cached() -> None:
    assert measures_of((CACHED, CACHED)) == {MODEL_CALLS: 0.0, MODEL_TOKENS: 0.0}
    assert shares_of((CACHED, CACHED))[CALLS_FAILED] == (0, 0)


def test_every_model_column_is_a_measure() -> None:
    assert set(MODEL_COLUMNS) <= set(measures_of(CALLS))


def episode(*calls: ModelCall) -> EpisodeRecord:
    record = EpisodeRecord(
        "full", 0, "group", "scene", 0, "task", 9, 1, "STATUS", Failure.NONE, "", 1, 2.0, ""
    )
    return replace(record, measures=measures_of(calls), shares=shares_of(calls))


def test_total_row_holds_means_of_measures_and_shares_over_all_calls() -> None:
    whole = rows([episode(GOOD), episode(*CALLS)])[-1]
    assert (whole[MODEL_CALLS], whole[MODEL_TOKENS], whole[MODEL_LATENCY]) == (2.0, 110.0, 2.5)
    assert (whole[ANSWERS_CACHED], whole[CALLS_FAILED], whole[PREFIX_CACHED]) == (20.0, 25.0, 60.0)
    assert rows([episode(CACHED)])[-1][CALLS_FAILED] is None


@given(st.lists(st.sampled_from(CALLS), min_size=1, max_size=20))
def test_no_share_of_model_calls_exceeds_its_total(calls: list[ModelCall]) -> None:
    use = model_use(calls)
    assert use.calls + use.cached == use.questions == len(calls)
    assert all(0 <= part <= whole for part, whole in shares_of(calls).values())
