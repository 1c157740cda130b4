"""The model behind the server: its reply to a request, with the usage that it reports."""

from __future__ import annotations

import hashlib
import threading
from bisect import bisect_right
from collections import OrderedDict, deque

from stma_ros.models.chat import Finish
from stma_ros.roles.rendering import count_tokens
from stma_ros.testing.model_server.api import ChatCall, Completion
from stma_ros.testing.model_server.misbehaviour import MisbehaviourKind, spoiled_reply
from stma_ros.testing.model_server.role_answers import LOST, STAND_INS, Answering, StandIns

_PROMPTS = 64  # that the prefix cache holds
_CONTENTS = 10_000  # requests of which it is known how often they were asked


class RulesModel:
    """Answers calls by the rules; from any thread, also several at once."""

    def __init__(self, stand_ins: StandIns = STAND_INS) -> None:
        """Raises ConfigurationError for a stand-in whose role has no prompt."""
        self._answering = Answering(stand_ins)
        self._lock = threading.Lock()
        self._prompts: deque[str] = deque(maxlen=_PROMPTS)
        self._asked: OrderedDict[bytes, int] = OrderedDict()

    def asked_before(self, content: bytes) -> int:
        """How often this very content was asked before this time."""
        key = hashlib.sha256(content).digest()
        with self._lock:
            before = self._asked.pop(key, 0)
            self._asked[key] = before + 1
            if len(self._asked) > _CONTENTS:
                self._asked.popitem(last=False)
        return before

    def say(self, call: ChatCall, faults: frozenset[MisbehaviourKind]) -> Completion:
        reply = self._answering.answer(call.messages)
        text = LOST if reply is None else spoiled_reply(reply, faults)
        finish = Finish.LENGTH if MisbehaviourKind.CUT_OFF in faults else Finish.STOP
        if call.max_tokens is not None and count_tokens(text) > call.max_tokens:
            text, finish = _beginning(text, call.max_tokens), Finish.LENGTH
        prompt = call.prompt
        known = count_tokens(prompt[: self._known(prompt)])
        return Completion(text, finish, count_tokens(prompt), known, count_tokens(text))

    def _known(self, prompt: str) -> int:
        """How many characters of a prompt it has read before; it knows the prompt from now on."""
        with self._lock:
            known = max((_common(prompt, other) for other in self._prompts), default=0)
            self._prompts.append(prompt)
        return known


def _common(one: str, other: str) -> int:
    """Length of the longest common prefix."""
    return bisect_right(range(1, min(len(one), len(other)) + 1), False, key=lambda n: one[:n] != other[:n])


def _beginning(text: str, tokens: int) -> str:
    return text[: bisect_right(range(len(text) + 1), tokens, key=lambda n: count_tokens(text[:n])) - 1]
