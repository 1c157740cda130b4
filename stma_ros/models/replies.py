"""Recorded requests and replies, one JSON object a line, and the model that repeats them."""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from stma_ros.models.call_log import PendingCall
from stma_ros.models.chat import ChatMessage, ChatReply, ChatRequest, Finish, Usage
from stma_ros.models.errors import CallCanceledError, ModelError, NotRecordedError
from stma_ros.types.component import CancelToken
from stma_ros.types.errors import ErrorCode, StorageError
from stma_ros.types.telemetry import REPLIES_FILE

_COMPARED = 200  # recorded requests in which the nearest is looked for
_DIFFERENCE = 24  # lines that an error shows
_DESCRIBED = ("role", "turns", "schema", "sampling", "max_tokens")


def request_key(request: ChatRequest) -> str:
    """Returns the key of a request, by everything that the reply may depend on, which model and deadline are not."""
    return hashlib.sha256(json.dumps(_described(request), sort_keys=True).encode()).hexdigest()


def _described(request: ChatRequest) -> dict[str, Any]:
    return {
        "role": request.role,
        "turns": [_message(message) for message in request.messages],
        "schema": asdict(request.schema) if request.schema else None,
        "sampling": asdict(request.sampling),
        "max_tokens": request.max_tokens,
    }


def _message(message: ChatMessage) -> dict[str, Any]:
    """Returns a message as it is recorded, with images by their key."""
    parts = [part if isinstance(part, str) else {"image": part.key} for part in message.parts]
    return {"speaker": message.role.value, "parts": parts}


class ReplyRecorder:
    """Appends to a file. Several threads and processes may do so at once: each line is one write."""

    def __init__(self, path: Path) -> None:
        """Raises StorageError if the file cannot be written."""
        self._path = path
        self._lock = threading.Lock()
        try:
            self._file: int | None = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError as error:
            raise StorageError(f"replies cannot be recorded in {path}: {error.strerror}") from error

    def write(self, call: PendingCall, outcome: ChatReply | ModelError) -> None:
        """Records a call; writes nothing after `close`. Raises StorageError if the disk is full."""
        line: dict[str, Any] = {
            "request": call.key,
            "model": call.model,
            **_described(call.request),
        }
        if isinstance(outcome, ChatReply):
            line["reply"] = {**asdict(outcome), "latency": round(outcome.latency, 4)}
        else:
            line["error"] = {
                "code": int(outcome.code),
                "text": str(outcome),
                "attempts": outcome.attempts,
            }
        data = json.dumps(line).encode() + b"\n"  # in ASCII: whatever the reply holds, a line stays one
        with self._lock:  # or the number of the file may be that of another one meanwhile
            if self._file is None:
                return
            try:
                written = os.write(self._file, data)
            except OSError as error:
                raise StorageError(f"a reply cannot be recorded in {self._path}: {error.strerror}") from error
        if written < len(data):
            raise StorageError(f"a reply is recorded in {self._path} in part only: is the disk full?")

    def close(self) -> None:
        with self._lock:
            if self._file is not None:
                os.close(self._file)
                self._file = None


class RecordedFailureError(ModelError):
    """An error that was recorded."""

    def __init__(self, code: int, text: str, attempts: int = 1) -> None:
        Exception.__init__(self, text)
        self.code = ErrorCode(code)
        self.attempts = attempts


def find_recordings(path: Path, episode: Path | None = None) -> list[Path]:
    """Returns the files of a recording.

    Args:
        path: a file, or a folder with recordings.
        episode: folder of an episode; if a recording lies in a folder with the same last two names (preset and
            episode), only that one is returned.

    Raises:
        StorageError: there is no recording.
    """
    found = [path] if path.is_file() else sorted(path.rglob(REPLIES_FILE))
    if not found:
        raise StorageError(
            f"{path} holds no {REPLIES_FILE}: name the folder of a run in which models were asked"
        )
    if episode is not None:
        own = [file for file in found if file.parent.parts[-2:] == episode.parts[-2:]]
        return own or found
    return found


@dataclass
class _Recorded:
    """A recorded request with its outcomes, in order."""

    described: Mapping[str, Any]
    outcomes: list[ChatReply | RecordedFailureError]
    asked: int = 0  # in this episode

    def next(self) -> ChatReply | RecordedFailureError:
        outcome = self.outcomes[min(self.asked, len(self.outcomes) - 1)]
        self.asked += 1
        return outcome


