"""Writes replies of models to a file, from several processes at once as well."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from stma_ros.models.call_log import PendingCall, StepContext
from stma_ros.models.chat import ChatReply, ChatRequest
from stma_ros.models.errors import ModelError
from stma_ros.models.replies import ReplyRecorder, request_key
from support.models.chat_requests import request

MANY = 100


def write(
    recorder: ReplyRecorder, asked: ChatRequest, outcome: ChatReply | ModelError, step: int = 0
) -> None:
    recorder.write(PendingCall(StepContext(step=step), "m", asked, request_key(asked)), outcome)


def long_request(name: str, number: int) -> ChatRequest:
    """Returns a request longer than what pipes and libraries write in one piece."""
    return request(f"{name} {number} " + name * 40_000)


def write_many(file: Path, name: str, start: Any) -> None:
    """Writes MANY replies after all processes have reached the barrier `start`."""
    recorder = ReplyRecorder(file)
    start.wait(60)
    for number in range(MANY):
        write(recorder, long_request(name, number), ChatReply(f"{name} {number}"))
    recorder.close()
