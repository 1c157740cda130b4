"""Markdown pages as GitHub shows them: anchors of headings, links, and code blocks."""

from __future__ import annotations

import importlib
import re
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import count, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).resolve().parents[2]

_PARSER = MarkdownIt("commonmark").enable("table")
_HTML_ATTRIBUTE = re.compile(r"""\b(id|name|href|src)=["']([^"']+)["']""")
_NO_PART_OF_AN_ANCHOR = re.compile(r"[^\w\- ]")


@dataclass(frozen=True)
class CodeBlock:
    """A fenced block.

    Attributes:
        title: file of the block, relative to the reader's folder; empty = not a file.
    """

    language: str
    title: str
    text: str
    line: int


def pages() -> list[Path]:
    """Returns the Markdown pages of the repository."""
    return [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def anchors(page: Path) -> set[str]:
    """Returns the anchors of the page: what can follow "#" in a link to it."""
    tokens = _tokens(page)
    found: set[str] = set()
    for opening, content in pairwise(tokens):
        if opening.type == "heading_open":
            slug = _slug(_plain_text(content))
            numbered = (f"{slug}-{number}" if number else slug for number in count())
            found.add(next(candidate for candidate in numbered if candidate not in found))
    return found | {value for key, value in _attributes(tokens) if key in ("id", "name")}


def _tokens(page: Path) -> list[Token]:
    return _PARSER.parse(page.read_text(encoding="utf-8"))


def _attributes(tokens: list[Token]) -> Iterator[tuple[str, str]]:
    """Returns the attributes of the page's HTML."""
    for token in tokens:
        for part in (token, *(token.children or ())):
            if part.type in ("html_block", "html_inline"):
                yield from _HTML_ATTRIBUTE.findall(part.content)


def _slug(heading: str) -> str:
    return _NO_PART_OF_AN_ANCHOR.sub("", heading.lower()).replace(" ", "-")


def _plain_text(inline: Token) -> str:
    return "".join(part.content for part in inline.children or () if part.type in ("text", "code_inline"))


def links(page: Path) -> Iterator[str]:
    """Returns the targets of the page's links and images, as written."""
    tokens = _tokens(page)
    for part in (part for token in tokens for part in token.children or ()):
        if part.type in ("link_open", "image"):
            yield str(part.attrs["href" if part.type == "link_open" else "src"])
    yield from (value for key, value in _attributes(tokens) if key in ("href", "src"))


def code_blocks(page: Path) -> list[CodeBlock]:
    """Returns the fenced blocks of a page; ```python title="my_robot/planner.py" begins one that is a file."""
    found = []
    for token in _tokens(page):
        if token.type == "fence" and token.map is not None:
            language, *options = shlex.split(token.info) or [""]
            titles = [option.removeprefix("title=") for option in options if option.startswith("title=")]
            found.append(CodeBlock(language, titles[0] if titles else "", token.content, token.map[0] + 1))
    return found


def write_files(page: Path, folder: Path) -> list[Path]:
    """Writes the blocks that are files below the folder, as a reader would, and returns their paths."""
    written = []
    for block in code_blocks(page):
        if block.title:
            path = folder / block.title
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
            written.append(path)
    return written


@cache
def _folder_of(page: str) -> TemporaryDirectory[str]:
    folder = TemporaryDirectory()  # removed at the end of the process
    write_files(ROOT / page, Path(folder.name))
    sys.path.append(folder.name)
    return folder


def import_from(page: str, module: str) -> ModuleType:
    """Imports a module from a block of a page ("docs/howto/own_agent.md")."""
    _folder_of(page)
    return importlib.import_module(module)
