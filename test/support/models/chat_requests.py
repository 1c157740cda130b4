"""Requests and models for tests of wrappers around chat models."""

from __future__ import annotations

import threading

import numpy as np

from stma_ros.models.chat import ChatMessage, ChatReply, ChatRequest, MessageRole, Part, ReplySchema
from stma_ros.models.errors import CallCanceledError
from stma_ros.models.images import Picture, picture
from stma_ros.models.sampling import Sampling
from stma_ros.types.component import CancelToken

SCHEMA = ReplySchema("Plan", {"type": "object", "properties": {"actions": {"type": "array"}}})
SYSTEM = ChatMessage(MessageRole.SYSTEM, ("# Planner\nSay what to do.",))
SOON = 10.0  # [s] in which what is meant to happen does


def messages(*question: Part) -> tuple[ChatMessage, ...]:
    return SYSTEM, ChatMessage(MessageRole.USER, question)


def request(*question: Part, role: str = "planner", deadline: float = 60.0) -> ChatRequest:
    return ChatRequest(role, messages(*question), SCHEMA, Sampling(), 100, deadline)


def tile(shade: int) -> Picture:
    return picture(np.full((4, 6, 3), shade, np.uint8))


class ThinkingModel:
    """Answers only when it is cancelled, and then after `ends` is set.

    Attributes:
        begun: set during a call.
        open: number of running calls.
        closed_under: number of calls that ran when it was closed.
    """

    name = "thinker"

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.ends = threading.Event()
        self.ends.set()
        self.open = 0
        self.closed_under: int | None = None

    def chat(self, request: ChatRequest, token: CancelToken) -> ChatReply:
        self.open += 1
        self.begun.set()
        try:
            canceled = token.wait(SOON)
            self.ends.wait(SOON)
            assert canceled
            raise CallCanceledError(self.name, request.role, token.reason)
        finally:
            self.begun.clear()
            self.open -= 1

    def close(self) -> None:
        self.closed_under = self.open
