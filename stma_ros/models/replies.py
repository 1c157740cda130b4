"""Records requests and replies, one JSON object per line, and replays them."""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

from stma_ros.models.call_log import PendingCall
from stma_ros.models.chat import ChatMessage, ChatReply, ChatRequest, Finish, Usage
from stma_ros.models.errors import CallCanceledError, ModelError, NotRecordedError
from stma_ros.models.images import Picture
from stma_ros.models.sampling import Sampling
from stma_ros.types.component import CancelToken
from stma_ros.types.errors import ErrorCode, StorageError
from stma_ros.types.telemetry import REPLIES_FILE

ReadT = TypeVar("ReadT")

_MAX_COMPARED = 200  # recorded requests among which the most similar one is looked for
_MAX_DIFFERENCE = 24  # lines that an error shows
_NEWER = ("top_k", "presence_penalty")  # parameters of sampling
_DESCRIBED = ("role", "turns", "schema", "sampling", "max_tokens")


def request_key(request: ChatRequest) -> str:
    """Returns the key of a request: a hash of all that the reply depends on, without the model and the deadline."""
    return hashlib.sha256(json.dumps(_described(request), sort_keys=True).encode()).hexdigest()


def _described(request: ChatRequest) -> dict[str, Any]:
    return {
        "role": request.role,
        "turns": [_message(message) for message in request.messages],
        "schema": asdict(request.schema) if request.schema else None,
        "sampling": _sampling(request.sampling),
        "max_tokens": request.max_tokens,
    }


def _sampling(sampling: Sampling) -> dict[str, Any]:
    """Returns the recorded form of a sampling, without parameters that are off and not in older recordings."""
    described = asdict(sampling)
    return {name: value for name, value in described.items() if value or name not in _NEWER}


def _message(message: ChatMessage) -> dict[str, Any]:
    """Returns the recorded form of a message, in which keys represent pictures."""
    parts = [part if isinstance(part, str) else {"image": part.key} for part in message.parts]
    return {"speaker": message.role.value, "parts": parts}


def _image(image: Picture) -> dict[str, Any]:
    return {"source": image.source, "width": image.width, "height": image.height}


class ReplyRecorder:
    """Appends calls to a file. Several threads and processes may append at once, since each line is one write."""

    def __init__(self, path: Path) -> None:
        """Opens the file, in a folder that is made if need be: of nodes that start together, the one that records the
        bag may be later.

        Raises:
            StorageError: the file cannot be written.
        """
        self._path = path
        self._lock = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: int | None = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError as error:
            raise StorageError(f"replies cannot be recorded in {path}: {error.strerror}") from error

    def write(self, call: PendingCall, outcome: ChatReply | ModelError) -> None:
        """Records a call; does nothing after `close`.

        Raises:
            StorageError: the disk is full, or the file cannot be written.
        """
        line: dict[str, Any] = {
            "request": call.key,
            "model": call.model,
            "task_id": call.context.task_id,
            "step": call.context.step,
            **_described(call.request),
            "images": {image.key: _image(image) for image in call.request.pictures},
        }
        if isinstance(outcome, ChatReply):
            line["reply"] = {**asdict(outcome), "latency": round(outcome.latency, 4)}
        else:
            line["error"] = {
                "code": int(outcome.code),
                "text": str(outcome),
                "attempts": outcome.attempts,
                **({"is_canceled": True} if outcome.is_canceled else {}),
            }
        data = json.dumps(line).encode() + b"\n"  # in ASCII, so a reply cannot contain a line separator
        with self._lock:  # `close` must not run at the same time: the descriptor could then be another file's
            if self._file is None:
                return
            try:
                if _is_cut_off(self._file):
                    data = b"\n" + data
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


def _is_cut_off(file: int) -> bool:
    """Returns whether a file ends in the middle of a line: the disk was full, or its writer was killed, or is at it."""
    size = os.fstat(file).st_size
    return size > 0 and os.pread(file, 1, size - 1) != b"\n"


class RecordedFailureError(ModelError):
    """An error that is replayed from a recording."""

    def __init__(self, code: int, text: str, attempts: int = 1, is_canceled: bool = False) -> None:
        Exception.__init__(self, text)
        self.code = ErrorCode(code)
        self.attempts = attempts
        self.is_canceled = is_canceled


