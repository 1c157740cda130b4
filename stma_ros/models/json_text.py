"""Extracts the JSON object from a model's reply: in a code block or prose, truncated, or slightly malformed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from json_repair import repair_json

_FENCED = re.compile(r"```(?:json)?[ \t]*\n(.*?)```", re.DOTALL | re.IGNORECASE)
_OBJECT_START = re.compile(
    r"\{\s*([\"']|\w+\s*:)"
)  # probably a malformed object rather than a brace in prose
_JSON_START = re.compile(r"\{\s*[\"}]")  # may be JSON; the time of an attempt grows with the text before it
_STRING = r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)'  # the text may end in it, and there after a backslash
_TOKEN = re.compile(_STRING + r"|[{}\[\],]", re.DOTALL)  # a string, or a mark of the structure
_BRACE = re.compile(_STRING + r"|[{}]", re.DOTALL)
_DECODER = json.JSONDecoder()
_Placed: TypeAlias = tuple[dict[str, Any], int, int]  # an object, its begin and its end in the text
_MAX_LENGTH = 100_000  # characters that are read; no role asks for more
_MAX_REPAIRED_LENGTH = 30_000  # characters; repairing takes quadratic time in the length
_MAX_REPAIRED_DEPTH = 16  # nested brackets; repairing takes quadratic time in the depth as well


def read_json(text: str) -> dict[str, Any] | None:
    """Returns the JSON object in a text, which is repaired if it is truncated or malformed.

    Of several objects, those in code blocks come first; the first one that is not empty is taken. The content of the
    object is not checked.

    Returns:
        The object; None if there is none.
    """
    text = text[:_MAX_LENGTH]
    fenced = (match.group(1) for match in _FENCED.finditer(text))
    found = [item for part in (*fenced, text) for item, _, _ in _objects(part)]
    return next(filter(None, found), found[0]) if found else _repaired(text)


@dataclass(frozen=True)
class JsonObjects:
    """All JSON objects in a text, for readers that must not miss a part of it.

    Attributes:
        whole: the valid ones, in order, but those in code blocks last.
        unfinished: what is complete of the one in the middle of which the text ends; None if it ends elsewhere.
        repaired: what the malformed text was taken for, if there is no valid object; None if there is nothing.
        has_more: whether there is something else that looks like an object, or an end of the text that was not read.
        repeats_keys: whether a valid object, or an object within it, has a key twice: the first value is lost.
    """

    whole: tuple[dict[str, Any], ...] = ()
    unfinished: dict[str, Any] | None = None
    repaired: dict[str, Any] | None = None
    has_more: bool = False
    repeats_keys: bool = False


def read_all_json(text: str) -> JsonObjects:
    """Returns all JSON objects in a text. Their content is not checked."""
    read = text[:_MAX_LENGTH]
    placed = _placed_objects(read)
    spans = [(begin, end) for _, begin, end in placed]
    unfinished = _unfinished(read, spans)
    rest = _without(read, spans)
    return JsonObjects(
        tuple(item for item, _, _ in placed),
        unfinished,
        None if placed or unfinished is not None else _repaired(read),
        bool(placed) and (len(text) > len(read) or _OBJECT_START.search(rest) is not None),
        any(_repeats_keys(read[begin:end]) for begin, end in spans),
    )


def read_unfinished_json(text: str) -> dict[str, Any] | None:
    """Returns what is complete of a JSON object in the middle of which a text ends.

    `read_json` completes such an object, and with it a number or a word that lacks its end. Here an unfinished item of
    a list is left out as a whole, and otherwise the unfinished field. Whole objects before it are passed over.

    Returns:
        The object, possibly empty; None if the text does not end in the middle of one.
    """
    text = text[:_MAX_LENGTH]
    return _unfinished(text, [(begin, end) for _, begin, end in _placed_objects(text)])


def _placed_objects(text: str) -> list[_Placed]:
    """Returns the outermost valid objects of a text, those in code blocks last."""
    fenced = [
        (item, match.start(1) + begin, match.start(1) + end)
        for match in _FENCED.finditer(text)
        for item, begin, end in _objects(match.group(1))
    ]
    known = {begin for _, begin, _ in fenced}
    return [*(placed for placed in _objects(text) if placed[1] not in known), *fenced]


def _unfinished(text: str, spans: Iterable[tuple[int, int]]) -> dict[str, Any] | None:
    """Returns what is complete of the object in the middle of which a text ends; spans: of the valid objects."""
    match = _OBJECT_START.search(text, max((end for _, end in spans), default=0))
    part = _complete_part(text[match.start() :]) if match else None
    if part is None:
        return None
    found, _ = _decoded(part, 0)
    return found if found is not None else _repaired(part) or {}


def _without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Returns the text outside of some spans."""
    rest, at = [], 0
    for begin, end in sorted(spans):
        rest.append(text[at:begin])
        at = max(at, end)
    return " ".join((*rest, text[at:]))


