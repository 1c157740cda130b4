"""The length of histories and prompts, step by step."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Final

from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.evaluation.tokenizing import WORDS, find_tokenizer
from stma_ros.memory.working.chunk_text import pair_text
from stma_ros.roles.policy import POLICY

HISTORY_TOKENS: Final = "history_tokens"
"""The key of a measure: mean length of the history in the policy's prompts, without the first look."""

HISTORY_SHARE: Final = "history_share"
"""The key of a measure: that length, as a share of the length that the history of the same actions and observations has
where nothing is summed up [%]."""

LAST_HISTORY_TOKENS: Final = "last_history_tokens"
"""The key of a measure: length of the history in the last prompt, without the first look."""

CONTEXT_TOKENS: Final = "context_tokens"
"""The key of a measure: mean length of the policy's whole questions, in words and punctuation marks."""


def history_measures(trace: EpisodeTrace, unit: str = WORDS) -> Mapping[str, float]:
    """Returns the lengths by their keys in the results; empty for agents without a policy.

    Args:
        trace: the episode.
        unit: of the lengths of histories, one of tokenizing.UNITS.

    Raises:
        MissingDependencyError: the tokenizer of the unit is not installed.
    """
    questions = [call.context_tokens for call in trace.calls if call.role == POLICY.name]
    if not questions or not trace.beliefs:
        return {}
    tokenize = find_tokenizer(unit)
    first, *pairs = (len(tokenize(pair_text(record))) for record in trace.observations)
    histories = [len(tokenize(belief.text)) - first for belief in trace.beliefs]
    plain = statistics.fmean(_running_sums(pairs))
    share = {HISTORY_SHARE: 100 * statistics.fmean(histories) / plain} if plain else {}
    return {
        HISTORY_TOKENS: statistics.fmean(histories),
        LAST_HISTORY_TOKENS: float(histories[-1]),
        **share,
        CONTEXT_TOKENS: statistics.fmean(questions),
    }


def _running_sums(values: Sequence[int]) -> list[int]:
    """Returns the sum before the first value, and after each."""
    sums = [0]
    for value in values:
        sums.append(sums[-1] + value)
    return sums
