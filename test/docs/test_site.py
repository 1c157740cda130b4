"""`make docs`: the site is built without a warning, and its reference is complete."""

from __future__ import annotations

import html
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import stma_ros
from stma_ros.agents.registry import AGENTS
from stma_ros.apps.cli import COMMANDS
from stma_ros.types.settings import settings_of
from stma_ros.types.topics import TOPICS
from support.markdown import ROOT

GENERATORS = ROOT / "scripts" / "docs_site"
WITHOUT_ROS = """
import sys
sys.modules["rclpy"] = None
import api_pages, command_line_page, parameter_page, topic_page
for page in (*api_pages.make().values(), command_line_page.make(), parameter_page.make(), topic_page.make()):
    print(page)
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    outcome = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder],
        cwd=ROOT,
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert outcome.returncode == 0, outcome.stderr
    return folder


def ids(page: Path) -> set[str]:
    return set(re.findall(r'id="([^"]+)"', page.read_text(encoding="utf-8")))


def codes(page: Path) -> set[str]:
    """Returns the code spans of a page."""
    return {
        html.unescape(text) for text in re.findall(r"<code>([^<]+)</code>", page.read_text(encoding="utf-8"))
    }


@pytest.mark.parametrize("kind", ["msg", "srv", "action"])
def test_site_describes_every_interface_with_its_fields(kind: str, site: Path) -> None:
    page = site / "reference" / f"{kind}.html"
    files = list((ROOT / kind).iterdir())
    assert {path.stem.lower() for path in files} <= ids(page)
    declared = {
        match[1]
        for path in files
        for match in re.finditer(r"^[\w/\[\]<=]+ +(\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert declared <= codes(page)


def test_site_describes_every_topic_setting_command_and_exported_name(site: Path) -> None:
    reference = site / "reference"
    assert set(TOPICS) <= codes(reference / "topics.html")
    settings = {f"{spec.name}.{item.name}" for spec in AGENTS.components for item in settings_of(spec.config)}
    assert settings <= codes(reference / "parameters.html")
    assert {f"stma-{name}" for name in COMMANDS} <= ids(reference / "command_line.html")
    exported = {name for name in stma_ros.__all__ if not name.startswith("_")}
    described = {name.rpartition(".")[2] for name in ids(reference / "library.html")}
    assert exported <= described


def test_site_loads_nothing_from_other_servers(site: Path) -> None:
    for page in site.rglob("*.html"):
        loaded = re.findall(
            r'<(?:script|link|img)[^>]+(?:src|href)="(https?:[^"]+)"', page.read_text(encoding="utf-8")
        )
        assert loaded == [], page


def test_site_reference_can_be_generated_without_ros() -> None:
    path = os.pathsep.join((str(GENERATORS), str(ROOT)))
    outcome = subprocess.run(
        [sys.executable, "-c", WITHOUT_ROS],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert outcome.returncode == 0, outcome.stderr
    assert "spatial_memory.resolution" in outcome.stdout
    assert "This page was made without ROS 2" in outcome.stdout