def _repeats_keys(text: str) -> bool:
    """Returns whether an object in a JSON text has a key twice."""
    repeats = False

    def made(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal repeats
        found = dict(pairs)
        repeats = repeats or len(found) < len(pairs)
        return found

    try:
        json.loads(text, object_pairs_hook=made)
    except RecursionError:  # too deep for this way of reading alone
        return True
    return repeats


def _complete_part(text: str) -> str | None:
    """Returns the text of a JSON object up to the end of its last complete item, with closing brackets; None if the
    object is whole, or its brackets do not match."""
    open_at: list[int] = []
    field_ends: list[int] = []  # of the last complete field or item, for each open bracket
    for match in _TOKEN.finditer(text):
        token, place = match.group(), match.start()
        if token in "{[":
            open_at.append(place)
            field_ends.append(place + 1)
        elif token == "," and open_at:
            field_ends[-1] = place
        elif token in "}]" and open_at:
            opening = text[open_at.pop()]
            field_ends.pop()
            if not open_at or opening + token not in ("{}", "[]"):
                return None
            field_ends[-1] = match.end()
    depth = next(
        (
            index
            for index, place in enumerate(open_at)
            if index and text[place] == "{" and text[open_at[index - 1]] == "["
        ),
        len(open_at),
    )
    closing = "".join("}" if text[place] == "{" else "]" for place in reversed(open_at[:depth]))
    return text[: field_ends[depth - 1]] + closing


def _objects(text: str) -> Iterator[_Placed]:
    """Yields the outermost valid JSON objects of a text, in order, up to one that is truncated."""
    start = text.find("{")
    while start >= 0:
        found, end = _decoded(text, start)
        if found is not None:
            yield found, start, end
        elif _OBJECT_START.match(text, start):
            closed = _end(text, start)
            if closed is None:
                return
            end = closed  # objects inside of a malformed one are skipped, being only a part of the reply
        start = text.find("{", end)


def _decoded(text: str, start: int) -> tuple[dict[str, Any] | None, int]:
    """Returns the JSON object at a position and its end; None and the next position if there is none."""
    if _JSON_START.match(text, start):
        try:
            found, end = _DECODER.raw_decode(text, start)
            return _without_surrogates(found), end
        except (ValueError, RecursionError):
            pass
    return None, start + 1


def _end(text: str, start: int) -> int | None:
    """Returns the position after the brace that closes the one at a position, not counting those in strings; None if
    none does."""
    depth = 0
    for match in _BRACE.finditer(text, start):
        if match.group() in "{}":
            depth += 1 if match.group() == "{" else -1
        if depth == 0:
            return match.end()
    return None


def _without_surrogates(found: dict[str, Any]) -> dict[str, Any]:
    """Returns the object with question marks in place of lone surrogates, which messages cannot hold.

    Raises:
        RecursionError: The object is nested too deeply.
    """
    valid: dict[str, Any] = json.loads(json.dumps(found, ensure_ascii=False).encode("utf-8", "replace"))
    return valid


def _repaired(text: str) -> dict[str, Any] | None:
    start = text.find("{")
    if start < 0:
        return None
    end = text.rfind("}")
    part = text[start : end + 1] if end > start else text[start:]
    if len(part) > _MAX_REPAIRED_LENGTH or _depth(part) > _MAX_REPAIRED_DEPTH:
        return None
    try:
        found = repair_json(part, return_objects=True, skip_json_loads=True)
    except Exception:  # noqa: BLE001 - the library may raise any error for malformed text
        return None
    if isinstance(found, list):  # a stray bracket before the object
        found = next((item for item in found if isinstance(item, dict)), None)
    return _without_surrogates(found) if isinstance(found, dict) and found else None


def _depth(text: str) -> int:
    deepest = depth = 0
    for letter in text:
        if letter in "{[":
            depth += 1
            deepest = max(deepest, depth)
        elif letter in "}]":
            depth = max(0, depth - 1)
    return deepest
