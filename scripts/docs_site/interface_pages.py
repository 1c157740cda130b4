"""The interfaces, from their definitions in msg, srv and action with the comments there."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from tables import code, table

_TITLES = {"msg": "Messages", "srv": "Services", "action": "Actions"}
_PARTS = {"msg": ("",), "srv": ("Request", "Response"), "action": ("Goal", "Result", "Feedback")}
_DECLARATION = re.compile(
    r"(?P<type>[\w/]+(?:<=\d+)?(?P<array>\[[^\]]*\])?) +(?P<name>\w+)(?: *= *(?P<value>\S+))?"
    r"(?: *# *(?P<comment>.*))?"
)


@dataclass
class _Line:
    """A field, or a constant with its value. about: its own comment, or the comment lines that stand before it."""

    type: str
    name: str
    value: str
    about: str


@dataclass
class _Part:
    """What stands between two lines of "---"."""

    fields: list[_Line] = field(default_factory=list)
    constants: list[_Line] = field(default_factory=list)


def make(root: Path) -> dict[str, str]:
    """A page for each kind of interface, by its place on the site."""
    names = {path.stem for path in (root / "msg").glob("*.msg")}
    pages = {}
    for kind, title in _TITLES.items():
        files = sorted((root / kind).glob(f"*.{kind}"))
        shown = "\n".join(_interface(path, kind, names) for path in files)
        intro = f"From the definitions in `{kind}/`; as a type, `stma_ros/{kind}/NAME`.\n"
        pages[f"reference/{kind}.md"] = f"# {title}\n\n{intro}\n{shown}"
    return pages


def _interface(path: Path, kind: str, messages: set[str]) -> str:
    head, *texts = _split(path.read_text(encoding="utf-8"))
    shown = [f"## {path.stem}\n\n{head}\n"]
    for title, text in zip(_PARTS[kind], texts, strict=True):
        part = _parse(text)
        if title:
            shown.append(f"**{title}**\n")
        if part.fields:
            rows = [(code(line.name), _type(line.type, messages), line.about) for line in part.fields]
            shown.append(table(("field", "type", ""), rows))
        elif title:
            shown.append("Empty.\n")
        if part.constants:
            rows = [(code(line.name), code(line.value), line.about) for line in part.constants]
            shown.append(table(("constant", "value", ""), rows))
    return "\n".join(shown)


def _split(text: str) -> list[str]:
    """The comment at the head, and each part."""
    lines = text.splitlines()
    end = next((i for i, line in enumerate(lines) if not line.startswith("#")), len(lines))
    head = "\n".join(line.removeprefix("#").strip() for line in lines[:end])
    return [head, *re.split(r"^---$", "\n".join(lines[end:]), flags=re.MULTILINE)]


def _parse(text: str) -> _Part:
    part = _Part()
    before: list[str] = []
    last: _Line | None = None
    for line in text.splitlines():
        stripped = line.strip()
        if not stripped:
            before, last = [], None
        elif stripped.startswith("#"):
            comment = stripped.removeprefix("#").strip()
            if line.startswith(" ") and last is not None:  # a trailing comment goes on
                last.about = f"{last.about} {comment}".strip()
            else:
                before.append(comment)
        else:
            match = _DECLARATION.fullmatch(stripped)
            if match is None:
                raise ValueError(f"not understood: {line}")
            last = _Line(match["type"], match["name"], match["value"] or "", match["comment"] or "")
            if before:
                last.about = " ".join((*before, last.about)).strip()
                before = []
            (part.constants if match["value"] else part.fields).append(last)
    return part


def _type(name: str, messages: set[str]) -> str:
    """The type, with a link where it is one of ours."""
    base, array, rest = name.partition("[")
    if base in messages:
        return f"[{base}](msg.md#{base.lower()}){code(array + rest)}"
    return code(name)
