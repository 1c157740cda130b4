"""Pages of the site that are made of README, CONTRIBUTING and CHANGELOG, and the indexes of folders."""

from __future__ import annotations

import re
from pathlib import Path

GET_STARTED = ("Try it", "Without ROS 2", "In Python, with or without ROS", "With ROS 2")
"""Sections of README.md that are a page of their own."""

_SOURCES = {
    "index.md": "README.md",
    "get_started.md": "README.md",
    "contributing.md": "CONTRIBUTING.md",
    "changelog.md": "CHANGELOG.md",
}
_INDEXES = {
    "howto": "How-to",
    "papers": "Papers",
}
_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)


def source_of(uri: str) -> str:
    """The file of the repository in whose place a page's links are written."""
    return _SOURCES.get(uri, f"docs/{uri}")


def make(root: Path) -> dict[str, str]:
    """The pages by their place on the site."""
    head, sections = _sections((root / "README.md").read_text(encoding="utf-8"))
    started = "".join(sections.pop(title) for title in GET_STARTED)
    return {
        "index.md": head + "".join(sections.values()),
        "get_started.md": f"# Get started\n\n{started}",
        "contributing.md": (root / "CONTRIBUTING.md").read_text(encoding="utf-8"),
        "changelog.md": (root / "CHANGELOG.md").read_text(encoding="utf-8"),
        **{f"{folder}/index.md": _index(root / "docs" / folder, title) for folder, title in _INDEXES.items()},
    }


def _sections(text: str) -> tuple[str, dict[str, str]]:
    """What stands before the first section, and each section with its heading."""
    starts = [*_HEADING.finditer(text)]
    ends = [match.start() for match in starts[1:]] + [len(text)]
    sections = {match[1]: text[match.start() : end] for match, end in zip(starts, ends, strict=True)}
    return text[: starts[0].start()], sections


def _index(folder: Path, title: str) -> str:
    """A list of the folder's pages with their first sentences."""
    lines = [f"# {title}", ""]
    for page in sorted(folder.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        heading = _TITLE.search(text)
        if heading is None:
            raise ValueError(f"{page} has no title")
        lines.append(f"- [{heading[1]}]({page.name}): {_first_sentence(text[heading.end() :])}")
    return "\n".join(lines) + "\n"


def _first_sentence(text: str) -> str:
    prose = (
        part for part in re.split(r"\n\s*\n", text.strip()) if not part.startswith(("#", "```", "|", "!["))
    )
    paragraph = " ".join(next(prose).split()).replace("*", "")
    plain = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", paragraph)
    sentence = re.match(r".+?\.(?= |$)", plain)
    return sentence[0] if sentence else f"{plain.rstrip(':')}."
