"""Extracts the JSON object from a model's reply: in a code block or prose, truncated, or slightly malformed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from json_repair import repair_json

_FENCED = re.compile(r"```(?:json)?[ \t]*\n(.*?)```", re.DOTALL | re.IGNORECASE)
_OBJECT_START = re.compile(
    r"\{\s*([\"']|\w+\s*:)"
)  # probably a malformed object rather than a brace in prose
_JSON_START = re.compile(r"\{\s*[\"}]")  # may be JSON; the time of an attempt grows with the text before it
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*(?:"|$)|[{}\[\],]', re.DOTALL)  # a string, or a mark of the structure
_DECODER = json.JSONDecoder()
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
    found = [item for part in (*fenced, text) for item in _objects(part)]
    return next(filter(None, found), found[0]) if found else _repaired(text)


def read_unfinished_json(text: str) -> dict[str, Any] | None:
    """Returns what is complete of a JSON object in the middle of which a text ends.

    `read_json` completes such an object, and with it a number or a word that lacks its end. Here an unfinished item of
    a list is left out as a whole, and otherwise the unfinished field.

    Returns:
        The object, possibly empty; None if the text holds a whole object or none at all.
    """
    text = text[:_MAX_LENGTH]
    if any(_objects(text)):
        return None
    match = _OBJECT_START.search(text)
    if match is None:
        return None
    part = _complete_part(text[match.start() :])
    if part is None:
        return None
    found, _ = _decoded(part, 0)
    return found if found is not None else _repaired(part) or {}


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


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """Yields the outermost valid JSON objects of a text, in order, up to one that is truncated."""
    ends = _ends(text)
    start = text.find("{")
    while start >= 0:
        found, end = _decoded(text, start)
        if found is not None:
            yield found
        elif _OBJECT_START.match(text, start):
            if start not in ends:
                return
            end = ends[start]  # objects inside of a malformed one are skipped, being only a part of the reply
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


def _ends(text: str) -> dict[int, int]:
    """Returns the position after the matching closing brace, by the position of each opening brace that has one."""
    ends: dict[int, int] = {}
    starts: list[int] = []
    for match in re.finditer(r"[{}]", text):
        if match.group() == "{":
            starts.append(match.start())
        elif starts:
            ends[starts.pop()] = match.end()
    return ends


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
