"""Computes the use of models in an episode: calls, tokens, time, and shares answered from caches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from stma_ros.types.telemetry import ModelCall

MODEL_CALLS = "model_calls"
"""The key of a measure: requests that were answered or failed, without those answered from the cache."""

MODEL_TOKENS = "model_tokens"
"""The key of a measure: tokens of prompts and replies, as the models report."""

MODEL_LATENCY = "model_latency_s"
"""The key of a measure: mean time of a call [s]."""

MODEL_COLUMNS = {MODEL_CALLS: "calls", MODEL_TOKENS: "tokens"}

ANSWERS_CACHED = "answers_cached"
"""The key of a share: of all questions, those answered from the cache of this episode."""

CALLS_FAILED = "calls_failed"
"""The key of a share: calls without an answer."""

PREFIX_CACHED = "prefix_cached"
"""The key of a share: of the prompt tokens of servers that report it, those in their prefix cache."""

IMAGES_CACHED = "images_cached"
"""The key of a share: of the images sent, those with a cached encoding in this process."""


@dataclass(frozen=True)
class ModelUse:
    """Sums over model calls.

    Attributes:
        reported_tokens: prompt tokens of the calls whose server reports on its cache.
        cached_tokens: those of them that were in that cache.
    """

    questions: int
    cached: int
    failed: int
    prompt_tokens: int
    reply_tokens: int
    reported_tokens: int
    cached_tokens: int
    images: int
    images_cached: int
    seconds: float

    @property
    def calls(self) -> int:
        return self.questions - self.cached


def model_use(calls: Iterable[ModelCall]) -> ModelUse:
    calls = tuple(calls)
    asked = [call for call in calls if not call.cached]
    reporting = [call for call in asked if call.cached_tokens >= 0]
    return ModelUse(
        questions=len(calls),
        cached=len(calls) - len(asked),
        failed=sum(bool(call.error) for call in asked),
        prompt_tokens=sum(max(0, call.prompt_tokens) for call in asked),
        reply_tokens=sum(max(0, call.reply_tokens) for call in asked),
        reported_tokens=sum(max(0, call.prompt_tokens) for call in reporting),
        cached_tokens=sum(call.cached_tokens for call in reporting),
        images=sum(call.images for call in asked),
        images_cached=sum(call.images_cached for call in asked),
        seconds=sum(call.latency for call in asked),
    )


def measures_of(calls: Sequence[ModelCall]) -> dict[str, float]:
    """Returns the measures by their keys in the results; empty where no model was asked."""
    if not calls:
        return {}
    use = model_use(calls)
    latency = {MODEL_LATENCY: use.seconds / use.calls} if use.calls else {}
    return {
        MODEL_CALLS: float(use.calls),
        MODEL_TOKENS: float(use.prompt_tokens + use.reply_tokens),
        **latency,
    }


def shares_of(calls: Sequence[ModelCall]) -> Mapping[str, tuple[int, int]]:
    """Returns the shares as (part, whole) by their keys in the results; empty where no model was asked."""
    if not calls:
        return {}
    use = model_use(calls)
    return {
        ANSWERS_CACHED: (use.cached, use.questions),
        CALLS_FAILED: (use.failed, use.calls),
        PREFIX_CACHED: (use.cached_tokens, use.reported_tokens),
        IMAGES_CACHED: (use.images_cached, use.images),
    }
