"""Every link within the repository has a target, as GitHub shows the pages."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from urllib.parse import unquote

import pytest

from support.markdown import ROOT, anchors, links, pages

EXTERNAL = re.compile(r"[a-z][a-z0-9+.-]*:")
MENTIONED = re.compile(r"\bdocs/[\w/-]+\.md(?:#[\w-]+)?")


def broken(target: str, page: Path) -> str:
    """Returns the fault of a link of the page, or an empty string."""
    path, _, anchor = unquote(target).partition("#")
    file = (page.parent / path).resolve() if path else page
    if not file.exists():
        return f"there is no {path}"
    if not file.is_relative_to(ROOT):
        return f"{path} is outside of the repository"
    if anchor and file.suffix == ".md" and anchor not in anchors(file):
        return f"{file.name} has no #{anchor}"
    return ""


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_internal_link_of_a_page_has_an_existing_file_and_anchor(page: Path) -> None:
    internal = [target for target in links(page) if not EXTERNAL.match(target)]
    faults = {target: fault for target in internal if (fault := broken(target, page))}
    assert not faults, f"{page.relative_to(ROOT)}: {faults}"


def test_every_docs_page_that_sources_mention_exists() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    names = listed.stdout.splitlines() or [str(path.relative_to(ROOT)) for path in ROOT.rglob("*")]
    faults = []
    for path in (
        ROOT / name
        for name in names
        if name.endswith((".py", ".msg", ".srv", ".action", ".yaml", ".txt", ".md"))
    ):
        if path.is_file():
            for mention in MENTIONED.findall(path.read_text(encoding="utf-8")):
                if fault := broken(mention, ROOT / "README.md"):
                    faults.append(f"{path.relative_to(ROOT)}: {fault}")
    assert not faults


def test_anchors_of_headings_agree_with_github(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        '# Bags: record, `stma view`, look\n\n## A -- b_c\n\n## Same\n\n## Same\n\n<a id="mine"></a>\n'
    )
    assert anchors(page) == {"bags-record-stma-view-look", "a----b_c", "same", "same-1", "mine"}


def test_a_broken_link_is_detected() -> None:
    page = ROOT / "README.md"
    assert broken("nowhere.md", page) == "there is no nowhere.md"
    assert broken("CONTRIBUTING.md#nowhere", page) == "CONTRIBUTING.md has no #nowhere"
    assert broken("#with-ros-2", page) == ""