def find_recordings(path: Path, episode: Path | None = None) -> list[Path]:
    """Returns the files of a recording.

    Args:
        path: file of a recording, or folder with recordings.
        episode: folder of an episode; if a recording is in a folder with the same last two names (preset and episode),
            only that one is returned.

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
    """A recorded request.

    Attributes:
        described: the request in its recorded form.
        outcomes: its replies and errors, in order.
        model: name of the model that was asked.
        count: how often the request was made in this episode.
    """

    described: Mapping[str, Any]
    outcomes: list[ChatReply | RecordedFailureError]
    model: str
    count: int = 0

    def next(self) -> ChatReply | RecordedFailureError:
        outcome = self.outcomes[min(self.count, len(self.outcomes) - 1)]
        self.count += 1
        return outcome


class RecordedModel:
    """A ChatModel that replies from a recording.

    A request that was recorded several times gets the replies in that order, and then the last one.
    """

    def __init__(self, path: Path) -> None:
        """Makes a model; the recording is read at the first request or `start`.

        Raises:
            StorageError: there is no recording.
        """
        self.name = f"recording {path}"
        self._path = path
        self._lock = threading.Lock()
        self._requests: dict[str, _Recorded] | None = None  # read when the episode is known
        find_recordings(path)

    def start(self, episode: Path | None) -> None:
        """Begins an episode, with the first replies of its recording.

        Args:
            episode: folder of the episode (`find_recordings`).

        Raises:
            StorageError: the recording cannot be read.
        """
        requests = _read(find_recordings(self._path, episode))
        with self._lock:
            self._requests = requests

    def recorded_name(self, role: str) -> str:
        """Returns the name of the model that was asked for a role; empty if none was.

        Raises:
            StorageError: the recording cannot be read.
        """
        if self._requests is None:
            self.start(None)
        with self._lock:
            recorded = (self._requests or {}).values()
            return next((item.model for item in recorded if item.described["role"] == role), "")

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
            raise RecordedFailureError(outcome.code, str(outcome), outcome.attempts, outcome.is_canceled)
        return outcome

    def close(self) -> None:
        pass


def _nearest(request: ChatRequest, recorded: Sequence[Mapping[str, Any]]) -> str:
    """Returns the differences to the most similar recorded request, for an error message."""
    mine = _text(_described(request))
    same = [described for described in recorded if described["role"] == request.role][-_MAX_COMPARED:]
    if not same:
        roles = ", ".join(sorted({described["role"] for described in recorded})) or "nobody"
        return f"Nothing was asked for this role; the recording holds replies to: {roles}"
    texts = map(_text, same)
    near = max(texts, key=lambda text: difflib.SequenceMatcher(None, text, mine).quick_ratio())
    lines = difflib.unified_diff(
        near.splitlines(), mine.splitlines(), "recorded", "asked now", n=1, lineterm=""
    )
    shown = list(lines)
    more = [f"... and {len(shown) - _MAX_DIFFERENCE} lines more"] if len(shown) > _MAX_DIFFERENCE else []
    return "\n".join(("The nearest that was recorded differs so:", *shown[:_MAX_DIFFERENCE], *more))


def read_lines(file: Path, read: Callable[[Mapping[str, Any]], ReadT]) -> Iterator[ReadT]:
    """Yields what is read from each line of a recording, but not from lines that were cut off, as when a process was
    killed.

    Args:
        file: the recording.
        read: reads a line. A ValueError, KeyError, TypeError or the like of it means that the line is damaged.

    Raises:
        StorageError: the file cannot be read or is damaged; the text names file and line.
    """
    try:
        lines = file.read_bytes().split(b"\n")
    except OSError as error:
        raise StorageError(f"{file} cannot be read: {error.strerror}") from error
    for number, data in enumerate(lines, start=1):
        if not data:
            continue  # after the last line feed, or after a line that seemed to be cut off while it was written
        try:
            found = read(json.loads(data.decode("utf-8")))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            if number == len(lines) or (data.startswith(b"{") and not data.endswith(b"}")):
                continue
            raise StorageError(
                f"line {number} of {file} is damaged ({error}): leave it out, or record the run again"
            ) from error
        yield found


def _read(files: Iterable[Path]) -> dict[str, _Recorded]:
    """Returns recorded requests by their keys. Raises as `read_lines`."""
    requests: dict[str, _Recorded] = {}
    for file in files:
        for key, model, described, outcome in read_lines(file, _request):
            requests.setdefault(key, _Recorded(described, [], model)).outcomes.append(outcome)
    return requests


def _request(line: Mapping[str, Any]) -> tuple[str, str, Mapping[str, Any], ChatReply | RecordedFailureError]:
    """Returns the key of a recorded request, the name of the model, the request and its outcome."""
    described = {name: line[name] for name in _DESCRIBED}
    _text(described)
    return str(line["request"]), str(line.get("model", "")), described, _outcome(line)


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
    """Returns a request as readable text."""
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
