"""Finds the JSON object in what a model wrote: between fences or prose, cut off, or not quite JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from json_repair import repair_json

_FENCED = re.compile(r"```(?:json)?[ \t]*\n(.*?)```", re.DOTALL | re.IGNORECASE)
_BEGUN = re.compile(r"\{\s*([\"']|\w+\s*:)")  # more likely an object that is misspelt than a brace in prose
_SOUND = re.compile(r"\{\s*[\"}]")  # may be JSON: each attempt takes time with what stands before it
_DECODER = json.JSONDecoder()
_LONGEST = 100_000  # [characters] that are looked at: no role asks for more
_LONGEST_REPAIRED = 30_000  # repairing takes time with the square of the length
_DEEPEST = 16  # brackets within brackets that are repaired: that takes time with the square of the depth, too


def read_json(text: str) -> dict[str, Any] | None:
    """The object that a text holds, of several the first that is fenced, or else the first that is not empty; None
    where none can be made of it. What is cut off or misspelt is repaired: whether it says what was asked for is for
    others to judge."""
    text = text[:_LONGEST]
    fenced = (match.group(1) for match in _FENCED.finditer(text))
    found = [item for part in (*fenced, text) for item in _objects(part)]
    return next(filter(None, found), found[0]) if found else _repaired(text)


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """Those in a text that are JSON, the outermost, in order, up to one that is cut off."""
    ends = _ends(text)
    start = text.find("{")
    while start >= 0:
        found, end = _decoded(text, start)
        if found is not None:
            yield found
        elif _BEGUN.match(text, start):
            if start not in ends:
                return
            end = ends[start]  # an object within it is not all that was said
        start = text.find("{", end)


def _decoded(text: str, start: int) -> tuple[dict[str, Any] | None, int]:
    """The object that starts there, if it is JSON, and its end."""
    if _SOUND.match(text, start):
        try:
            found, end = _DECODER.raw_decode(text, start)
            return _sendable(found), end
        except (ValueError, RecursionError):
            pass
    return None, start + 1


def _ends(text: str) -> dict[int, int]:
    """Of the braces that open, where that which closes them ends."""
    ends: dict[int, int] = {}
    opened: list[int] = []
    for match in re.finditer(r"[{}]", text):
        if match.group() == "{":
            opened.append(match.start())
        elif opened:
            ends[opened.pop()] = match.end()
    return ends


def _sendable(found: dict[str, Any]) -> dict[str, Any]:
    """With a question mark for each half of a letter (a lone surrogate): no message can carry those. Raises
    RecursionError."""
    whole: dict[str, Any] = json.loads(json.dumps(found, ensure_ascii=False).encode("utf-8", "replace"))
    return whole


def _repaired(text: str) -> dict[str, Any] | None:
    start = text.find("{")
    if start < 0:
        return None
    end = text.rfind("}")
    part = text[start : end + 1] if end > start else text[start:]
    if len(part) > _LONGEST_REPAIRED or _depth(part) > _DEEPEST:
        return None
    try:
        found = repair_json(part, return_objects=True, skip_json_loads=True)
    except Exception:  # noqa: BLE001 - whatever the text trips it over, there is no object in it
        return None
    if isinstance(found, list):  # a stray bracket before the object
        found = next((item for item in found if isinstance(item, dict)), None)
    return _sendable(found) if isinstance(found, dict) and found else None


def _depth(text: str) -> int:
    deepest = depth = 0
    for letter in text:
        if letter in "{[":
            depth += 1
            deepest = max(deepest, depth)
        elif letter in "}]":
            depth = max(0, depth - 1)
    return deepest
