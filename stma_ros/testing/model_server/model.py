"""The model behind the server: its reply to a request, with the usage that it reports."""

from __future__ import annotations

import hashlib
import threading
from bisect import bisect_right
from collections import OrderedDict, deque

from stma_ros.models.chat import Finish
from stma_ros.testing.model_server.api import ChatCall, Completion
from stma_ros.testing.model_server.misbehaviour import MisbehaviourKind, spoiled_reply
from stma_ros.testing.model_server.role_answers import NOT_UNDERSTOOD, STAND_INS, Answering, StandIns
from stma_ros.types.prompt_length import count_tokens

_MAX_PROMPTS = 64  # in the prefix cache
_MAX_REQUESTS = 10_000  # distinct requests that are counted


class RulesModel:
    """Answers calls by the rules. Thread-safe."""

    def __init__(self, stand_ins: StandIns = STAND_INS) -> None:
        """Makes a model.

        Args:
            stand_ins: Functions that answer, by domain and role.

        Raises:
            ConfigurationError: A role has no prompt in its domain.
        """
        self._answering = Answering(stand_ins)
        self._lock = threading.Lock()
        self._prompts: deque[str] = deque(maxlen=_MAX_PROMPTS)
        self._counts: OrderedDict[bytes, int] = OrderedDict()

    def count_repeats(self, content: bytes) -> int:
        """Counts a request, and returns the number of earlier requests with the same content."""
        key = hashlib.sha256(content).digest()
        with self._lock:
            before = self._counts.pop(key, 0)
            self._counts[key] = before + 1
            if len(self._counts) > _MAX_REQUESTS:
                self._counts.popitem(last=False)
        return before

    def answer(self, call: ChatCall, faults: frozenset[MisbehaviourKind]) -> Completion:
        """Returns the reply to a request, with these faults."""
        reply = self._answering.answer(call.messages)
        text = NOT_UNDERSTOOD if reply is None else spoiled_reply(reply, faults)
        finish = Finish.LENGTH if MisbehaviourKind.CUT_OFF in faults else Finish.STOP
        if call.max_tokens is not None and count_tokens(text) > call.max_tokens:
            text, finish = _beginning(text, call.max_tokens), Finish.LENGTH
        prompt = call.prompt
        cached = count_tokens(prompt[: self._cached_length(prompt)])
        return Completion(text, finish, count_tokens(prompt), cached, count_tokens(text))

    def _cached_length(self, prompt: str) -> int:
        """Returns the number of characters of a prompt in the prefix cache, and adds the prompt to the cache."""
        with self._lock:
            length = max((_common_length(prompt, other) for other in self._prompts), default=0)
            self._prompts.append(prompt)
        return length


def _common_length(one: str, other: str) -> int:
    """Returns the length of the longest common prefix."""
    return bisect_right(range(1, min(len(one), len(other)) + 1), False, key=lambda n: one[:n] != other[:n])


def _beginning(text: str, tokens: int) -> str:
    return text[: bisect_right(range(len(text) + 1), tokens, key=lambda n: count_tokens(text[:n])) - 1]