class RecordedModel:
    """A ChatModel that replies from a recording.

    A request that was recorded several times gets the replies in that order, and then the last one.
    """

    def __init__(self, path: Path) -> None:
        """Raises StorageError if nothing is recorded."""
        self.name = f"recording {path}"
        self._path = path
        self._lock = threading.Lock()
        self._requests: dict[str, _Recorded] | None = None  # read when it is known for which episode
        find_recordings(path)

    def start(self, episode: Path | None) -> None:
        """Starts from the beginning.

        Args:
            episode: folder of the episode, see `find_recordings`.

        Raises:
            StorageError: the recording cannot be read.
        """
        requests = _read(find_recordings(self._path, episode))
        with self._lock:
            self._requests = requests

    def chat(self, request: ChatRequest, token: CancelToken) -> ChatReply:
        if token.canceled:
            raise CallCanceledError(self.name, request.role, token.reason)
        if self._requests is None:
            self.start(None)
        with self._lock:
            requests = self._requests or {}
            recorded = requests.get(request_key(request))
            outcome = None if recorded is None else recorded.next()
        if outcome is None:
            nearest = _nearest(request, [recorded.described for recorded in requests.values()])
            raise NotRecordedError(self.name, request.role, "this was never asked", nearest)
        if isinstance(outcome, RecordedFailureError):
            raise RecordedFailureError(outcome.code, str(outcome), outcome.attempts)
        return outcome

    def close(self) -> None:
        pass


def _nearest(request: ChatRequest, recorded: Sequence[Mapping[str, Any]]) -> str:
    """Returns the differences to the recorded request that is most similar."""
    mine = _text(_described(request))
    same = [described for described in recorded if described["role"] == request.role][-_COMPARED:]
    if not same:
        roles = ", ".join(sorted({described["role"] for described in recorded})) or "nobody"
        return f"Nothing was asked for this role; the recording holds replies to: {roles}"
    texts = map(_text, same)
    near = max(texts, key=lambda text: difflib.SequenceMatcher(None, text, mine).quick_ratio())
    lines = difflib.unified_diff(
        near.splitlines(), mine.splitlines(), "recorded", "asked now", n=1, lineterm=""
    )
    shown = list(lines)
    more = [f"... and {len(shown) - _DIFFERENCE} lines more"] if len(shown) > _DIFFERENCE else []
    return "\n".join(("The nearest that was recorded differs so:", *shown[:_DIFFERENCE], *more))


def _read(files: Iterable[Path]) -> dict[str, _Recorded]:
    """Returns recorded requests by their keys. Raises StorageError that names file and line."""
    requests: dict[str, _Recorded] = {}
    for file in files:
        try:
            lines = file.read_bytes().split(b"\n")
        except OSError as error:
            raise StorageError(f"{file} cannot be read: {error.strerror}") from error
        for number, data in enumerate(lines, start=1):
            if number == len(lines) and not data:
                continue  # what is after the last line
            try:
                line = json.loads(data.decode("utf-8"))
                described = {name: line[name] for name in _DESCRIBED}
                _text(described)
                requests.setdefault(line["request"], _Recorded(described, [])).outcomes.append(_outcome(line))
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
                if number == len(lines):
                    continue  # cut off when the process was killed
                raise StorageError(
                    f"line {number} of {file} is damaged ({error}): leave it out, or record the run again"
                ) from error
    return requests


def _outcome(line: Mapping[str, Any]) -> ChatReply | RecordedFailureError:
    if "error" in line:
        return RecordedFailureError(**line["error"])
    reply = line["reply"]
    return ChatReply(
        reply["text"],
        Finish(reply["finish"]),
        Usage(**reply["usage"]),
        reply["latency"],
        reply["attempts"],
    )


def _text(described: Mapping[str, Any]) -> str:
    """Returns the contents of a request for people."""
    messages = (
        f"[{message['speaker']}]\n"
        + "\n".join(part if isinstance(part, str) else str(part) for part in message["parts"])
        for message in described["turns"]
    )
    settings = (
        f"{name}: {json.dumps(described[name], sort_keys=True)}"
        for name in ("max_tokens", "sampling", "schema")
    )
    return "\n".join((*messages, *settings))
