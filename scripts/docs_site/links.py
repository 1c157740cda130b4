"""Links as the repository's pages have them, turned into those of the site."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import repository_pages
from pymdownx.slugs import slugify

_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")
_EXTERNAL = re.compile(r"[a-z][a-z0-9+.-]*:")
_FENCED = re.compile(r"(^ *(?:```|~~~).*?^ *(?:```|~~~)[ \t]*$)", re.MULTILINE | re.DOTALL)

_STARTED = {slugify(case="lower")(title, "-") for title in repository_pages.GET_STARTED}


class Links:
    """Leads each link of a page to a page of the site, and leaves the text alone of links to what the site has not."""

    def __init__(self, root: Path, pages_of_modules: Mapping[str, str]) -> None:
        """pages_of_modules: pages of the site by the module, as a path in the repository, that they describe."""
        self._root = root
        self._pages_of_modules = pages_of_modules

    def rewrite(self, markdown: str, source: str, uri: str) -> str:
        """The text of the page `uri` of the site, which is `source` in the repository."""
        parts = _FENCED.split(markdown)  # every other one is code
        parts[::2] = [_LINK.sub(self._replacement(source, uri), part) for part in parts[::2]]
        return "".join(parts)

    def _replacement(self, source: str, uri: str) -> Callable[[re.Match[str]], str]:
        def replaced(link: re.Match[str]) -> str:
            picture, text, target = link.groups()
            if _EXTERNAL.match(target):
                return link[0]
            path, _, anchor = target.partition("#")
            where = posixpath.normpath(posixpath.join(posixpath.dirname(source), path)) if path else source
            found = self._page(where, anchor)
            if found is None:
                return text
            relative = posixpath.relpath(found, posixpath.dirname(uri) or ".")
            return f"{picture}[{text}]({relative}{anchor and '#'}{anchor})"

        return replaced

    def _page(self, path: str, anchor: str) -> str | None:
        """The page of the site that a file of the repository is on; None = on none."""
        if path == "README.md":
            return "get_started.md" if anchor in _STARTED else "index.md"
        if path in ("CONTRIBUTING.md", "CHANGELOG.md"):
            return path.lower()
        if path in ("msg", "srv", "action"):
            return f"reference/{path}.md"
        if path in self._pages_of_modules:
            return self._pages_of_modules[path]
        if path.startswith("docs/"):
            inside = path.removeprefix("docs/")
            return f"{inside}/index.md" if (self._root / path).is_dir() else inside
        return None if (self._root / path).exists() else path  # the build refuses what is nowhere
