"""Hooks of `mkdocs build`: pages that are made of the code and of the repository's own pages, and links between them.

Nothing that is generated is committed. What is read needs no ROS 2; only the parameters of nodes themselves do.
"""

from __future__ import annotations

from pathlib import Path

import api_pages
import command_line_page
import interface_pages
import parameter_page
import repository_pages
import topic_page
from links import Links
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Puts the decisions and papers into the navigation, in place of their folders' names."""
    config.nav = _expanded(config.nav)
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the generated pages."""
    pages = {
        **repository_pages.make(ROOT),
        **interface_pages.make(ROOT),
        **api_pages.make(),
        "reference/parameters.md": parameter_page.make(),
        "reference/topics.md": topic_page.make(),
        "reference/command_line.md": command_line_page.make(),
    }
    for uri, content in pages.items():
        files.append(File.generated(config, uri, content=content))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Leads links that are right on GitHub to the site's pages."""
    uri = page.file.src_uri
    source = repository_pages.source_of(uri)
    return Links(ROOT, api_pages.pages_of_modules()).rewrite(markdown, source, uri)


def _expanded(nav: object) -> object:
    if isinstance(nav, list):
        entries: list[object] = []
        for entry in nav:
            folder = entry.removesuffix("/*") if isinstance(entry, str) else ""
            if folder and folder != entry:
                pages = sorted((ROOT / "docs" / folder).glob("*.md"))
                entries += [f"{folder}/{page.name}" for page in pages if page.name != "README.md"]
            else:
                entries.append(_expanded(entry))
        return entries
    if isinstance(nav, dict):
        return {title: _expanded(entry) for title, entry in nav.items()}
    return nav
